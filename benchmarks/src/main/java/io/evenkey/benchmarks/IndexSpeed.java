/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks;

import io.evenkey.client.SpreadMutator;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.registry.Registry;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.client.select.Selection;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.jobs.index.IndexAddition;
import io.evenkey.jobs.index.IndexListener;
import io.evenkey.jobs.index.IndexVerification;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.index.IndexParser;
import io.evenkey.layout.index.IndexProtocol;
import io.evenkey.layout.index.TableIndex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The cost of an index, by turns on one HBase: writes to a table without and with an index, of
 * events and of mutable rows, and to two tables by hand, the row first; changes of one column of
 * rows; and reads through the index, beside a table whose key has that order.
 */
public final class IndexSpeed {
  private static final byte[] D = Bytes.toBytes("d");
  private static final byte[] CUSTOMER = Bytes.toBytes("customer");
  private static final byte[] SHOP = Bytes.toBytes("shop");
  private static final byte[] STATE = Bytes.toBytes("state");
  private static final Layout BY_ID = Layout.parse("salt(6) + id:int64");
  private static final Layout BY_CUSTOMER = Layout.parse("salt(6) + customer:string + id:int64");
  private static final TableIndex INDEX =
      TableIndex.of(
          "by_customer",
          IndexProtocol.EVENTS,
          Layout.parse("salt(6) + customer:string"),
          IndexParser.columns("customer=d:customer"),
          List.of());
  private static final TableIndex MUTABLE =
      TableIndex.of(
          "by_customer",
          IndexProtocol.MUTABLE,
          Layout.parse("salt(6) + customer:string + shop:string"),
          IndexParser.columns("customer=d:customer,shop=d:shop"),
          List.of());
  private static final TableIndex COVERING =
      TableIndex.of(
          "by_customer",
          IndexProtocol.APPEND_ONLY,
          Layout.parse("salt(6) + customer:string"),
          IndexParser.columns("customer=d:customer"),
          IndexParser.covering("d:state"));
  private static final int SERVERS = 3;

  /** The first one warms up. */
  private static final int ROUNDS = 6;

  private static final int WARM_UP = 1;
  private static final int ROWS = 60_000;
  private static final int CUSTOMERS = 300;
  private static final int SINGLE = 2_000;
  private static final int BATCH = 1_000;
  private static final int STATE_BYTES = 100;
  private static final int SHORT_READS = 300;
  private static final int LONGER_READS = 40;

  private final SpreadTables open;
  private final SplittableRandom random = new SplittableRandom(1);
  private final SpreadTable without;
  private final SpreadTable with;
  private final SpreadTable mutable;
  private final SpreadTable byHand;
  private final SpreadTable byHandSecond;
  private final SpreadTable ordered;
  private final SpreadTable indexed;
  private final SpreadTable covered;
  private long nextId;

  private IndexSpeed(EmbeddedHBase hbase, SpreadTables open) throws IOException {
    this.open = open;
    this.without = create("without", BY_ID);
    this.with = create("with", BY_ID);
    this.mutable = create("mutable", BY_ID);
    this.byHand = create("by_hand", BY_ID);
    this.byHandSecond = create("by_hand_second", BY_CUSTOMER);
    this.ordered = create("ordered", BY_CUSTOMER);
    this.indexed = create("indexed", BY_ID);
    this.covered = create("covered", BY_ID);
    try (Registry registry = Registry.open(hbase.configuration())) {
      for (SpreadTable table : List.of(with, indexed)) {
        new IndexAddition(table.name(), INDEX, 6, 0)
            .run(hbase.connection(), registry, IndexListener.NONE);
      }
      new IndexAddition(covered.name(), COVERING, 6, 0)
          .run(hbase.connection(), registry, IndexListener.NONE);
      new IndexAddition(mutable.name(), MUTABLE, 6, 0)
          .run(hbase.connection(), registry, IndexListener.NONE);
    }
  }

  private SpreadTable create(String name, Layout layout) throws IOException {
    return open.create(TableName.valueOf(name), layout, layout.splits(6), List.of("d"));
  }

  /** Measures. */
  public static void main(String[] arguments) throws Exception {
    try (EmbeddedHBase hbase = EmbeddedHBase.temporary().servers(SERVERS).start();
        SpreadTables open = SpreadTables.on(hbase.connection())) {
      new IndexSpeed(hbase, open).run(hbase);
    }
  }

  /** A record in both of its orders. */
  private record Order(Put byId, Put byCustomer) {}

  private Order order() {
    long id = nextId++;
    String customer = "c%05d".formatted(random.nextInt(CUSTOMERS));
    byte[] state = new byte[STATE_BYTES];
    random.nextBytes(state);
    byte[] key = BY_ID.logicalKey(Values.of("id", id));
    byte[] other = BY_CUSTOMER.logicalKey(Values.of("customer", customer).and("id", id));
    return new Order(
        filled(new Put(key), customer, state), filled(new Put(other), customer, state));
  }

  private static Put filled(Put put, String customer, byte[] state) {
    return put.addColumn(D, CUSTOMER, Bytes.toBytes(customer))
        .addColumn(D, SHOP, SHOP)
        .addColumn(D, STATE, state);
  }

  private List<Order> orders(int count) {
    List<Order> orders = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      orders.add(order());
    }
    return orders;
  }

  /** One side of a comparison; the result is a rate: more is better. */
  private interface Work {
    double rate() throws IOException;
  }

  private void run(EmbeddedHBase hbase) throws IOException {
    Map<String, Work> single = new LinkedHashMap<>();
    single.put("without", () -> single(without, null));
    single.put("with", () -> single(with, null));
    single.put("mutable", () -> single(mutable, null));
    single.put("by hand", () -> single(byHand, byHandSecond));
    compare("put", single);
    Map<String, Work> batches = new LinkedHashMap<>();
    batches.put("without", () -> batches(without, null));
    batches.put("with", () -> batches(with, null));
    batches.put("mutable", () -> batches(mutable, null));
    batches.put("by hand", () -> batches(byHand, byHandSecond));
    compare("batch of 1,000", batches);
    Map<String, Work> buffered = new LinkedHashMap<>();
    buffered.put("without", () -> buffered(without, null));
    buffered.put("with", () -> buffered(with, null));
    buffered.put("mutable", () -> buffered(mutable, null));
    buffered.put("by hand", () -> buffered(byHand, byHandSecond));
    compare("buffered", buffered);
    changes();
    fill();
    settle(hbase);
    try (Admin admin = hbase.connection().getAdmin()) {
      for (TableName table : admin.listTableNames()) {
        admin.flush(table);
      }
    }
    reads("LIMIT 20 of a customer", SHORT_READS, 20);
    reads("LIMIT 1,000 from a customer", LONGER_READS, 1_000);
    reads("all in order, rows", 1, 0);
  }

  private void reads(String what, int count, int limit) throws IOException {
    Map<String, Work> whole = new LinkedHashMap<>();
    whole.put("ordered", () -> read(ordered.select(), count, limit));
    whole.put("index", () -> read(indexed.select().by("by_customer"), count, limit));
    compare(what, whole);
    Map<String, Work> columns = new LinkedHashMap<>();
    columns.put("ordered", () -> read(ordered.select().column(D, STATE), count, limit));
    columns.put(
        "covered", () -> read(covered.select().by("by_customer").column(D, STATE), count, limit));
    compare(what, columns);
  }

  private void settle(EmbeddedHBase hbase) throws IOException {
    try (Registry registry = Registry.open(hbase.configuration())) {
      IndexVerification.sweep(
          hbase.connection(), registry, covered.name(), "by_customer", IndexListener.NONE);
    }
  }

  /** Changes of one indexed column of rows that are there. */
  private void changes() throws IOException {
    List<Put> rows = orders(ROWS).stream().map(Order::byId).toList();
    for (SpreadTable table : List.of(without, mutable)) {
      try (SpreadMutator mutator = table.mutator()) {
        for (Put row : rows) {
          mutator.put(row);
        }
      }
    }
    Map<String, Work> single = new LinkedHashMap<>();
    single.put("without", () -> changed(without, rows, SINGLE, 1));
    single.put("mutable", () -> changed(mutable, rows, SINGLE, 1));
    compare("change of a column", single);
    Map<String, Work> batches = new LinkedHashMap<>();
    batches.put("without", () -> changed(without, rows, 10 * BATCH, BATCH));
    batches.put("mutable", () -> changed(mutable, rows, 10 * BATCH, BATCH));
    compare("changes, batch of 1,000", batches);
  }

  private double changed(SpreadTable table, List<Put> rows, int count, int batch)
      throws IOException {
    List<Put> puts = new ArrayList<>(count);
    int first = random.nextInt(ROWS - count);
    for (int i = 0; i < count; i++) {
      String customer = "c%05d".formatted(random.nextInt(CUSTOMERS));
      puts.add(
          new Put(rows.get(first + i).getRow()).addColumn(D, CUSTOMER, Bytes.toBytes(customer)));
    }
    long begun = System.nanoTime();
    for (int from = 0; from < count; from += batch) {
      if (batch == 1) {
        table.put(puts.get(from));
      } else {
        table.put(puts.subList(from, from + batch));
      }
    }
    return rate(count, begun);
  }

  private static void compare(String what, Map<String, Work> sides) throws IOException {
    Map<String, double[]> rates = new LinkedHashMap<>();
    sides.keySet().forEach(side -> rates.put(side, new double[ROUNDS - WARM_UP]));
    for (int round = 0; round < ROUNDS; round++) {
      for (Map.Entry<String, Work> side : sides.entrySet()) {
        double rate = side.getValue().rate();
        if (round >= WARM_UP) {
          Objects.requireNonNull(rates.get(side.getKey()))[round - WARM_UP] = rate;
        }
      }
    }
    double[] first = rates.values().iterator().next();
    rates.forEach(
        (side, of) ->
            Figures.say(
                "%-28s %-8s %,12.1f/s  %.2f of the first (%.2f – %.2f)",
                what,
                side,
                Figures.median(Arrays.stream(of)),
                Figures.median(ratios(of, first)),
                ratios(of, first).min().orElseThrow(),
                ratios(of, first).max().orElseThrow()));
  }

  private static DoubleStream ratios(double[] of, double[] first) {
    double[] ratios = new double[of.length];
    Arrays.setAll(ratios, i -> of[i] / first[i]);
    return Arrays.stream(ratios);
  }

  private double single(SpreadTable table, @Nullable SpreadTable second) throws IOException {
    List<Order> orders = orders(SINGLE);
    long begun = System.nanoTime();
    for (Order order : orders) {
      table.put(order.byId());
      if (second != null) {
        second.put(order.byCustomer());
      }
    }
    return rate(SINGLE, begun);
  }

  private double batches(SpreadTable table, @Nullable SpreadTable second) throws IOException {
    int count = 10 * BATCH;
    List<Order> orders = orders(count);
    long begun = System.nanoTime();
    for (int from = 0; from < count; from += BATCH) {
      List<Order> some = orders.subList(from, from + BATCH);
      table.put(some.stream().map(Order::byId).toList());
      if (second != null) {
        second.put(some.stream().map(Order::byCustomer).toList());
      }
    }
    return rate(count, begun);
  }

  private double buffered(SpreadTable table, @Nullable SpreadTable second) throws IOException {
    List<Order> orders = orders(ROWS);
    long begun = System.nanoTime();
    try (SpreadMutator mutator = table.mutator()) {
      for (Order order : orders) {
        mutator.put(order.byId());
      }
    }
    if (second != null) {
      try (SpreadMutator mutator = second.mutator()) {
        for (Order order : orders) {
          mutator.put(order.byCustomer());
        }
      }
    }
    return rate(ROWS, begun);
  }

  /** The same rows for reads through the index, and by a table of its order. */
  private void fill() throws IOException {
    try (SpreadMutator one = indexed.mutator();
        SpreadMutator covering = covered.mutator();
        SpreadMutator other = ordered.mutator()) {
      for (Order order : orders(ROWS)) {
        one.put(order.byId());
        covering.put(order.byId());
        other.put(order.byCustomer());
      }
    }
  }

  private double read(Selection selection, int reads, int limit) throws IOException {
    long begun = System.nanoTime();
    long rows = 0;
    for (int i = 0; i < reads; i++) {
      Selection some =
          limit == 0
              ? selection
              : selection.where("customer >= '" + someCustomer() + "'").limit(limit);
      try (KeyedRows read = some.open()) {
        while (read.next() != null) {
          rows++;
        }
      }
    }
    return rate(limit > 0 ? reads : rows, begun);
  }

  private String someCustomer() {
    return "c%05d".formatted(random.nextInt(CUSTOMERS - CUSTOMERS / 5));
  }

  private static double rate(long count, long begun) {
    return count / ((System.nanoTime() - begun) / 1e9);
  }
}
