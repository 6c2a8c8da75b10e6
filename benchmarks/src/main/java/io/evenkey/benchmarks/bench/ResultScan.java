/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/** Reads an HBase scanner whose rows are the keys. */
final class ResultScan implements RowScan {
  private final ResultScanner scanner;

  ResultScan(ResultScanner scanner) {
    this.scanner = scanner;
  }

  @Override
  public long next() throws IOException {
    Result row = scanner.next();
    return row == null ? END : mixed(row, 0);
  }

  /** See {@link RowScan#mixed}, of a row whose key begins at an offset. */
  static long mixed(Result row, int keyOffset) {
    Cell cell = row.rawCells()[0];
    int from = cell.getRowOffset();
    return RowScan.mixed(
        cell.getRowArray(), from + keyOffset, from + cell.getRowLength(), cell.getValueLength());
  }

  @Override
  public @Nullable ScanMetrics metrics() {
    return scanner.getScanMetrics();
  }

  @Override
  public void close() {
    scanner.close();
  }
}
