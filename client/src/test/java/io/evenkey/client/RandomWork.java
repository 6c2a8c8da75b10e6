/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.ByteText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryComponentComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/** Keys, actions and scans at random, the same ones for the same seed. */
final class RandomWork {
  static final byte[] FAMILY = Bytes.toBytes("d");
  static final byte[][] QUALIFIERS = {Bytes.toBytes("a"), Bytes.toBytes("b"), {}};
  static final String FIELDS = "device:string + ts:int16";
  static final Layout KEYS = Layout.parse(FIELDS);

  private RandomWork() {}

  static byte[] key(SplittableRandom random) {
    return KEYS.logicalKey(
        Values.of("device", "d" + random.nextInt(6)).and("ts", (long) random.nextInt(12)));
  }

  static byte[] qualifier(SplittableRandom random) {
    return QUALIFIERS[random.nextInt(QUALIFIERS.length)];
  }

  /** One action of any kind; the same for the same state of {@code random}. */
  static Row action(SplittableRandom random, long time) throws IOException {
    byte[] row = key(random);
    return switch (random.nextInt(8)) {
      case 0, 1, 2 -> put(random, row, time);
      case 3 -> delete(random, row, time);
      case 4 -> new Increment(row).addColumn(FAMILY, Bytes.toBytes("n"), random.nextInt(5));
      case 5 -> new Append(row).addColumn(FAMILY, Bytes.toBytes("s"), Bytes.toBytes("x" + time));
      case 6 -> mutations(random, row, time);
      default -> check(random, row, time);
    };
  }

  private static RowMutations mutations(SplittableRandom random, byte[] row, long time)
      throws IOException {
    List<Mutation> mutations =
        new ArrayList<>(List.of(put(random, row, time), delete(random, row, time - 1)));
    if (random.nextBoolean()) {
      mutations.add(new Increment(row).addColumn(FAMILY, Bytes.toBytes("n"), random.nextInt(5)));
      mutations.add(new Append(row).addColumn(FAMILY, Bytes.toBytes("s"), Bytes.toBytes("y")));
    }
    return RowMutations.of(mutations);
  }

  static Put put(SplittableRandom random, byte[] row, long time) {
    return new Put(row, time).addColumn(FAMILY, qualifier(random), Bytes.toBytes(time % 7));
  }

  static Delete delete(SplittableRandom random, byte[] row, long time) {
    return switch (random.nextInt(3)) {
      case 0 -> new Delete(row, time);
      case 1 -> new Delete(row).addColumns(FAMILY, qualifier(random), time);
      default -> new Delete(row).addFamily(FAMILY, time);
    };
  }

  static CheckAndMutate check(SplittableRandom random, byte[] row, long time) throws IOException {
    CheckAndMutate.Builder check = CheckAndMutate.newBuilder(row);
    switch (random.nextInt(4)) {
      case 0 -> check.ifNotExists(FAMILY, qualifier(random));
      case 1 -> check.ifEquals(FAMILY, qualifier(random), Bytes.toBytes(time % 7));
      case 2 ->
          check.ifMatches(
              FAMILY, qualifier(random), CompareOperator.GREATER, Bytes.toBytes(time % 7));
      default -> check.ifMatches(new PrefixFilter(Bytes.toBytes("d" + random.nextInt(6))));
    }
    return random.nextBoolean()
        ? check.build(put(random, row, time))
        : check.build(
            RowMutations.of(List.of(put(random, row, time), delete(random, row, time - 1))));
  }

  static Filter filter(SplittableRandom random) {
    byte[] key = key(random);
    byte[] part = Arrays.copyOf(key, random.nextInt(key.length + 1));
    CompareOperator[] operators = CompareOperator.values();
    CompareOperator operator = operators[random.nextInt(operators.length - 1)];
    return switch (random.nextInt(16)) {
      case 0 -> new PrefixFilter(part);
      case 1 -> new RowFilter(operator, new BinaryComparator(random.nextBoolean() ? key : part));
      case 2 -> new RowFilter(operator, new BinaryPrefixComparator(part));
      case 3 -> new RowFilter(operator, new BinaryComponentComparator(new byte[] {'3'}, 1));
      case 4 -> new InclusiveStopFilter(key);
      case 5 ->
          new MultiRowRangeFilter(
              new ArrayList<>(
                  List.of(
                      new MultiRowRangeFilter.RowRange("d1", true, "d2", random.nextBoolean()),
                      new MultiRowRangeFilter.RowRange(
                          Bytes.toBytes("d4"), true, new byte[0], false))));
      case 6 ->
          new FuzzyRowFilter(
              List.of(
                  new Pair<>(new byte[] {'d', 0, 0, (byte) 0x80, 3}, new byte[] {0, 1, 0, 0, 0})));
      case 7 -> new FilterList(new PageFilter(1 + random.nextInt(9)), new FirstKeyOnlyFilter());
      case 8 -> new SkipFilter(new ValueFilter(operator, new BinaryComparator(Bytes.toBytes(3L))));
      case 9 -> new QualifierFilter(operator, new BinaryComparator(qualifier(random)));
      case 10 -> new KeyOnlyFilter();
      case 12, 13 -> {
        String[] expressions = {"d[^1-3]", "^d2", "[2-4]\\x00", "d1|d5", "^D[45]", "(\\d)\\x00"};
        String expression = expressions[random.nextInt(expressions.length)];
        RegexStringComparator regex =
            new RegexStringComparator(
                expression, random.nextBoolean() ? Pattern.CASE_INSENSITIVE : Pattern.DOTALL);
        if (random.nextBoolean()) {
          regex.setCharset(StandardCharsets.ISO_8859_1);
        }
        yield new RowFilter(
            random.nextBoolean() ? CompareOperator.EQUAL : CompareOperator.NOT_EQUAL, regex);
      }
      case 11 ->
          new WhileMatchFilter(new RowFilter(CompareOperator.LESS, new BinaryComparator(key)));
      default ->
          new FilterList(
              random.nextBoolean()
                  ? FilterList.Operator.MUST_PASS_ALL
                  : FilterList.Operator.MUST_PASS_ONE,
              new PrefixFilter(Bytes.toBytes("d" + random.nextInt(6))),
              new RowFilter(operator, new BinaryComparator(key)));
    };
  }

  static Scan scan(SplittableRandom random) throws IOException {
    Scan scan = new Scan().setReversed(random.nextInt(3) == 0).readVersions(1 + random.nextInt(3));
    if (random.nextBoolean()) {
      scan.withStartRow(bound(random), random.nextBoolean());
    }
    if (random.nextBoolean()) {
      scan.withStopRow(bound(random), random.nextBoolean());
    }
    if (random.nextInt(3) == 0) {
      scan.setLimit(1 + random.nextInt(12));
    }
    // HBase's own scanner trips over its assertions with a limit and a batch.
    if (scan.getLimit() <= 0 && random.nextInt(4) == 0) {
      scan.setBatch(1 + random.nextInt(2));
    }
    if (random.nextInt(4) == 0) {
      scan.setTimeRange(50, 400);
    }
    if (random.nextInt(4) == 0) {
      scan.addColumn(FAMILY, qualifier(random));
    }
    return scan;
  }

  static byte[] bound(SplittableRandom random) {
    byte[] key = key(random);
    return Arrays.copyOf(key, 1 + random.nextInt(key.length));
  }

  // One to a row: a batch promises no order.
  static List<Row> actions(long seed, long time) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    List<Row> actions = new ArrayList<>();
    List<String> rows = new ArrayList<>();
    while (actions.size() < 6) {
      Row action = random.nextInt(4) == 0 ? new Get(key(random)) : action(random, time);
      if (!rows.contains(ByteText.hex(action.getRow()))) {
        rows.add(ByteText.hex(action.getRow()));
        actions.add(action);
      }
    }
    return actions;
  }
}
