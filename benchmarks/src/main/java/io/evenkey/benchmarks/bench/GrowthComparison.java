/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.layout.Layout;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.report.heat.counters.WriteTrace;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * A table that takes a step of its salt under traffic, beside two tables that have as many buckets
 * all along: operations alternate between the three. Not thread-safe.
 */
final class GrowthComparison implements Closeable {
  private static final int NARROW = 0;
  private static final int WIDE = 1;
  private static final int GROWN = 2;
  private static final int WINDOWS = 10;
  private static final int WARM_UP_ROUNDS = 1;

  private final GrowthSettings settings;
  private final GrowingRows rows;
  private final Connection plain;
  private final Connection client;
  private final CreatedTables created;
  private final List<Table> tables = new ArrayList<>();

  GrowthComparison(Configuration hbase, GrowthSettings settings) throws IOException {
    this.settings = settings;
    this.rows = new GrowingRows(settings.step(), settings.rows());
    this.plain = ConnectionFactory.createConnection(hbase);
    try {
      this.client = ConnectionFactory.createConnection(EvenkeySide.dropIn(hbase));
    } catch (IOException | RuntimeException e) {
      plain.close();
      throw e;
    }
    this.created = new CreatedTables(client);
  }

  /** Measures. */
  Growth run(Bench.Listener listener) throws IOException {
    listener.begins(GrowthTask.all().size() * settings.rounds());
    Layout narrow = GrowingRows.salted(settings.before());
    create("bench_narrow", narrow, settings.before());
    create("bench_wide", GrowingRows.salted(settings.after()), settings.after());
    create("bench_grown", narrow, settings.before());
    for (Table table : tables) {
      fill(table, 0, rows.beforeStep());
    }
    Layout after =
        narrow
            .withStep(settings.after(), GrowingRows.FIELD, rows.step())
            .orElseThrow(() -> new IllegalStateException("no step: " + narrow));
    Table grown = tables.get(GROWN);
    GrowthStep step = GrowthStep.take(plain, grown, rows, after);
    fill(tables.get(NARROW), rows.beforeStep(), rows.count());
    fill(tables.get(WIDE), rows.beforeStep(), rows.count());
    double skew = fillInWindows(grown);
    List<GrowthRun> runs = new ArrayList<>();
    for (GrowthTask task : GrowthTask.all()) {
      runs.add(run(task, listener));
    }
    return new Growth(step, skew, runs);
  }

  private void create(String name, Layout layout, int regions) throws IOException {
    created.create(
        TableLayout.with(HBaseTables.table(name, settings.encoding()), layout),
        HBaseTables.splits(layout, regions));
    tables.add(client.getTable(TableName.valueOf(name)));
  }

  private void fill(Table table, int from, int to) throws IOException {
    write(table, from, to);
    try (Admin admin = plain.getAdmin()) {
      admin.flush(table.getName());
    }
  }

  private void write(Table table, int from, int to) throws IOException {
    try (BufferedMutator mutator = client.getBufferedMutator(table.getName())) {
      for (int row = from; row < to; row++) {
        mutator.mutate(rows.put(row));
      }
    }
  }

  /** Writes the rows after the step; returns their skew over the servers. */
  private double fillInWindows(Table grown) throws IOException {
    int from = rows.beforeStep();
    int more = rows.count() - from;
    try (Admin admin = plain.getAdmin()) {
      WriteTrace trace = WriteTrace.of(admin, grown.getName());
      for (int window = 0; window < WINDOWS; window++) {
        write(grown, from + window * more / WINDOWS, from + (window + 1) * more / WINDOWS);
        trace.endWindow();
      }
      admin.flush(grown.getName());
      return trace.serverSkew();
    }
  }

  private GrowthRun run(GrowthTask task, Bench.Listener listener) throws IOException {
    List<List<Double>> rates = new ArrayList<>();
    for (int number = -WARM_UP_ROUNDS; number < settings.rounds(); number++) {
      int round = number;
      List<Double> now = Rotation.of(tables, round, table -> rate(task, table, round));
      if (round >= 0) {
        rates.add(now);
        listener.roundEnded();
      }
    }
    double[] narrow = Rotation.rates(NARROW, rates);
    double[] wide = Rotation.rates(WIDE, rates);
    double[] grown = Rotation.rates(GROWN, rates);
    double[] other = task.part() == GrowthTask.Part.BEFORE ? narrow : wide;
    return new GrowthRun(
        task.toString(),
        task.unit(),
        Quartiles.of(narrow).median(),
        Quartiles.of(wide).median(),
        Quartiles.of(grown).median(),
        Quartiles.ofRatios(grown, other));
  }

  /** Operations or rows a second, on rows that are random, but the same for each table. */
  private double rate(GrowthTask task, Table table, int round) throws IOException {
    SplittableRandom random = new SplittableRandom(round);
    long begun = System.nanoTime();
    for (int i = 0; i < task.times(rows); i++) {
      run(task, table, random.nextInt(task.start(rows), task.end(rows)));
    }
    return task.rows(rows) / ((System.nanoTime() - begun) / 1e9);
  }

  private void run(GrowthTask task, Table table, int row) throws IOException {
    switch (task.how()) {
      case GET -> check(table, row, table.get(new Get(rows.key(row))));
      case PUT -> table.put(rows.put(row));
      case LIMIT_10 ->
          read(
              table,
              new Scan().withStartRow(rows.key(row)).setLimit(GrowthTask.LIMIT),
              GrowthTask.LIMIT);
      case FULL -> {
        Scan scan = new Scan().withStartRow(rows.key(task.start(rows)));
        int end = task.end(rows);
        read(table, end == rows.count() ? scan : scan.withStopRow(rows.key(end)), task.rows(rows));
      }
    }
  }

  private static void check(Table table, int row, Result result) throws IOException {
    if (result.isEmpty()) {
      throw new EvenkeyException("row is missing: table=" + table.getName() + " row=" + row);
    }
  }

  private static void read(Table table, Scan scan, int expected) throws IOException {
    int found = 0;
    try (ResultScanner scanner = table.getScanner(scan)) {
      while (scanner.next() != null) {
        found++;
      }
    }
    if (found != expected) {
      throw new EvenkeyException(
          "scan did not return the rows that were written: table="
              + table.getName()
              + " rows="
              + found
              + " expected="
              + expected);
    }
  }

  @Override
  public void close() throws IOException {
    try (plain;
        client) {
      for (Table table : tables) {
        table.close();
      }
      created.drop();
    }
  }
}
