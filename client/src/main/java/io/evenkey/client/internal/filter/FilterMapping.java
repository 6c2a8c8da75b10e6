/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.filter;

import io.evenkey.client.failure.UnsupportedFilterException;
import io.evenkey.client.internal.setting.Setting;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.spread.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.HBaseLine;
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
 * one that could let other rows pass than on a plain table is rejected with an error that names it.
 *
 * <p>All rows behind a prefix begin with the same bytes, so they compare with each other, and with
 * a value behind the same prefix, as their logical keys do. What a filter keeps from one row to the
 * next, it keeps for each bucket apart: in a scan of several buckets, only filters pass whose
 * verdict on a row is the same without the rows before it. One that ends a scan passes if it would
 * reject all later rows, too.
 *
 * <p>Only HBase's own classes are rewritten: a class derived from one of them may do anything.
 * Immutable and thread-safe.
 */
public final class FilterMapping {
  /** Look at columns, values and times, never at the row, and keep nothing from row to row. */
  @SuppressWarnings("deprecation") // one that HBase still ships
  private static final Set<Class<? extends Filter>> ROW_BLIND =
      Set.of(
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

  /** Compare rows, hold other filters, or count. */
  private static final Set<Class<? extends Filter>> REWRITTEN =
      Set.of(
          ColumnCountGetFilter.class,
          FilterList.class,
          FuzzyRowFilter.class,
          InclusiveStopFilter.class,
          MultiRowRangeFilter.class,
          PageFilter.class,
          PrefixFilter.class,
          RowFilter.class,
          SkipFilter.class,
          WhileMatchFilter.class);

  /** Compare rows with bytes. */
  private static final Set<Class<? extends Filter>> COMPARING =
      Set.of(
          FuzzyRowFilter.class,
          InclusiveStopFilter.class,
          MultiRowRangeFilter.class,
          PrefixFilter.class,
          RowFilter.class);

  /** End a scan behind the last row that can pass. */
  private static final Set<Class<? extends Filter>> ENDING =
      Set.of(
          FuzzyRowFilter.class,
          InclusiveStopFilter.class,
          MultiRowRangeFilter.class,
          PrefixFilter.class,
          WhileMatchFilter.class);

  /** Keep or reject a cell for what other cells the row has. */
  @SuppressWarnings("deprecation") // one that HBase still ships
  private static final Set<Class<? extends Filter>> NEED_WHOLE_ROW =
      Set.of(
          ColumnCountGetFilter.class,
          ColumnPaginationFilter.class,
          DependentColumnFilter.class,
          FirstKeyOnlyFilter.class,
          org.apache.hadoop.hbase.filter.FirstKeyValueMatchingQualifiersFilter.class,
          PageFilter.class,
          SingleColumnValueExcludeFilter.class,
          SingleColumnValueFilter.class,
          SkipFilter.class,
          WhileMatchFilter.class);

  /** The configuration key of an application's own filters that never look at the row. */
  public static final String ROW_BLIND_SETTING = Setting.FILTERS_ROW_BLIND.key();

  private static final Set<String> ROW_BLIND_NAMES =
      ROW_BLIND.stream().map(Class::getName).collect(Collectors.toUnmodifiableSet());

  /** Null where rows cannot be compared at all. */
  private final byte @Nullable [] prefix;

  private final Set<String> ownRowBlind;
  private final FilteredRows rows;

  private FilterMapping(byte @Nullable [] prefix, Set<String> ownRowBlind, FilteredRows rows) {
    this.prefix = prefix;
    this.ownRowBlind = ownRowBlind;
    this.rows = rows;
  }

  /**
   * The mapping for the rows that begin as one does, with its prefix and separator. Where rows are
   * stored reversed, filters that compare rows are rejected.
   *
   * @param ownRowBlind names of classes of an application's own filters that never look at the row,
   *     and keep nothing from row to row
   * @param rows what is read through the filter
   */
  public static FilterMapping of(
      Spread spread, byte[] row, Set<String> ownRowBlind, FilteredRows rows) {
    return new FilterMapping(
        spread.isPrefixOnly() ? Arrays.copyOf(row, spread.width()) : null, ownRowBlind, rows);
  }

  /** Whether filters of a class never look at the row, and keep nothing from row to row. */
  public static boolean looksAtNoRow(String className) {
    return ROW_BLIND_NAMES.contains(className);
  }

  /** Whether a filter, and each one in a list of filters, never looks at the row. */
  public static boolean looksAtNoRow(Filter filter) {
    return filter instanceof FilterList list
        ? list.getFilters().stream().allMatch(FilterMapping::looksAtNoRow)
        : looksAtNoRow(filter.getClass().getName());
  }

  /**
   * Whether a filter, or one that it holds, may compare rows with bytes that the caller has. One of
   * an unknown class may.
   *
   * @param ownRowBlind as for {@link #of}
   */
  public static boolean comparesRows(Filter filter, Set<String> ownRowBlind) {
    return holds(
        filter,
        one -> {
          if (one instanceof SkipFilter skip) {
            return comparesRows(skip.getFilter(), ownRowBlind);
          } else if (one instanceof WhileMatchFilter until) {
            return comparesRows(until.getFilter(), ownRowBlind);
          }
          Class<? extends Filter> type = one.getClass();
          return COMPARING.contains(type)
              || !(ROW_BLIND.contains(type)
                  || REWRITTEN.contains(type)
                  || ownRowBlind.contains(type.getName()));
        });
  }

  /**
   * Maps a filter to one that passes the same physical rows and cells.
   *
   * @throws UnsupportedFilterException if there is none
   */
  public Filter physical(Filter filter) {
    return physical(filter, true);
  }

  /**
   * Maps a filter that may stand behind others.
   *
   * @param decidesLast whether the scan returns each row that has passed this filter and those in
   *     front of it
   */
  private Filter physical(Filter filter, boolean decidesLast) {
    Class<? extends Filter> type = filter.getClass();
    if (rows == FilteredRows.PARTS_OF_A_ROW && NEED_WHOLE_ROW.contains(type)) {
      throw new UnsupportedFilterException(
          filter, "it needs all cells of the row, which may be in several buckets");
    } else if (isRowBlind(type)) {
      return filter;
    } else if (!REWRITTEN.contains(type)) {
      throw new UnsupportedFilterException(
          filter,
          "it may look at the row, which has another form here; if it never does,"
              + " and keeps nothing from row to row, name its class in "
              + ROW_BLIND_SETTING);
    }
    Filter physical = rewritten(filter, decidesLast);
    physical.setReversed(filter.isReversed());
    return physical;
  }

  private boolean isRowBlind(Class<? extends Filter> type) {
    return ROW_BLIND.contains(type) || ownRowBlind.contains(type.getName());
  }

  private Filter rewritten(Filter filter, boolean decidesLast) {
    if (filter instanceof FilterList list) {
      return list(list, decidesLast);
    } else if (filter instanceof SkipFilter skip) {
      return new SkipFilter(physical(skip.getFilter(), false));
    } else if (filter instanceof WhileMatchFilter until) {
      return until(until, decidesLast);
    } else if (filter instanceof PageFilter page) {
      return page(page, decidesLast);
    } else if (filter instanceof ColumnCountGetFilter columns) {
      return columns(columns);
    }
    return comparing(filter);
  }

  private Filter comparing(Filter filter) {
    byte[] before = prefix;
    if (before == null) {
      throw new UnsupportedFilterException(filter, "rows are stored reversed here");
    } else if (filter instanceof PrefixFilter prefixed && prefixed.getPrefix() != null) {
      return new PrefixFilter(Bytes.add(before, prefixed.getPrefix()));
    } else if (filter instanceof InclusiveStopFilter stop && stop.getStopRowKey() != null) {
      return new InclusiveStopFilter(Bytes.add(before, stop.getStopRowKey()));
    } else if (filter instanceof RowFilter row && row.getComparator() != null) {
      return new RowFilter(
          row.getCompareOperator(), RowComparators.behind(before, row.getComparator()));
    } else if (filter instanceof MultiRowRangeFilter ranges) {
      return new MultiRowRangeFilter(
          sortable(ranges.getRowRanges().stream().map(range -> behind(before, range))));
    } else if (filter instanceof FuzzyRowFilter fuzzy) {
      return new FuzzyRowFilter(
          sortable(HBaseLine.present().fuzzyKeys(fuzzy).stream().map(key -> behind(before, key))));
    }
    // Without anything to compare with, it passes no row, or fails on the server.
    return filter;
  }

  // HBase sorts these lists in place.
  private static <T> List<T> sortable(Stream<T> elements) {
    return elements.collect(Collectors.toCollection(ArrayList::new));
  }

  private Filter list(FilterList list, boolean decidesLast) {
    boolean all = list.getOperator() == FilterList.Operator.MUST_PASS_ALL;
    List<Filter> filters = new ArrayList<>(list.getFilters());
    if (!all && !rows.isOneRange()) {
      checkAlternatives(list);
    }
    boolean last = all && decidesLast;
    for (int i = filters.size() - 1; i >= 0; i--) {
      Filter filter = filters.get(i);
      filters.set(i, physical(filter, last));
      last &= !mayRejectLate(filter);
    }
    return new FilterList(list.getOperator(), filters);
  }

  // HBase asks no filter that has ended what cells of a row it rejects, but asks all of them
  // whether they reject the row: those then answer otherwise than for the row that ended them.
  private void checkAlternatives(FilterList list) {
    boolean mayEndApart =
        list.getFilters().stream()
            .anyMatch(
                filter ->
                    filter instanceof FuzzyRowFilter
                        || filter instanceof WhileMatchFilter
                        || filter instanceof FilterList && mayEnd(filter));
    if (mayEndApart
        && (mayRejectLate(list) || holds(list, f -> f instanceof DependentColumnFilter))) {
      throw new UnsupportedFilterException(
          list,
          "one of its filters has to pass, and another decides on whole rows, so the result depends"
              + " on which filter ends the scan first; of filters that end a scan, such a list can"
              + " contain only PrefixFilter, InclusiveStopFilter and MultiRowRangeFilter, and only"
              + " directly");
    }
  }

  private static boolean mayEnd(Filter filter) {
    return holds(filter, f -> ENDING.contains(f.getClass()));
  }

  private static boolean holds(Filter filter, Predicate<Filter> kind) {
    return filter instanceof FilterList list
        ? list.getFilters().stream().anyMatch(inner -> holds(inner, kind))
        : kind.test(filter);
  }

  // A page filter in front has counted a row by then. Other filters reject a row by its key, or by
  // all of its cells, before any filter counts it.
  private boolean mayRejectLate(Filter filter) {
    return holds(
        filter,
        f ->
            f instanceof SingleColumnValueFilter
                || f instanceof SkipFilter
                || ownRowBlind.contains(f.getClass().getName()));
  }

  // Each bucket counts apart; the scan's limit then keeps as many rows of all of them together.
  // That is right only where what is counted comes back.
  private Filter page(PageFilter page, boolean decidesLast) {
    if (!rows.isOneRange() && !decidesLast) {
      throw new UnsupportedFilterException(
          page,
          "it counts the rows of each bucket separately, including rows that later filters reject;"
              + " use it alone, or last in a list of which all have to pass");
    }
    return new PageFilter(page.getPageSize());
  }

  private Filter columns(ColumnCountGetFilter columns) {
    if (!rows.isOneRange()) {
      throw new UnsupportedFilterException(
          columns,
          "it ends the scan at the first row that has more columns, and each bucket has such a row;"
              + " ColumnPaginationFilter limits the columns of every row");
    }
    return columns;
  }

  // Ends the scan at the first row that fails, wherever that is in the bucket. Only where every
  // row after a failing one fails too is this the same in all buckets.
  private Filter until(WhileMatchFilter until, boolean decidesLast) {
    Filter inner = until.getFilter();
    if (inner instanceof PageFilter page) {
      // A page that is full ends by itself.
      return new WhileMatchFilter(page(page, decidesLast));
    } else if (!rows.isOneRange() && !failsForGood(inner)) {
      throw new UnsupportedFilterException(
          until,
          "it ends the scan at the first row that fails, and each bucket has such a row; it can"
              + " contain only PageFilter, InclusiveStopFilter, and RowFilter with < or <= (in a"
              + " reversed scan, > or >=) and BinaryComparator or BinaryPrefixComparator");
    }
    return new WhileMatchFilter(physical(inner, false));
  }

  private boolean failsForGood(Filter filter) {
    if (filter.getClass() != RowFilter.class) {
      return filter.getClass() == InclusiveStopFilter.class;
    }
    RowFilter row = (RowFilter) filter;
    return RowComparators.isOrdered(row.getComparator())
        && (rows == FilteredRows.DESCENDING
            ? row.getCompareOperator() == CompareOperator.GREATER
                || row.getCompareOperator() == CompareOperator.GREATER_OR_EQUAL
            : row.getCompareOperator() == CompareOperator.LESS
                || row.getCompareOperator() == CompareOperator.LESS_OR_EQUAL);
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
