/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Reads of the table of an index by Evenkey's drop-in connections: its rows are those of a filter
 * of all rows, under the keys of the index, in their order. Not thread-safe.
 */
final class IndexTablePaths {
  private static final List<Set<String>> COLUMNS =
      List.of(Set.of(), Set.of("amount"), Set.of("note"), Set.of("customer", "amount"));

  private final Connection connection;
  private final AsyncConnection async;
  private final TableName indexed;

  IndexTablePaths(Connection connection, AsyncConnection async, TableName indexed) {
    this.connection = connection;
    this.async = async;
    this.indexed = indexed;
  }

  /** The bounds of a scan, which its first and last row may have; null where it is open. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Bounds(
      byte @Nullable [] low, boolean withLow, byte @Nullable [] high, boolean withHigh) {
    static Bounds random(SplittableRandom random, List<byte[]> keys) {
      byte[] one = bound(random, keys);
      byte[] other = bound(random, keys);
      boolean isOrdered = one == null || other == null || Bytes.compareTo(one, other) <= 0;
      return new Bounds(
          isOrdered ? one : other,
          random.nextBoolean(),
          isOrdered ? other : one,
          random.nextBoolean());
    }

    private static byte @Nullable [] bound(SplittableRandom random, List<byte[]> keys) {
      if (keys.isEmpty() || random.nextInt(3) == 0) {
        return null;
      }
      byte[] key = keys.get(random.nextInt(keys.size()));
      return random.nextBoolean() ? key : Arrays.copyOf(key, 1 + random.nextInt(key.length));
    }

    boolean has(byte[] key) {
      int afterLow = low == null ? 1 : Bytes.compareTo(key, low);
      int beforeHigh = high == null ? 1 : Bytes.compareTo(high, key);
      return (afterLow > 0 || afterLow == 0 && withLow)
          && (beforeHigh > 0 || beforeHigh == 0 && withHigh);
    }

    Scan of(Scan scan, boolean reversed) {
      byte[] start = reversed ? high : low;
      byte[] stop = reversed ? low : high;
      if (start != null) {
        scan.withStartRow(start, reversed ? withHigh : withLow);
      }
      if (stop != null) {
        scan.withStopRow(stop, reversed ? withLow : withHigh);
      }
      return scan.setReversed(reversed);
    }
  }

  /**
   * Reads an index once by each call.
   *
   * @param all the rows that there are
   * @param run names the run, in failures
   */
  void compare(OrderIndex index, List<Order> all, SplittableRandom random, String run)
      throws Exception {
    List<Order> orders = index.of(all);
    List<byte[]> keys = orders.stream().map(index::key).toList();
    Bounds bounds = Bounds.random(random, keys);
    Set<String> columns = COLUMNS.get(random.nextInt(COLUMNS.size()));
    boolean reversed = random.nextBoolean();
    int limit = random.nextBoolean() ? -1 : 1 + random.nextInt(50);
    List<Order> rows = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      Order shown = columns.isEmpty() ? orders.get(i) : orders.get(i).only(columns);
      if (bounds.has(keys.get(i)) && !shown.columns().isEmpty()) {
        rows.add(shown);
      }
    }
    if (reversed) {
      Collections.reverse(rows);
    }
    List<Order> first = limit < 0 ? rows : rows.subList(0, Math.min(limit, rows.size()));
    Scan scan = bounds.of(new Scan(), reversed).setLimit(limit);
    columns.forEach(column -> scan.addColumn(IndexedTable.D, Bytes.toBytes(column)));
    String what = run + index.name() + " opened as a table: " + scan;
    TableName name = TableName.valueOf(index.index().tableName(indexed.getNameAsString()));
    Layout layout = index.layout();
    AsyncTable<?> later = async.getTable(name);
    try (Table table = connection.getTable(name);
        ResultScanner rowsNow = table.getScanner(scan);
        ResultScanner rowsLater = later.getScanner(scan)) {
      assertThat(orders(layout, rowsNow)).as(what).isEqualTo(first);
      assertThat(orders(layout, rowsLater)).as(what).isEqualTo(first);
      assertThat(orders(layout, Futures.get(later.scanAll(scan)))).as(what).isEqualTo(first);
      compareGets(index, all, table, later, random, run);
    }
  }

  private static void compareGets(
      OrderIndex index,
      List<Order> all,
      Table table,
      AsyncTable<?> later,
      SplittableRandom random,
      String run)
      throws IOException {
    List<Get> gets = new ArrayList<>();
    List<@Nullable Order> rows = new ArrayList<>();
    List<Order> mayHave =
        all.stream()
            .filter(o -> index.index().columns().stream().allMatch(c -> o.value(c.field()) != null))
            .toList();
    for (int i = 0; i < 4 && !mayHave.isEmpty(); i++) {
      Order order = mayHave.get(random.nextInt(mayHave.size()));
      boolean isThere = random.nextInt(4) > 0;
      Order sought = isThere ? order : new Order("absent", order.id(), order.columns());
      gets.add(new Get(index.key(sought)));
      rows.add(isThere && index.has(order) ? order : null);
    }
    String what = run + index.name() + " opened as a table: " + gets;
    assertThat(orders(index, table.get(gets))).as(what).isEqualTo(rows);
    List<Result> answers = Futures.get(later.getAll(gets));
    assertThat(orders(index, answers.toArray(new Result[0]))).as(what).isEqualTo(rows);
    boolean[] exist = table.exists(gets);
    List<Boolean> existLater = Futures.get(later.existsAll(gets));
    for (int i = 0; i < exist.length; i++) {
      assertThat(List.of(exist[i], existLater.get(i))).as(what).containsOnly(rows.get(i) != null);
    }
  }

  private static List<@Nullable Order> orders(OrderIndex index, Result[] answers) {
    List<@Nullable Order> orders = new ArrayList<>();
    for (Result answer : answers) {
      orders.add(answer.isEmpty() ? null : Order.of(index.layout(), answer));
    }
    return orders;
  }

  private static List<Order> orders(Layout layout, Iterable<Result> rows) {
    List<Order> orders = new ArrayList<>();
    rows.forEach(row -> orders.add(Order.of(layout, row)));
    return orders;
  }
}
