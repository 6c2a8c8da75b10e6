/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.client.select.Selection;
import io.evenkey.jobs.history.Found;
import io.evenkey.jobs.history.History;
import io.evenkey.jobs.history.Read;
import io.evenkey.jobs.history.Verdict;
import io.evenkey.jobs.history.Write;
import io.evenkey.jobs.schedule.Milliseconds;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.failure.EvenkeyFailure;
import io.evenkey.protocol.index.IndexProtocol;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Clients of a table that gets and loses an index: four of them put and delete rows, each in its
 * own way, a fifth does so in processes that are killed while they write, and one reads the whole
 * index whenever it may. All is recorded. If the index is of mutable rows, they also change the
 * columns of rows, one by one and together.
 */
final class IndexTraffic implements AutoCloseable {
  static final Layout LAYOUT = Layout.parse("salt(4) + id:int64");
  static final byte[] D = Bytes.toBytes("d");
  static final byte[] CUSTOMER = Bytes.toBytes("customer");

  /** An index of which the rows never change. */
  static final TableIndex EVENTS =
      TableIndex.parse(
          "by_customer events joining as \"salt(3) + customer:string\" from customer=d:customer");

  /** One of which they do. */
  static final TableIndex MUTABLE =
      TableIndex.parse(
          "by_customer mutable joining as \"salt(3) + customer:string + state:string\" from"
              + " customer=d:customer, state=d:state");

  /** One of which the rows are not deleted either, and read by their settled entries. */
  static final TableIndex APPEND_ONLY =
      TableIndex.parse(
          "by_customer append_only joining as \"salt(3) + customer:string\" from"
              + " customer=d:customer covering d:state");

  private static final byte[] STATE = Bytes.toBytes("state");
  private static final int ROWS_OF_CLIENT = 150;
  private static final int VALUES = 7;

  /** Of which most, if rows are mutable, are puts of some columns: servers gather from 4 on. */
  private static final int ROWS_OF_BATCH = 8;

  /** Between two operations of a client, which leaves processor time to commands and servers. */
  private static final long WRITE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long READ_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Between two processes: the start of one takes as much of a processor as many writes. */
  private static final long PROCESS_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final int FIRST_PROCESS = 4;
  private static final int BATCHES_OF_PROCESS = 50;
  private static final Comparator<Found> ORDER =
      Comparator.comparing(Found::value).thenComparing(found -> Long.parseLong(found.row()));

  private final Connection plain;
  private final TableName name;
  private final boolean mutable;
  private final boolean appendOnly;
  private final Connection connection;
  private final AsyncConnection async;
  private final SpreadTables tables;
  private final History history = new History();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final AtomicInteger writes = new AtomicInteger();
  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicInteger killed = new AtomicInteger();
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  IndexTraffic(Connection plain, TableName name, TableIndex index, SplittableRandom random)
      throws IOException {
    this.plain = plain;
    this.name = name;
    this.mutable = index.protocol() == IndexProtocol.MUTABLE;
    this.appendOnly = index.protocol() == IndexProtocol.APPEND_ONLY;
    Configuration configuration = new Configuration(plain.getConfiguration());
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    configuration.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    WriterProcess.waitForServers(configuration);
    this.connection = ConnectionFactory.createConnection(configuration);
    this.async = Futures.get(ConnectionFactory.createAsyncConnection(configuration));
    this.tables = SpreadTables.on(plain);
    Table table = connection.getTable(name);
    BufferedMutator mutator = connection.getBufferedMutator(name);
    start(0, 1, random.split(), mutations -> mutate(table, mutations.get(0)));
    start(
        1,
        ROWS_OF_BATCH,
        random.split(),
        mutations -> table.batch(mutations, new Object[mutations.size()]));
    start(
        2,
        1,
        random.split(),
        mutations -> {
          mutator.mutate(mutations);
          mutator.flush();
        });
    start(
        3,
        1,
        random.split(),
        mutations ->
            Futures.get(
                mutations.get(0) instanceof Put put
                    ? async.getTable(name).put(put)
                    : async.getTable(name).delete((Delete) mutations.get(0))));
    SplittableRandom ofProcesses = random.split();
    begin(() -> writeAndKill(ofProcesses));
    begin(this::readAll);
  }

  private static void mutate(Table table, Mutation mutation) throws IOException {
    if (mutation instanceof Put put) {
      table.put(put);
    } else {
      table.delete((Delete) mutation);
    }
  }

  @FunctionalInterface
  private interface Client {
    void write(List<Mutation> mutations) throws Exception;
  }

  /** One mutation of a row; null for the value if the row has no entry then. */
  private record Change(long id, Mutation mutation, @Nullable String value) {}

  private void start(int number, int batch, SplittableRandom random, Client client) {
    Map<Long, Columns> rows = new HashMap<>();
    begin(
        () -> {
          while (isRunning()) {
            List<Change> changes = changes(number, batch, rows, random);
            long begin = history.now();
            client.write(mutations(changes));
            record(changes, begin, history.now());
            awaitStop(WRITE_PAUSE_NANOS);
          }
        });
  }

  /**
   * Writes in one process after another, each of which has rows of its own and is killed in the
   * middle of a batch, if that takes as long as the one before.
   */
  private void writeAndKill(SplittableRandom random) throws Exception {
    for (int number = FIRST_PROCESS; isRunning(); number++) {
      Map<Long, Columns> rows = new HashMap<>();
      int last = 1 + random.nextInt(BATCHES_OF_PROCESS);
      try (WriterProcess process = WriterProcess.start(plain, name)) {
        boolean alive = true;
        long tookNanos = 0;
        for (int batch = 0; alive && isRunning(); batch++) {
          List<Change> changes = changes(number, ROWS_OF_BATCH, rows, random);
          if (batch == last) {
            process.killAfter(random.nextLong(tookNanos));
          }
          long sentNanos = System.nanoTime();
          long begin = history.now();
          alive = process.write(mutations(changes));
          record(changes, begin, alive ? history.now() : Write.OPEN);
          tookNanos = System.nanoTime() - sentNanos;
          awaitStop(WRITE_PAUSE_NANOS);
        }
        killed.addAndGet(alive ? 0 : 1);
      }
      awaitStop(PROCESS_PAUSE_NANOS);
    }
  }

  private List<Change> changes(
      int number, int batch, Map<Long, Columns> rows, SplittableRandom random) {
    int first = random.nextInt(ROWS_OF_CLIENT);
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < batch; i++) {
      long id = (long) number * ROWS_OF_CLIENT + (first + i) % ROWS_OF_CLIENT;
      changes.add(
          mutable ? change(id, rows, random) : event(id, !appendOnly && random.nextInt(3) == 0));
    }
    return changes;
  }

  private static List<Mutation> mutations(List<Change> changes) {
    return changes.stream().map(Change::mutation).toList();
  }

  private Change event(long id, boolean deletes) {
    byte[] row = LAYOUT.logicalKey(Values.of("id", id));
    String customer = "c" + id % VALUES;
    Mutation mutation = deletes ? new Delete(row) : event(row, customer);
    return new Change(id, mutation, deletes ? null : customer);
  }

  private Put event(byte[] row, String customer) {
    Put put = new Put(row).addColumn(D, CUSTOMER, Bytes.toBytes(customer));
    return appendOnly ? put.addColumn(D, STATE, Bytes.toBytes("of " + customer)) : put;
  }

  /** The columns of a row, which only one client writes; null if it has none. */
  private record Columns(@Nullable String customer, @Nullable String state) {
    private static final Columns NONE = new Columns(null, null);

    @Nullable String value() {
      return customer == null || state == null ? null : customer + " " + state;
    }
  }

  private static Change change(long id, Map<Long, Columns> rows, SplittableRandom random) {
    byte[] row = LAYOUT.logicalKey(Values.of("id", id));
    Columns before = rows.getOrDefault(id, Columns.NONE);
    String customer = "c" + random.nextInt(VALUES);
    String state = "s" + random.nextInt(VALUES);
    Put ofCustomer = new Put(row).addColumn(D, CUSTOMER, Bytes.toBytes(customer));
    Put ofState = new Put(row).addColumn(D, STATE, Bytes.toBytes(state));
    Mutation mutation;
    Columns after;
    switch (random.nextInt(8)) {
      case 0 -> {
        mutation = new Delete(row);
        after = Columns.NONE;
      }
      case 1 -> {
        mutation = new Delete(row).addColumns(D, STATE);
        after = new Columns(before.customer(), null);
      }
      case 2, 3 -> {
        mutation = ofCustomer;
        after = new Columns(customer, before.state());
      }
      case 4 -> {
        mutation = ofCustomer.addColumn(D, STATE, Bytes.toBytes(state));
        after = new Columns(customer, state);
      }
      default -> {
        mutation = ofState;
        after = new Columns(before.customer(), state);
      }
    }
    rows.put(id, after);
    return new Change(id, mutation, after.value());
  }

  private void record(List<Change> changes, long begin, long end) {
    for (Change each : changes) {
      history.add(new Write("" + each.id(), each.value(), begin, end));
    }
    if (changes.stream().anyMatch(each -> each.mutation() instanceof Delete)) {
      Milliseconds.awaitNext();
    }
    writes.addAndGet(changes.size());
  }

  private boolean isRunning() {
    return stop.getCount() > 0;
  }

  /** Waits for a time, or until the clients have to stop. */
  private void awaitStop(long nanos) throws InterruptedException {
    boolean unused = stop.await(nanos, TimeUnit.NANOSECONDS);
  }

  private void readAll() throws IOException, InterruptedException {
    while (isRunning()) {
      try {
        read();
      } catch (IOException e) {
        // It is not there yet, or not any more; or it was replaced.
        if (EvenkeyFailure.in(e).filter(known -> known.code().equals("index")).isEmpty()) {
          throw e;
        }
      }
      awaitStop(READ_PAUSE_NANOS);
    }
  }

  /** Reads the whole index once, and records that. */
  List<Found> read() throws IOException {
    List<Found> found = new ArrayList<>();
    long begin = history.now();
    Selection selection = tables.open(name).select().by("by_customer");
    if (appendOnly) {
      selection = selection.column(D, STATE);
    }
    try (KeyedRows rows = selection.open()) {
      for (KeyedRow row = rows.next(); row != null; row = rows.next()) {
        String customer = row.getString("customer");
        if (appendOnly) {
          assertThat(Bytes.toString(row.value(D, STATE))).isEqualTo("of " + customer);
        }
        String value = mutable ? customer + " " + row.getString("state") : customer;
        found.add(new Found("" + row.getLong("id"), value));
      }
    }
    history.add(new Read(begin, history.now(), found));
    reads.incrementAndGet();
    return found;
  }

  /** The rows that the table has for the index, in the order of that, without the index. */
  List<Found> ofTable() throws IOException {
    List<Found> found = new ArrayList<>();
    try (KeyedRows rows = tables.open(name).select().open()) {
      for (KeyedRow row = rows.next(); row != null; row = rows.next()) {
        byte[] customer = row.value(D, CUSTOMER);
        byte[] state = row.value(D, STATE);
        if (customer != null && (state != null || !mutable)) {
          String value = Bytes.toString(customer) + (mutable ? " " + Bytes.toString(state) : "");
          found.add(new Found("" + row.getLong("id"), value));
        }
      }
    }
    found.sort(ORDER);
    return found;
  }

  @FunctionalInterface
  private interface Work {
    void run() throws Exception;
  }

  private void begin(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (Throwable e) {
                failures.add(e);
              }
            });
    threads.add(thread);
    thread.start();
  }

  /** The number of writes that were acknowledged. */
  int writes() {
    return writes.get();
  }

  /** The number of whole reads. */
  int reads() {
    return reads.get();
  }

  /** The number of processes that were killed before they acknowledged a batch. */
  int killed() {
    return killed.get();
  }

  /** Fails if a client has failed. */
  void isWell() {
    assertThat(failures).isEmpty();
  }

  /** Ends the clients. */
  void stop() throws InterruptedException {
    stop.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** Decides the reads by the writes. */
  Verdict verdict() {
    return history.verdict(ORDER);
  }

  /** All that the table has of a row, with deletions, to find out why a read did not return it. */
  String stored(String row) throws IOException {
    Scan scan = new Scan().setRaw(true).readAllVersions();
    byte[] stored = LAYOUT.physical(LAYOUT.logicalKey(Values.of("id", Long.parseLong(row))));
    try (Table table = plain.getTable(name);
        ResultScanner rows = table.getScanner(scan.withStartRow(stored).setOneRowLimit())) {
      Result first = rows.next();
      return row + ": " + (first == null ? "nothing" : List.of(first.rawCells()));
    }
  }

  @Override
  public void close() throws IOException {
    try {
      stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    tables.close();
    async.close();
    connection.close();
  }
}
