/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks;

import io.evenkey.app.heat.counters.WriteTrace;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadMutator;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.registry.Registry;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationPlan;
import io.evenkey.jobs.migration.MigrationSettings;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A step from 16 to 48 buckets under a writer and a reader: the cells that HBase rewrites, the
 * longest pause, and single rows and scans before and after, within the steps and across.
 * Arguments: the number of rows, 200,000 unless given, and of region servers, 3.
 */
public final class GrowSpeed {
  private static final byte[] D = Bytes.toBytes("d");
  private static final TableName NAME = TableName.valueOf("grown");
  private static final Layout BEFORE = Layout.parse("salt(16) + n:digits(10)");
  private static final int ROUNDS = 5;
  private static final int POINTS = 2_000;
  private static final int SCANS = 100;
  private static final int WINDOWS = 10;

  private final EmbeddedHBase hbase;
  private final Connection plain;
  private final Table table;
  private final int rows;

  private GrowSpeed(EmbeddedHBase hbase, Table table, int rows) throws IOException {
    this.hbase = hbase;
    this.plain = hbase.connection();
    this.table = table;
    this.rows = rows;
  }

  /** Measures. */
  public static void main(String[] args) throws Exception {
    int rows = args.length == 0 ? 200_000 : Integer.parseInt(args[0]);
    int servers = args.length < 2 ? 3 : Integer.parseInt(args[1]);
    try (EmbeddedHBase hbase = EmbeddedHBase.temporary().servers(servers).start()) {
      Configuration dropIn = new Configuration(hbase.connection().getConfiguration());
      dropIn.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
      try (Connection client = ConnectionFactory.createConnection(dropIn);
          Table table = client.getTable(NAME)) {
        new GrowSpeed(hbase, table, rows).run();
      }
    }
  }

  private void run() throws Exception {
    try (SpreadTables tables = SpreadTables.on(plain)) {
      tables.create(NAME, BEFORE, BEFORE.splits(16), List.of("d"));
    }
    fill(0, rows);
    try (Admin admin = plain.getAdmin()) {
      admin.flush(NAME);
    }
    measure("warm-up", 0, rows);
    measure("before the step", 0, rows);
    long cells = compactedCells();
    Layout after =
        BEFORE
            .withStep(48, "n", String.format(Locale.ROOT, "%010d", rows))
            .orElseThrow(() -> new IllegalStateException("no step: " + BEFORE));
    grow(after);
    Figures.say("cells rewritten      %,d at once", compactedCells() - cells);
    try (Admin admin = plain.getAdmin()) {
      WriteTrace trace = WriteTrace.of(admin, NAME);
      for (int window = 0; window < WINDOWS; window++) {
        int from = rows + window * rows / WINDOWS;
        fill(from, rows + (window + 1) * rows / WINDOWS);
        trace.endWindow();
      }
      Figures.say("write skew           %.2f over servers", trace.serverSkew());
      admin.flush(NAME);
    }
    measure("within the first", 0, rows);
    measure("within the second", rows, 2 * rows);
    Figures.say("%-20s limit_10 %.2f ms", "across", limit(() -> rows - 5));
    Figures.say("%-20s full %,.0f rows/s", "all of it", full(0, 2 * rows));
    Figures.say("cells rewritten      %,d in all", compactedCells() - cells);
  }

  private static byte[] key(int n) {
    return BEFORE.logicalKey(Values.of("n", String.format(Locale.ROOT, "%010d", n)));
  }

  private static Put put(int n) {
    return new Put(key(n)).addColumn(D, D, new byte[100]);
  }

  private void fill(int from, int to) throws IOException {
    try (SpreadTables tables = SpreadTables.on(plain);
        SpreadMutator mutator = tables.open(NAME).mutator()) {
      for (int n = from; n < to; n++) {
        mutator.put(put(n));
      }
    }
  }

  private long compactedCells() throws IOException {
    long cells = 0;
    try (Admin admin = plain.getAdmin()) {
      for (ServerName server : admin.getRegionServers()) {
        for (RegionMetrics region : admin.getRegionMetrics(server, NAME)) {
          cells += region.getCompactedCellCount();
        }
      }
    }
    return cells;
  }

  private void grow(Layout after) throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    AtomicLong write = new AtomicLong();
    AtomicLong read = new AtomicLong();
    SplittableRandom random = new SplittableRandom(3);
    CompletableFuture<Void> writer = looping(over, write, random.split(), n -> table.put(put(n)));
    CompletableFuture<Void> reader =
        looping(over, read, random.split(), n -> table.get(new Get(key(n))));
    Path work = new Path(hbase.directory().resolve("work").toUri());
    long begun = System.nanoTime();
    try (Registry registry = Registry.open(plain.getConfiguration());
        Migrator migrator =
            Migrator.begin(
                plain,
                registry,
                MigrationPlan.of(NAME, after),
                MigrationSettings.in(work),
                MigrationListener.NONE)) {
      migrator.run();
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    over.set(true);
    writer.join();
    reader.join();
    Figures.say(
        "step                 taken in %.1f s; longest write %.0f ms, longest read %.0f ms",
        seconds, write.get() / 1e6, read.get() / 1e6);
  }

  /** One operation on a row. */
  @FunctionalInterface
  private interface Operation {
    void on(int n) throws IOException;
  }

  private CompletableFuture<Void> looping(
      AtomicBoolean over, AtomicLong longest, SplittableRandom random, Operation operation) {
    return CompletableFuture.runAsync(
        () -> {
          while (!over.get()) {
            try {
              longest.accumulateAndGet(time(() -> random.nextInt(rows), 1, operation), Math::max);
            } catch (IOException e) {
              throw new IllegalStateException(e);
            }
          }
        },
        task -> new Thread(task, "client").start());
  }

  /** Chooses a row. */
  @FunctionalInterface
  private interface Choice {
    int row();
  }

  private static long time(Choice choice, int times, Operation operation) throws IOException {
    long begun = System.nanoTime();
    for (int i = 0; i < times; i++) {
      operation.on(choice.row());
    }
    return System.nanoTime() - begun;
  }

  private static double median(Choice choice, int times, Operation operation) throws IOException {
    double[] millis = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      millis[round] = time(choice, times, operation) / 1e6 / times;
    }
    return Figures.median(Arrays.stream(millis));
  }

  private void measure(String what, int from, int to) throws IOException {
    SplittableRandom random = new SplittableRandom(5);
    Choice any = () -> random.nextInt(from, to);
    double get = median(any, POINTS, n -> table.get(new Get(key(n))));
    double put = median(any, POINTS, n -> table.put(put(n)));
    double limit = limit(() -> random.nextInt(from, to - 10));
    Figures.say(
        "%-20s get %.3f ms, put %.3f ms, limit_10 %.2f ms, full %,.0f rows/s",
        what, get, put, limit, full(from, to));
  }

  private double limit(Choice start) throws IOException {
    return median(start, SCANS, n -> read(new Scan().withStartRow(key(n)).setLimit(10)));
  }

  private double full(int from, int to) throws IOException {
    Scan scan = new Scan().withStartRow(key(from)).withStopRow(key(to));
    return 1000.0 * (to - from) / median(() -> from, 1, n -> read(new Scan(scan)));
  }

  private void read(Scan scan) throws IOException {
    try (ResultScanner rowsInOrder = table.getScanner(scan)) {
      while (rowsInOrder.next() != null) {}
    }
  }
}
