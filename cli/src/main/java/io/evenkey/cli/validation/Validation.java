/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.validation;

import io.evenkey.advisor.Advice;
import io.evenkey.advisor.ClientChoice;
import io.evenkey.advisor.IndexedTable;
import io.evenkey.advisor.ProposedIndex;
import io.evenkey.advisor.QueryAccess;
import io.evenkey.advisor.evaluate.Evaluation;
import io.evenkey.advisor.evaluate.ParsedColumns;
import io.evenkey.advisor.evaluate.QueryFigures;
import io.evenkey.advisor.evaluate.Replay;
import io.evenkey.advisor.evaluate.SampledQuery;
import io.evenkey.advisor.query.Query;
import io.evenkey.advisor.sample.Sample;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.failure.UnorderedScanException;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.row.RowMapping;
import io.evenkey.client.plan.NewTable;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.client.select.Selection;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.jobs.index.IndexAddition;
import io.evenkey.jobs.index.IndexListener;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.index.ColumnName;
import io.evenkey.report.heat.counters.WriteTrace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.client.metrics.ServerSideScanMetrics;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Loads a sample under a layout into a real HBase and runs the queries; of the proposed table with
 * its indexes too.
 */
public final class Validation {
  /** Queries that read more rows than this are run a few times only: each run reads the same. */
  private static final double MANY_ROWS = 20_000;

  private static final int FEW = 2;
  private static final byte[] FAMILY = Bytes.toBytes("d");

  private Validation() {}

  /**
   * A prediction and HBase's count.
   *
   * @param what the figure's name
   * @param predicted the advisor's figure
   * @param counted the figure by the region servers' counters
   */
  public record Line(String what, double predicted, double counted) {
    /** The error of the prediction, as a share of the count. */
    public double error() {
      return counted == 0 ? Math.abs(predicted) : Math.abs(predicted - counted) / counted;
    }
  }

  /**
   * Compares the predictions for a layout with an HBase that has the advice's number of servers.
   *
   * @param progress is called with the number of rows loaded
   */
  public static List<Line> of(
      EmbeddedHBase hbase, Advice advice, Advice.Ranked ranked, int number, LongConsumer progress)
      throws IOException {
    Layout layout = ranked.evaluation().candidate().layout();
    IndexedTable proposed = advice.proposed();
    List<ProposedIndex> indexes = ranked.equals(proposed.table()) ? proposed.indexes() : List.of();
    Sample sample = advice.sample().numbered();
    ParsedColumns parsed = new ParsedColumns(sample);
    Replay replay = new Replay(layout, parsed, advice.workload().servers());
    List<Line> lines = new ArrayList<>();
    try (SpreadTables tables = SpreadTables.on(hbase.connection());
        Admin admin = hbase.connection().getAdmin()) {
      admin.balancerSwitch(false, true);
      TableName name = TableName.valueOf("advice_" + number);
      SpreadTable table =
          tables.create(
              new NewTable(
                  TableLayout.with(
                      TableDescriptorBuilder.newBuilder(name)
                          .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                          .build(),
                      layout),
                  replay.splits(),
                  List.of()));
      int window = ranked.evaluation().writes().windowRecords();
      Set<ColumnName> columns = new LinkedHashSet<>();
      indexes.forEach(index -> columns.addAll(index.index().columnNames()));
      IntFunction<Put> record = at -> put(replay.row(at), sample, columns, at);
      SampleLoad load = new SampleLoad(sample.size(), window, progress);
      WriteTrace trace = load(hbase.connection(), admin, table, record, load);
      List<ServerName> servers = new ArrayList<>(admin.getRegionServers());
      double predicted = TableRegions.of(hbase.connection(), name, servers).skew(replay, window);
      lines.add(new Line("skew", predicted, trace.serverSkew()));
      List<SampledQuery> asked = Evaluation.asked(advice.workload(), sample, advice.seed());
      for (int q = 0; q < asked.size(); q++) {
        QueryFigures figures = ranked.evaluation().queries().get(q);
        Line line = query(table, null, sample, asked.get(q), figures, q + 1);
        if (line != null) {
          lines.add(line);
        }
      }
      for (ProposedIndex index : indexes) {
        new IndexAddition(name, index.index(), 0, 0)
            .run(hbase.connection(), Registry.open(hbase.configuration()), IndexListener.NONE);
      }
      if (!indexes.isEmpty()) {
        lines.addAll(
            IndexWritesValidation.of(
                hbase.connection(),
                name,
                indexes,
                parsed,
                servers,
                at -> put(layout.logical(replay.row(at)), sample, columns, at),
                load));
      }
      for (int q = 0; q < asked.size() && !indexes.isEmpty(); q++) {
        QueryAccess access = proposed.queries().get(q);
        if (access.index() != null && access.entries() != null) {
          Line line = query(table, access.index(), sample, asked.get(q), access.entries(), q + 1);
          if (line != null) {
            lines.add(line);
          }
        }
      }
      for (int q = 0; q < asked.size() && !indexes.isEmpty(); q++) {
        lines.add(choices(table, proposed, asked.get(q), q));
      }
      admin.disableTable(name);
      admin.deleteTable(name);
      for (ProposedIndex index : indexes) {
        TableName entries = IndexWritesValidation.entriesTable(index, name);
        admin.disableTable(entries);
        admin.deleteTable(entries);
      }
    }
    return lines;
  }

  private static Put put(byte[] row, Sample sample, Set<ColumnName> columns, int record) {
    Put put = new Put(row).addColumn(FAMILY, FAMILY, FAMILY);
    for (ColumnName column : columns) {
      String text = sample.column(column.qualifier()).text(record);
      put.addColumn(column.familyBytes(), column.qualifierBytes(), Bytes.toBytes(text));
    }
    return put;
  }

  private static WriteTrace load(
      Connection plain, Admin admin, SpreadTable table, IntFunction<Put> record, SampleLoad load)
      throws IOException {
    WriteTrace trace = WriteTrace.of(admin, table.name());
    RowMapping rows = RowMapping.of(table.layout());
    try (BufferedMutator mutator = plain.getBufferedMutator(table.name())) {
      load.run(
          new SampleLoad.Writer() {
            @Override
            public void write(int number) throws IOException {
              mutator.mutate(rows.stamped(record.apply(number)));
            }

            @Override
            public void flush() throws IOException {
              mutator.flush();
            }
          },
          List.of(trace));
    }
    return trace;
  }

  /**
   * Compares the keys by which the client reads instances, in the table's order and in any, with
   * the advice.
   */
  private static Line choices(
      SpreadTable table, IndexedTable proposed, SampledQuery asked, int number) throws IOException {
    ClientChoice choice = ClientChoice.of(proposed);
    QueryAccess access = proposed.queries().get(number);
    ProposedIndex used = access.index();
    Layout layout = used == null ? table.layout() : used.evaluation().candidate().layout();
    int choices = 0;
    int same = 0;
    int tried = access.table().instances().size();
    for (SampledQuery.Instance instance : asked.instances().subList(0, tried)) {
      String where = Evaluation.where(layout, instance);
      for (boolean anyOrder : new boolean[] {false, true}) {
        Selection rows = where == null ? table.select() : table.select().where(where);
        rows = anyOrder ? rows.anyOrder() : rows;
        String read =
            choice
                .of(where, anyOrder)
                .map(index -> index.index().name())
                .orElse(table.name().getNameAsString());
        choices++;
        same += rows.explain().choice().chosen().name().equals(read) ? 1 : 0;
      }
    }
    return new Line("Q" + (number + 1) + " choices of the client", choices, same);
  }

  private static @Nullable Line query(
      SpreadTable table,
      @Nullable ProposedIndex index,
      Sample sample,
      SampledQuery asked,
      QueryFigures figures,
      int number)
      throws IOException {
    Query query = asked.query();
    Layout layout = index == null ? table.layout() : index.evaluation().candidate().layout();
    boolean ordered = Evaluation.hasOrder(layout, query, sample);
    List<Double> each = figures.instances();
    int tried = figures.rowsRead() > MANY_ROWS ? Math.min(FEW, each.size()) : each.size();
    double predicted = 0;
    double counted = 0;
    for (int i = 0; i < tried; i++) {
      Selection rows =
          index == null
              ? table
                  .select()
                  .filter(new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter()))
                  .measured()
              : table.select().by(index.index().name()).measured();
      String where = Evaluation.where(layout, asked.instances().get(i));
      rows = where == null ? rows : rows.where(where);
      rows = query.limit() > 0 && ordered ? rows.limit(query.limit()) : rows;
      rows = figures.backwards() ? rows.reversed() : rows;
      try (KeyedRows open = rows.open()) {
        KeyedRow row = open.next();
        while (row != null) {
          row = open.next();
        }
        predicted += each.get(i);
        counted +=
            Objects.requireNonNull(open.metrics())
                .getMetricsMap(false)
                .getOrDefault(ServerSideScanMetrics.COUNT_OF_ROWS_SCANNED_KEY_METRIC_NAME, 0L);
      } catch (UnorderedScanException e) {
        // The layout has no order for this many ranges; an application would read in physical
        // order.
        return null;
      }
    }
    String what = index == null ? " rows read" : " entries of " + index.index().name() + " read";
    return new Line("Q" + number + what, predicted / tried, counted / tried);
  }
}
