/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.filter;

import io.evenkey.client.failure.UnsupportedFilterException;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.spread.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.DependentColumnFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RandomRowFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites filters for the rows that begin with one prefix: a filter that compares rows is given
 * the prefix in front of what it compares with, one that never looks at the row goes as it is, and
 * one that could let other rows pass than on a plain table is refused by name.
 *
 * <p>All rows behind a prefix begin with the same bytes, so they compare with each other, and with
 * a value behind the same prefix, as their logical keys do. Immutable and thread-safe.
 */
public final class FilterMapping {
  /** Look at columns, values and times, never at the row, and keep nothing from row to row. */
  @SuppressWarnings("deprecation") // one that HBase still ships
  private static final Set<Class<? extends Filter>> ROW_BLIND =
      Set.of(
          ColumnCountGetFilter.class,
          ColumnPaginationFilter.class,
          ColumnPrefixFilter.class,
          ColumnRangeFilter.class,
          ColumnValueFilter.class,
          DependentColumnFilter.class,
          FamilyFilter.class,
          FirstKeyOnlyFilter.class,
          org.apache.hadoop.hbase.filter.FirstKeyValueMatchingQualifiersFilter.class,
          KeyOnlyFilter.class,
          MultipleColumnPrefixFilter.class,
          QualifierFilter.class,
          RandomRowFilter.class,
          SingleColumnValueExcludeFilter.class,
          SingleColumnValueFilter.class,
          TimestampsFilter.class,
          ValueFilter.class);

  /** The configuration key of an application's own filters that never look at the row. */
  public static final String ROW_BLIND_SETTING = "evenkey.filters.row-blind";

  private static final Set<String> ROW_BLIND_NAMES =
      ROW_BLIND.stream().map(Class::getName).collect(Collectors.toUnmodifiableSet());

  /** Null where rows cannot be compared at all. */
  private final byte @Nullable [] prefix;

  private final Set<String> ownRowBlind;

  private FilterMapping(byte @Nullable [] prefix, Set<String> ownRowBlind) {
    this.prefix = prefix;
    this.ownRowBlind = ownRowBlind;
  }

  /**
   * The mapping for the rows that begin as one does, with its prefix and separator. Where rows are
   * stored reversed, filters that compare rows are refused.
   *
   * @param ownRowBlind names of classes of an application's own filters that never look at the row,
   *     and keep nothing from row to row
   */
  public static FilterMapping of(Spread spread, byte[] row, Set<String> ownRowBlind) {
    return new FilterMapping(
        spread.isPrefixOnly() ? Arrays.copyOf(row, spread.width()) : null, ownRowBlind);
  }

  /** Whether filters of a class never look at the row. */
  public static boolean looksAtNoRow(String className) {
    return ROW_BLIND_NAMES.contains(className);
  }

  /** The same of a filter, and of all in a list of filters. */
  public static boolean looksAtNoRow(Filter filter) {
    return filter instanceof FilterList list
        ? list.getFilters().stream().allMatch(FilterMapping::looksAtNoRow)
        : looksAtNoRow(filter.getClass().getName());
  }

  /**
   * The same filter for physical rows.
   *
   * @throws UnsupportedFilterException if there is none
   */
  public Filter physical(Filter filter) {
    if (ROW_BLIND.contains(filter.getClass())
        || ownRowBlind.contains(filter.getClass().getName())) {
      return filter;
    }
    Filter physical = rewritten(filter);
    physical.setReversed(filter.isReversed());
    return physical;
  }

  private Filter rewritten(Filter filter) {
    if (filter instanceof FilterList list) {
      return list(list);
    } else if (filter instanceof SkipFilter skip) {
      return new SkipFilter(physical(skip.getFilter()));
    } else if (filter instanceof WhileMatchFilter until) {
      return until(until);
    } else if (filter instanceof PageFilter page) {
      return new PageFilter(page.getPageSize());
    }
    return comparing(filter);
  }

  private Filter comparing(Filter filter) {
    byte[] before = prefix;
    if (before == null) {
      throw new UnsupportedFilterException(filter, "rows are stored reversed here");
    } else if (filter instanceof PrefixFilter rows) {
      return new PrefixFilter(Bytes.add(before, rows.getPrefix()));
    } else if (filter instanceof InclusiveStopFilter rows) {
      return new InclusiveStopFilter(Bytes.add(before, rows.getStopRowKey()));
    } else if (filter instanceof RowFilter rows) {
      return new RowFilter(
          rows.getCompareOperator(), RowComparators.behind(before, rows.getComparator()));
    } else if (filter instanceof MultiRowRangeFilter rows) {
      return new MultiRowRangeFilter(
          sortable(rows.getRowRanges().stream().map(range -> behind(before, range))));
    } else if (filter instanceof FuzzyRowFilter rows) {
      return new FuzzyRowFilter(
          sortable(rows.getFuzzyKeys().stream().map(key -> behind(before, key))));
    }
    throw new UnsupportedFilterException(
        filter,
        "it may look at the row, which has another form here; if it never does,"
            + " and keeps nothing from row to row, name its class in "
            + ROW_BLIND_SETTING);
  }

  // HBase sorts these lists in place.
  private static <T> List<T> sortable(Stream<T> elements) {
    return elements.collect(Collectors.toCollection(ArrayList::new));
  }

  private Filter list(FilterList list) {
    List<Filter> filters = new ArrayList<>();
    for (Filter filter : list.getFilters()) {
      if (list.getOperator() == FilterList.Operator.MUST_PASS_ONE && filter instanceof PageFilter) {
        throw new UnsupportedFilterException(
            filter, "in a list of which one has to pass, it counts the rows of each bucket apart");
      }
      filters.add(physical(filter));
    }
    return new FilterList(list.getOperator(), filters);
  }

  // Ends the scan at the first row that fails, wherever that is in the bucket. Only where every
  // row after a failing one fails too is this the same in all buckets.
  private Filter until(WhileMatchFilter until) {
    Filter inner = until.getFilter();
    boolean failsForGood =
        inner instanceof InclusiveStopFilter
            || inner instanceof RowFilter rows
                && !until.isReversed()
                && (rows.getCompareOperator() == CompareOperator.LESS
                    || rows.getCompareOperator() == CompareOperator.LESS_OR_EQUAL);
    if (!failsForGood) {
      throw new UnsupportedFilterException(
          until,
          "it ends the scan at the first row that fails, and here each bucket has a first one; only"
              + " InclusiveStopFilter and RowFilter with < or <= can stand in it");
    }
    return new WhileMatchFilter(physical(inner));
  }

  private static RowRange behind(byte[] prefix, RowRange range) {
    boolean open = range.getStopRow().length == 0;
    return new RowRange(
        Bytes.add(prefix, range.getStartRow()),
        range.isStartRowInclusive(),
        open ? KeyRange.afterPrefix(prefix) : Bytes.add(prefix, range.getStopRow()),
        !open && range.isStopRowInclusive());
  }

  // A mask has 0 where the byte has to be the key's, as the prefix has to be.
  private static Pair<byte[], byte[]> behind(byte[] prefix, Pair<byte[], byte[]> fuzzy) {
    byte[] mask = Bytes.add(new byte[prefix.length], fuzzy.getSecond());
    return new Pair<>(Bytes.add(prefix, fuzzy.getFirst()), mask);
  }
}
