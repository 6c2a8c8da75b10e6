/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.metrics.RefusalCounts;
import io.evenkey.client.internal.route.Generation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.QueryMetricsSetting;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.jspecify.annotations.Nullable;

/**
 * The reads of an application from the table of an index. What is stored there are entries, some of
 * them without their rows; the application reads the rows, under the keys of their entries. A read
 * that needs more than that is rejected with an error that names it. Thread-safe.
 */
final class IndexTableReads {
  private final Generation table;
  private final RowsOfEntries rows;

  private IndexTableReads(Generation table, RowsOfEntries rows) {
    this.table = table;
    this.rows = rows;
  }

  /**
   * The reads of a table.
   *
   * @param rows null if entries are read as they are stored
   * @return null if the table is read as it is stored
   */
  static @Nullable IndexTableReads of(Generation table, @Nullable RowsOfEntries rows) {
    return rows == null || table.indexed() == null ? null : new IndexTableReads(table, rows);
  }

  /** Reads a row. */
  CompletableFuture<Result> getLater(Get get) {
    CompletableFuture<List<Result>> all;
    try {
      all = all(scan(get));
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
    return Futures.map(all, found -> answer(get, found.isEmpty() ? null : found.get(0)));
  }

  /**
   * The gets that a batch is of.
   *
   * @throws IndexRefusedException if it has another action
   */
  List<Get> gets(List<? extends Row> actions) throws IndexRefusedException {
    List<Get> gets = new ArrayList<>(actions.size());
    for (Row action : actions) {
      if (!(action instanceof Get get)) {
        throw refused("action=" + action.getClass().getSimpleName(), "write to the indexed table");
      }
      gets.add(get);
    }
    return gets;
  }

  ResultScanner scanner(Scan scan) throws IOException {
    check(scan);
    return rows.open(table, PhysicalScans.range(scan), scan);
  }

  CompletableFuture<ResultScanner> scannerLater(Scan scan) throws IOException {
    check(scan);
    return rows.opening(table, PhysicalScans.range(scan), scan);
  }

  CompletableFuture<Flow.Publisher<Result>> publisher(Scan scan) throws IOException {
    check(scan);
    return rows.publisher(table, PhysicalScans.range(scan), scan);
  }

  private CompletableFuture<List<Result>> all(Scan scan) throws IOException {
    CollectedRows all = new CollectedRows();
    ConsumedRows.begin(publisher(scan), all);
    return all.rows();
  }

  private static Scan scan(Get get) {
    return new Scan(get).setLimit(1);
  }

  private static Result answer(Get get, @Nullable Result row) {
    if (get.isCheckExistenceOnly()) {
      return Result.create(List.<Cell>of(), row != null);
    }
    return row == null ? Result.EMPTY_RESULT : row;
  }

  /**
   * Checks that a read is one of rows as they are now.
   *
   * @throws IndexRefusedException if it is not
   */
  private void check(Scan scan) throws IndexRefusedException {
    String option = null;
    if (scan.hasFilter()) {
      option = "filter";
    } else if (scan.getMaxVersions() != 1) {
      option = "versions";
    } else if (!scan.getTimeRange().isAllTime() || !scan.getColumnFamilyTimeRange().isEmpty()) {
      option = "time_range";
    } else if (scan.getBatch() > 0) {
      option = "batch";
    } else if (scan.getMaxResultsPerColumnFamily() >= 0 || scan.getRowOffsetPerColumnFamily() > 0) {
      option = "results_per_family";
    } else if (scan.isRaw()) {
      option = "raw";
    } else if (scan.getConsistency() != Consistency.STRONG) {
      // What is compared is a row and its entry, which two replicas have of two moments.
      option = "consistency";
    } else if (scan.getReplicaId() >= 0) {
      option = "replica";
    } else if (scan.isNeedCursorResult()) {
      option = "cursor";
    } else if (QueryMetricsSetting.isIn(scan)) {
      option = "query_metrics";
    } else if (JobSplit.of(scan.getStopRow()) != null) {
      option = "split_of_job";
    }
    if (option != null) {
      throw refused("option=" + option, "leave it out, or read the indexed table");
    }
  }

  /** The refusal of a call of a coprocessor, which would read entries as they are stored. */
  IndexRefusedException coprocessor() {
    return refused("call=coprocessor", "call it on the indexed table");
  }

  private IndexRefusedException refused(String what, String remedy) {
    RefusalCounts.count("index-table");
    return IndexRefusedException.of(
        table.table(),
        "operation that cannot be done on the table of an index",
        "index_of=" + table.indexed() + " " + what,
        remedy);
  }
}
