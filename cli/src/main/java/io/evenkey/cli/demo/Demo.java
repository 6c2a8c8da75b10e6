/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.demo;

import io.evenkey.client.SpreadMutator;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.jobs.records.InputException;
import io.evenkey.jobs.records.RecordCursor;
import io.evenkey.jobs.records.RecordSource;
import io.evenkey.layout.Layout;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.split.RowSample;
import io.evenkey.layout.split.SplitAlgorithm;
import io.evenkey.layout.split.SplitPlan;
import io.evenkey.report.heat.counters.WriteTrace;
import io.evenkey.report.terminal.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Put;
import org.jspecify.annotations.Nullable;

/** Loads the same records under a naive and a spread layout and compares HBase's counters. */
public final class Demo {
  private final RecordSource source;
  private final Layout layout;
  private final int servers;
  private final RecordCells cells;
  private final RecordKeys keys;
  private final DuplicateKeys collisions;
  private final List<String> warnings;
  private final DemoPlan plan;

  /** Shows the progress of one step at a time. */
  @FunctionalInterface
  public interface ProgressBars {
    /** Begins a step of {@code total} rows. */
    Progress begin(String task, long total);
  }

  private Demo(
      RecordSource source,
      Layout layout,
      int servers,
      RecordCells cells,
      RecordKeys keys,
      DuplicateKeys collisions,
      List<String> warnings) {
    this.warnings = warnings;
    this.source = source;
    this.layout = layout;
    this.servers = servers;
    this.cells = cells;
    this.keys = keys;
    this.collisions = collisions;
    this.plan = DemoPlan.of(layout, keys.records(), servers);
  }

  /**
   * Reads the whole input once, and refuses invalid input before any table is created.
   *
   * @param line a layout line, or null to derive a layout
   * @param key the columns of the derived layout, or null to choose them
   * @throws InputException if the input cannot be used
   * @throws io.evenkey.layout.text.LayoutException if the line is not a layout
   */
  public static Demo prepare(
      RecordSource source, @Nullable String line, @Nullable List<String> key, int servers)
      throws InputException {
    Layout layout;
    List<String> warnings = List.of();
    if (line == null) {
      KeyChoice choice = KeyChoice.of(source, key);
      layout = DemoPlan.spread(choice.layout(), servers);
      warnings = choice.warnings();
    } else {
      layout = Layout.parse(line);
    }
    RecordCells cells = RecordCells.of(source, layout);
    RecordKeys keys = RecordKeys.read(source, layout, cells);
    if (layout.spread().isRandom() && keys.collisions() > 0) {
      throw InputException.file(
          source.name(),
          keys.collisions()
              + " of "
              + keys.records()
              + " records have the key of another: separate rows under "
              + layout.spread().prefix()
              + ", one row without",
          "the two tables cannot be compared: add a column that distinguishes the records");
    }
    return new Demo(
        source, layout, servers, cells, keys, DuplicateKeys.of(source, layout, keys), warnings);
  }

  /** Remarks on the choice of the key. */
  public List<String> warnings() {
    return warnings;
  }

  /** The spread layout. */
  public Layout layout() {
    return layout;
  }

  /** The first record: the text of each field of the key. */
  public Map<String, String> firstKey() throws InputException {
    Map<String, String> first = new LinkedHashMap<>();
    try (RecordCursor cursor = source.open()) {
      if (cursor.next()) {
        for (Field field : layout.fields()) {
          first.put(field.name(), cursor.value(source.column(field.name())));
        }
      }
    }
    return first;
  }

  /** The number of records. */
  public int records() {
    return keys.records();
  }

  /** Runs on an empty HBase. */
  public DemoResult run(EmbeddedHBase hbase, ProgressBars bars) throws IOException {
    long start = System.nanoTime();
    try (SpreadTables tables = SpreadTables.on(hbase.connection());
        Admin admin = hbase.connection().getAdmin()) {
      // The demo measures the distribution of keys, not the balancer's moves.
      admin.balancerSwitch(false, true);
      Load naive = load(tables, admin, "naive", layout.plain(), bars);
      Load spread = load(tables, admin, "spread", layout, bars);
      // The tables are read alternately, twice: the first read warms the code up for the other.
      TableRun.Check firstNaive = check(naive, bars);
      TableRun.Check firstSpread = check(spread, bars);
      TableRun naiveRun = naive.with(firstNaive.or(check(naive, bars)));
      TableRun spreadRun = spread.with(firstSpread.or(check(spread, bars)));
      double seconds = (System.nanoTime() - start) / 1e9;
      return new DemoResult(
          source.name(), keys.records(), servers, plan, naiveRun, spreadRun, collisions, seconds);
    }
  }

  /**
   * Writes the records to both tables side by side in a loop, at a rate of about one minute per
   * pass, until interrupted.
   */
  public void writeOn(EmbeddedHBase hbase) throws IOException, InterruptedException {
    int perSecond = Math.max(100, keys.records() / 60);
    try (SpreadTables tables = SpreadTables.on(hbase.connection());
        SpreadMutator naive = tables.open(tableName("naive")).mutator();
        SpreadMutator spread = tables.open(tableName("spread")).mutator()) {
      long start = System.nanoTime();
      for (long written = 0; ; ) {
        try (RecordCursor cursor = source.open()) {
          while (cursor.next()) {
            Put put = cells.put(cursor);
            naive.put(put);
            spread.put(put);
            if (++written % (perSecond / 10) == 0) {
              naive.flush();
              spread.flush();
              long due = start + written * 1_000_000_000L / perSecond;
              TimeUnit.NANOSECONDS.sleep(Math.max(0, due - System.nanoTime()));
            }
          }
        }
      }
    }
  }

  private static TableName tableName(String name) {
    return TableName.valueOf("demo_" + name);
  }

  private record Load(SpreadTable table, WriteTrace trace, double seconds) {
    TableRun with(TableRun.Check check) {
      return new TableRun(table, trace, seconds, check);
    }
  }

  private Load load(
      SpreadTables tables, Admin admin, String name, Layout tableLayout, ProgressBars bars)
      throws IOException {
    SpreadTable table =
        tables.create(
            tableName(name), tableLayout, splits(tableLayout), List.of(RecordCells.FAMILY));
    long start = System.nanoTime();
    try (Progress bar = bars.begin("load " + name, keys.records())) {
      WriteTrace trace = TableRun.load(table, admin, source, cells, plan, keys.records(), bar::to);
      return new Load(table, trace, (System.nanoTime() - start) / 1e9);
    }
  }

  private TableRun.Check check(Load load, ProgressBars bars) throws IOException {
    String name = load.table.name().getQualifierAsString().replace("demo_", "");
    try (Progress bar = bars.begin("read " + name, keys.distinct().size())) {
      return TableRun.check(load.table, keys, cells, bar::to);
    }
  }

  /**
   * Splits between buckets, if the layout has any. Otherwise splits at the quantiles of the rows
   * that will be loaded: the best possible split, since it knows the data in advance.
   */
  private SplitPlan splits(Layout tableLayout) {
    if (tableLayout.spread().width() > 0) {
      return tableLayout.splits(plan.regions());
    }
    List<byte[]> rows = new ArrayList<>();
    keys.keys().forEach(key -> rows.add(tableLayout.physical(key)));
    rows.sort(Arrays::compareUnsigned);
    return SplitAlgorithm.bySample(RowSample.of(rows), Math.min(plan.regions(), rows.size()));
  }
}
