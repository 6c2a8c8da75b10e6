/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.validation;

import io.evenkey.advisor.ProposedIndex;
import io.evenkey.advisor.evaluate.ParsedColumns;
import io.evenkey.advisor.evaluate.Replay;
import io.evenkey.client.SpreadMutator;
import io.evenkey.client.SpreadTables;
import io.evenkey.report.heat.counters.WriteTrace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;

/** The cost of a table's indexes when its records are written, predicted and counted. */
final class IndexWritesValidation {
  private IndexWritesValidation() {}

  /**
   * Writes the records of a table once more, as an application does, and compares what the tables
   * of its indexes get.
   *
   * @param servers as many as the advice has
   * @param record the row of a record, by its logical key
   */
  static List<Validation.Line> of(
      Connection plain,
      TableName name,
      List<ProposedIndex> indexes,
      ParsedColumns columns,
      List<ServerName> servers,
      IntFunction<Put> record,
      SampleLoad load)
      throws IOException {
    List<WriteTrace> traces = new ArrayList<>();
    try (Admin admin = plain.getAdmin();
        // Opened now: it knows the indexes.
        SpreadTables tables = SpreadTables.on(plain)) {
      for (ProposedIndex index : indexes) {
        traces.add(WriteTrace.of(admin, entriesTable(index, name)));
      }
      try (SpreadMutator mutator = tables.open(name).mutator()) {
        load.run(writer(mutator, record), traces);
      }
    }
    List<Validation.Line> lines = new ArrayList<>();
    for (int i = 0; i < indexes.size(); i++) {
      ProposedIndex index = indexes.get(i);
      TableName entries = entriesTable(index, name);
      String of = " of " + index.index().name();
      WriteTrace trace = traces.get(i);
      lines.add(
          new Validation.Line(
              "writes" + of, load.records(), Arrays.stream(trace.totalByServer()).sum()));
      Replay replay = new Replay(index.evaluation().candidate().layout(), columns, servers.size());
      double skew = TableRegions.of(plain, entries, servers).skew(replay, load.window());
      lines.add(new Validation.Line("skew" + of, skew, trace.serverSkew()));
      lines.add(
          new Validation.Line(
              "bytes of a key" + of, index.evaluation().keyBytes(), keyBytes(plain, entries)));
    }
    return lines;
  }

  static TableName entriesTable(ProposedIndex index, TableName table) {
    return TableName.valueOf(index.index().tableName(table.getNameAsString()));
  }

  private static SampleLoad.Writer writer(SpreadMutator mutator, IntFunction<Put> record) {
    return new SampleLoad.Writer() {
      @Override
      public void write(int number) throws IOException {
        mutator.put(record.apply(number));
      }

      @Override
      public void flush() throws IOException {
        mutator.flush();
      }
    };
  }

  /** The mean of the table's rows. */
  private static double keyBytes(Connection plain, TableName entries) throws IOException {
    long rows = 0;
    long bytes = 0;
    Scan scan = new Scan().setFilter(new FirstKeyOnlyFilter());
    try (Table table = plain.getTable(entries);
        ResultScanner scanner = table.getScanner(scan)) {
      for (Result row : scanner) {
        rows++;
        bytes += row.getRow().length;
      }
    }
    return (double) bytes / rows;
  }
}
