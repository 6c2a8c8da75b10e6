/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.demo;

import io.evenkey.client.ScanOptions;
import io.evenkey.client.SpreadMutator;
import io.evenkey.client.SpreadTable;
import io.evenkey.jobs.records.RecordCursor;
import io.evenkey.jobs.records.RecordSource;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.report.heat.counters.WriteTrace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;

/**
 * The measurements of one table.
 *
 * @param table the table
 * @param trace its writes
 * @param loadSeconds the duration of the load in seconds
 * @param check the result of reading the table back
 */
record TableRun(SpreadTable table, WriteTrace trace, double loadSeconds, Check check) {
  /**
   * A comparison of a table's rows with the expected ones.
   *
   * @param rows the number of rows read
   * @param merged whether the table returned them in logical order; otherwise they were sorted here
   * @param difference the first row that was wrong, or empty
   * @param seconds the duration of the read in seconds
   */
  record Check(int rows, boolean merged, String difference, double seconds) {
    boolean passed() {
      return difference.isEmpty();
    }

    /** This check if it failed, otherwise the other one. */
    Check or(Check other) {
      return passed() ? other : this;
    }
  }

  double serverSkew() {
    return trace.serverSkew();
  }

  double regionSkew() {
    return trace.regionSkew();
  }

  static WriteTrace load(
      SpreadTable table,
      Admin admin,
      RecordSource source,
      RecordCells cells,
      DemoPlan plan,
      int records,
      IntConsumer progress)
      throws IOException {
    WriteTrace trace = WriteTrace.of(admin, table.name());
    int windows = plan.windows(records);
    try (RecordCursor cursor = source.open();
        SpreadMutator mutator = table.mutator()) {
      for (int i = 1; cursor.next(); i++) {
        mutator.put(cells.put(cursor));
        boolean last = i == records;
        if (last || (i % plan.windowRecords() == 0 && trace.windows().size() < windows - 1)) {
          mutator.flush();
          trace.endWindow();
        }
        if (last || i % 256 == 0) {
          progress.accept(i);
        }
      }
    }
    return trace;
  }

  static Check check(
      SpreadTable table, RecordKeys expected, RecordCells cells, IntConsumer progress)
      throws IOException {
    long start = System.nanoTime();
    boolean merged = table.layout().scatter(KeyRange.all()).ordered();
    List<RecordKeys.Entry> found = new ArrayList<>();
    try (ResultScanner rows =
        merged ? table.scan(KeyRange.all(), ScanOptions.all()) : table.scanStored()) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        found.add(new RecordKeys.Entry(row.getRow(), found.size(), cells.checksum(row)));
        if (found.size() % 256 == 0) {
          progress.accept(found.size());
        }
      }
    }
    progress.accept(found.size());
    double seconds = (System.nanoTime() - start) / 1e9;
    if (!merged) {
      found.sort((a, b) -> Arrays.compareUnsigned(a.key(), b.key()));
    }
    return new Check(found.size(), merged, difference(table, found, expected), seconds);
  }

  private static String difference(
      SpreadTable table, List<RecordKeys.Entry> found, RecordKeys expected) {
    List<RecordKeys.Entry> all = expected.sorted();
    int at = 0;
    for (RecordKeys.Entry row : found) {
      if (at == all.size() || !Arrays.equals(all.get(at).key(), row.key())) {
        return "unexpected row, or row out of order: " + table.layout().decodeLogical(row.key());
      }
      boolean asWritten = false;
      for (int group = at;
          at < all.size() && Arrays.equals(all.get(group).key(), all.get(at).key());
          at++) {
        asWritten |= all.get(at).checksum() == row.checksum();
      }
      if (!asWritten) {
        return "row with other values: " + table.layout().decodeLogical(row.key());
      }
    }
    return at == all.size()
        ? ""
        : "row missing: " + table.layout().decodeLogical(all.get(at).key());
  }
}
