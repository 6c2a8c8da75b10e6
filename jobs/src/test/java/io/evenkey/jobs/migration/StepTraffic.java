/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.jobs.history.Found;
import io.evenkey.jobs.history.History;
import io.evenkey.jobs.history.Read;
import io.evenkey.jobs.history.Verdict;
import io.evenkey.jobs.history.Write;
import io.evenkey.jobs.schedule.Milliseconds;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Clients that write rows before a step and, from some moment on, at and after it, by both of
 * Evenkey's connections, and read back what was acknowledged: at once, and by another client. All
 * writes are recorded, and the whole reads of another client.
 */
final class StepTraffic implements Closeable {
  static final long STEP = 1_000_000;

  private static final byte[] D = Bytes.toBytes("d");
  private static final int NUMBERS = 400;
  private static final int OPERATION_MS = 300_000;

  /** Between two operations of a client, which leaves processor time to the table's servers. */
  private static final long PAUSE_NANOS = 2_000_000;

  private static final long READ_PAUSE_NANOS = 100_000_000;

  private final Configuration configuration;
  private final TableName table;
  private final Layout keys;
  private final Map<Long, Long> written = new ConcurrentHashMap<>();
  private final List<Thread> clients = new ArrayList<>();
  private final History history = new History();
  private final AtomicLong writes = new AtomicLong();
  private final AtomicLong longestNanos = new AtomicLong();
  private volatile boolean beyond;
  private volatile boolean over;
  private volatile @Nullable Throwable wrong;

  /**
   * @param keys a layout with the table's logical keys
   */
  StepTraffic(Connection plain, TableName table, Layout keys) throws IOException {
    try (Connection dropIn = LoadedTable.client(plain)) {
      this.configuration = new Configuration(dropIn.getConfiguration());
    }
    configuration.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, OPERATION_MS);
    configuration.setInt("evenkey.migration.wait.ms", OPERATION_MS);
    // A client that looks the table up in the middle of the step compares it with the registry.
    configuration.set("evenkey.check", "first");
    this.table = table;
    this.keys = keys;
  }

  /** From now on, clients write at and after the step as well. */
  void goBeyond() {
    beyond = true;
  }

  /** The number of acknowledged writes. */
  long writes() {
    return writes.get();
  }

  /** The longest write of a row before the step, since {@link #restart}. */
  long longestMs() {
    return longestNanos.get() / 1_000_000;
  }

  /** Begins to measure again. */
  void restart() {
    longestNanos.set(0);
  }

  /** Starts a client of each connection. Each has numbers of its own. */
  void start(long seed) {
    int number = clients.size();
    begin("blocking-" + number, () -> blocking(number, new SplittableRandom(seed)));
    begin("async-" + number, () -> async(number + 1, new SplittableRandom(~seed)));
  }

  /** Starts a client that reads all rows, again and again. */
  void startReader() {
    begin(
        "reader",
        () -> {
          try (Connection connection = ConnectionFactory.createConnection(configuration);
              Table open = connection.getTable(table)) {
            while (!over) {
              read(open);
              LockSupport.parkNanos(READ_PAUSE_NANOS);
            }
          }
        });
  }

  private void read(Table open) throws IOException {
    List<Found> found = new ArrayList<>();
    byte[] before = new byte[0];
    long begin = history.now();
    try (ResultScanner rows = open.getScanner(new Scan())) {
      for (Result row : rows) {
        assertThat(Bytes.compareTo(before, row.getRow())).isNegative();
        before = row.getRow();
        found.add(
            new Found(
                "" + keys.decodeLogical(row.getRow()).get("no"),
                "" + Bytes.toLong(row.getValue(D, D))));
      }
    }
    history.add(new Read(begin, history.now(), found));
  }

  /** The work of a client. */
  @FunctionalInterface
  private interface Work {
    void run() throws Exception;
  }

  private void begin(String name, Work work) {
    Thread client =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (Exception | AssertionError e) {
                wrong = e;
              }
            },
            name);
    client.setDaemon(true);
    clients.add(client);
    client.start();
  }

  private void blocking(int client, SplittableRandom random) throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Table open = connection.getTable(table)) {
      while (!over) {
        long number = number(client, random);
        if (random.nextInt(8) == 0) {
          write(number, null, () -> open.delete(new Delete(key(number))));
        } else {
          long value = random.nextLong();
          write(number, value, () -> open.put(put(number, value)));
        }
        check(number, open.get(new Get(key(number))));
        readOther(open, random);
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private void async(int client, SplittableRandom random) throws Exception {
    try (AsyncConnection connection =
        ConnectionFactory.createAsyncConnection(configuration).get()) {
      AsyncTable<?> open = connection.getTable(table);
      while (!over) {
        long number = number(client, random);
        long value = random.nextLong();
        write(number, value, () -> open.put(put(number, value)).get());
        check(number, open.get(new Get(key(number))).get());
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  // Rows of another client are there at least since they were acknowledged.
  private void readOther(Table open, SplittableRandom random) throws IOException {
    List<Long> all = List.copyOf(written.keySet());
    if (!all.isEmpty()) {
      long number = all.get(random.nextInt(all.size()));
      boolean before = written.containsKey(number);
      boolean found = open.exists(new Get(key(number)));
      if (before && written.containsKey(number) && number % 2 == 1) {
        assertThat(found).as("row %s of another client", number).isTrue();
      }
    }
  }

  /** Clients of the asynchronous connection have the odd numbers, and delete none. */
  private long number(int client, SplittableRandom random) {
    long number = 2L * (random.nextInt(NUMBERS) + (client / 2) * NUMBERS) + client % 2;
    return beyond && random.nextBoolean() ? STEP + number : number;
  }

  private void write(long number, @Nullable Long value, Work request) throws Exception {
    long begun = System.nanoTime();
    long begin = history.now();
    request.run();
    String after = value == null ? null : value.toString();
    history.add(new Write("" + number, after, begin, history.now()));
    if (value == null) {
      Milliseconds.awaitNext();
      written.remove(number);
    } else {
      written.put(number, value);
    }
    if (number < STEP) {
      longestNanos.accumulateAndGet(System.nanoTime() - begun, Math::max);
    }
    writes.incrementAndGet();
  }

  private void check(long number, Result found) {
    Long value = written.get(number);
    byte[] read = found.getValue(D, D);
    assertThat(read == null ? null : (Long) Bytes.toLong(read))
        .as("acknowledged value of %s", number)
        .isEqualTo(value);
  }

  private byte[] key(long number) {
    return keys.logicalKey(Values.of(Map.of("device", "d" + number % 7, "no", number)));
  }

  private Put put(long number, long value) {
    return new Put(key(number)).addColumn(D, D, Bytes.toBytes(value));
  }

  void isWell() {
    assertThat(wrong).isNull();
  }

  /**
   * Ends all clients, compares the table with what was acknowledged, by gets and a scan, and checks
   * that all whole reads before had what they were to have.
   *
   * @return the number of rows that reads had to have
   */
  long check() throws Exception {
    over = true;
    for (Thread client : clients) {
      client.join();
    }
    isWell();
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Table open = connection.getTable(table)) {
      for (long number : written.keySet()) {
        check(number, open.get(new Get(key(number))));
      }
      read(open);
    }
    Verdict verdict = history.verdict();
    assertThat(verdict.breaches()).isEmpty();
    return verdict.decided();
  }

  @Override
  public void close() {
    over = true;
  }
}
