/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import static io.evenkey.client.RandomWork.key;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BigDecimalComparator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryComponentComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.BitComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
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
import org.apache.hadoop.hbase.filter.FirstKeyValueMatchingQualifiersFilter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.LongComparator;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.NullComparator;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RandomRowFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/** Filters of each of HBase's classes at random, for rows with the keys of {@link RandomWork}. */
@SuppressWarnings("deprecation") // one that HBase still ships
final class RandomFilters {
  static final byte[][] FAMILIES = {Bytes.toBytes("d"), Bytes.toBytes("e")};
  static final byte[][] QUALIFIERS = {
    {}, Bytes.toBytes("a"), Bytes.toBytes("ab"), Bytes.toBytes("b"), Bytes.toBytes("bc"), {'c'}
  };

  private final SplittableRandom random;
  private final Map<Class<? extends Filter>, Supplier<Filter>> byClass;
  private final Map<Class<? extends ByteArrayComparable>, Supplier<ByteArrayComparable>>
      comparators;

  // A list of two of these may fail at a server, depending on the rows of a region.
  private boolean hinted;

  // There, HBase's FuzzyRowFilter and open ends of MultiRowRangeFilter lose rows on any table.
  private boolean reversed;

  RandomFilters(SplittableRandom random) {
    this.random = random;
    this.byClass =
        Map.ofEntries(
            Map.entry(ColumnCountGetFilter.class, () -> new ColumnCountGetFilter(number(7))),
            Map.entry(ColumnPaginationFilter.class, this::pagination),
            Map.entry(ColumnPrefixFilter.class, () -> new ColumnPrefixFilter(qualifier())),
            Map.entry(ColumnRangeFilter.class, this::columns),
            Map.entry(
                ColumnValueFilter.class,
                () -> new ColumnValueFilter(family(), qualifier(), operator(), ofValue())),
            Map.entry(DependentColumnFilter.class, this::dependent),
            Map.entry(
                FamilyFilter.class,
                () -> new FamilyFilter(operator(), new BinaryComparator(family()))),
            Map.entry(FilterList.class, () -> list(1)),
            Map.entry(FirstKeyOnlyFilter.class, FirstKeyOnlyFilter::new),
            Map.entry(
                FirstKeyValueMatchingQualifiersFilter.class,
                () -> {
                  TreeSet<byte[]> qualifiers = new TreeSet<>(Bytes.BYTES_COMPARATOR);
                  qualifiers.addAll(List.of(qualifier(), qualifier()));
                  return new FirstKeyValueMatchingQualifiersFilter(qualifiers);
                }),
            Map.entry(FuzzyRowFilter.class, this::fuzzy),
            Map.entry(InclusiveStopFilter.class, () -> new InclusiveStopFilter(bound())),
            Map.entry(KeyOnlyFilter.class, () -> new KeyOnlyFilter(random.nextBoolean())),
            Map.entry(MultiRowRangeFilter.class, this::ranges),
            Map.entry(
                MultipleColumnPrefixFilter.class,
                () -> {
                  TreeSet<byte[]> prefixes = new TreeSet<>(Bytes.BYTES_COMPARATOR);
                  prefixes.addAll(List.of(qualifier(), qualifier()));
                  return new MultipleColumnPrefixFilter(prefixes.toArray(new byte[0][]));
                }),
            Map.entry(PageFilter.class, () -> new PageFilter(number(9))),
            Map.entry(PrefixFilter.class, () -> new PrefixFilter(bound())),
            Map.entry(QualifierFilter.class, () -> new QualifierFilter(operator(), ofColumn())),
            // One that passes all rows, or none: others are never the same twice.
            Map.entry(
                RandomRowFilter.class, () -> new RandomRowFilter(random.nextBoolean() ? 2 : -1)),
            Map.entry(RowFilter.class, () -> new RowFilter(operator(), ofRow())),
            Map.entry(
                SingleColumnValueExcludeFilter.class,
                () ->
                    with(
                        new SingleColumnValueExcludeFilter(
                            family(), qualifier(), comparing(), ofValue()))),
            Map.entry(
                SingleColumnValueFilter.class,
                () ->
                    with(
                        new SingleColumnValueFilter(
                            family(), qualifier(), comparing(), ofValue()))),
            // With any other one that compares rows, it fails at the server, or does nothing.
            Map.entry(SkipFilter.class, () -> new SkipFilter(ofCells())),
            Map.entry(
                TimestampsFilter.class,
                () ->
                    new TimestampsFilter(
                        List.of((long) number(9), (long) number(9)), random.nextBoolean())),
            Map.entry(ValueFilter.class, () -> new ValueFilter(operator(), ofValue())),
            Map.entry(WhileMatchFilter.class, () -> new WhileMatchFilter(single())));
    this.comparators =
        Map.of(
            BigDecimalComparator.class, () -> new BigDecimalComparator(BigDecimal.ONE),
            BinaryComparator.class, () -> new BinaryComparator(bound()),
            BinaryComponentComparator.class,
                () -> new BinaryComponentComparator(new byte[] {(byte) ('0' + number(6))}, 1),
            BinaryPrefixComparator.class, () -> new BinaryPrefixComparator(bound()),
            BitComparator.class, () -> new BitComparator(key(random), BitComparator.BitwiseOp.XOR),
            LongComparator.class, () -> new LongComparator(number(9)),
            NullComparator.class, NullComparator::new,
            RegexStringComparator.class, this::regex,
            SubstringComparator.class, () -> new SubstringComparator("d" + number(6)));
  }

  /** The classes of filters that there are. */
  Set<Class<? extends Filter>> filters() {
    return byClass.keySet();
  }

  /** The classes of comparators that a filter of rows may have. */
  Set<Class<? extends ByteArrayComparable>> comparators() {
    return comparators.keySet();
  }

  /** A filter of a class, for a scan in a direction. */
  Filter of(Class<? extends Filter> type, boolean isReversed) {
    reversed = isReversed;
    hinted = false;
    return byClass.get(type).get();
  }

  /** Filters in lists, and in those that hold one. */
  Filter nested(boolean isReversed) {
    reversed = isReversed;
    hinted = false;
    return list(2);
  }

  private Filter list(int depth) {
    List<Filter> filters = new ArrayList<>();
    for (int i = number(3); i >= 0; i--) {
      filters.add(depth > 0 && number(4) == 0 ? list(depth - 1) : single());
    }
    return new FilterList(
        random.nextBoolean()
            ? FilterList.Operator.MUST_PASS_ALL
            : FilterList.Operator.MUST_PASS_ONE,
        filters);
  }

  private Filter single() {
    List<Class<? extends Filter>> classes =
        byClass.keySet().stream()
            .filter(type -> type != FilterList.class)
            .filter(type -> !hinted || !isHinted(type))
            .filter(type -> !reversed || type != FuzzyRowFilter.class)
            .sorted((a, b) -> a.getName().compareTo(b.getName()))
            .toList();
    Class<? extends Filter> type = classes.get(number(classes.size()));
    hinted |= isHinted(type);
    return byClass.get(type).get();
  }

  private static boolean isHinted(Class<?> type) {
    return type == FuzzyRowFilter.class || type == MultiRowRangeFilter.class;
  }

  private Filter ofCells() {
    Filter filter;
    do {
      filter = single();
    } while (isHinted(filter.getClass()));
    return filter;
  }

  private int number(int bound) {
    return random.nextInt(bound);
  }

  private byte[] family() {
    return FAMILIES[number(FAMILIES.length)];
  }

  private byte[] qualifier() {
    return QUALIFIERS[number(QUALIFIERS.length)];
  }

  private byte[] bound() {
    byte[] key = key(random);
    return random.nextBoolean() ? key : Arrays.copyOf(key, number(key.length + 1));
  }

  private CompareOperator operator() {
    CompareOperator[] operators = CompareOperator.values();
    return operators[number(operators.length)];
  }

  // HBase's servers fail with the other one.
  private CompareOperator comparing() {
    CompareOperator operator = operator();
    return operator == CompareOperator.NO_OP ? CompareOperator.EQUAL : operator;
  }

  private ByteArrayComparable ofRow() {
    List<Class<? extends ByteArrayComparable>> classes =
        comparators.keySet().stream().sorted((a, b) -> a.getName().compareTo(b.getName())).toList();
    return comparators.get(classes.get(number(classes.size()))).get();
  }

  private ByteArrayComparable ofColumn() {
    return random.nextBoolean()
        ? new BinaryComparator(qualifier())
        : new BinaryPrefixComparator(qualifier());
  }

  // Values are numbers.
  private ByteArrayComparable ofValue() {
    byte[] value = Bytes.toBytes((long) number(5));
    return switch (number(6)) {
      case 0 -> new LongComparator(number(5));
      case 1 -> new BinaryPrefixComparator(Arrays.copyOf(value, number(9)));
      case 2 -> new BitComparator(value, BitComparator.BitwiseOp.AND);
      case 3 -> new NullComparator();
      case 4 -> new BinaryComponentComparator(new byte[] {(byte) number(5)}, 7);
      default -> new BinaryComparator(value);
    };
  }

  private ByteArrayComparable regex() {
    String[] expressions = {
      "d[^1-3]", "^d2", "[2-4]\\x00", "d1|d5", "^D[45]", "(\\d)\\x00", "^a|b"
    };
    return new RegexStringComparator(
        expressions[number(expressions.length)],
        random.nextBoolean() ? Pattern.CASE_INSENSITIVE : Pattern.DOTALL);
  }

  private Filter pagination() {
    return random.nextBoolean()
        ? new ColumnPaginationFilter(number(4), number(3))
        : new ColumnPaginationFilter(number(4), qualifier());
  }

  private Filter columns() {
    byte[] min = number(4) == 0 ? null : qualifier();
    byte[] max = number(4) == 0 ? null : qualifier();
    return new ColumnRangeFilter(min, random.nextBoolean(), max, random.nextBoolean());
  }

  private Filter dependent() {
    return random.nextBoolean()
        ? new DependentColumnFilter(family(), qualifier(), random.nextBoolean())
        : new DependentColumnFilter(
            family(), qualifier(), random.nextBoolean(), operator(), ofValue());
  }

  private Filter with(SingleColumnValueFilter filter) {
    filter.setFilterIfMissing(random.nextBoolean());
    filter.setLatestVersionOnly(random.nextBoolean());
    return filter;
  }

  private Filter fuzzy() {
    return new FuzzyRowFilter(
        new ArrayList<>(Stream.generate(this::fuzzyKey).limit(1 + number(2)).toList()));
  }

  private Pair<byte[], byte[]> fuzzyKey() {
    byte[] key = bound();
    byte[] mask = new byte[key.length];
    for (int i = 0; i < mask.length; i++) {
      mask[i] = (byte) number(2);
    }
    return new Pair<>(key, mask);
  }

  private Filter ranges() {
    List<RowRange> ranges =
        IntStream.rangeClosed(0, number(3))
            .mapToObj(i -> range())
            .filter(RowRange::isValid)
            .toList();
    return ranges.isEmpty() ? ranges() : new MultiRowRangeFilter(new ArrayList<>(ranges));
  }

  private RowRange range() {
    byte[] stop = bound();
    return new RowRange(
        bound(),
        random.nextBoolean(),
        reversed && stop.length == 0 ? new byte[] {'d'} : stop,
        random.nextBoolean());
  }
}
