/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.split;

import io.evenkey.protocol.guard.GuardAttributes;
import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * The number of rows of a table: counted if they are few, else from its size and the first rows.
 * Immutable.
 *
 * @param rows the number
 * @param isExact whether they were counted
 */
public record RowEstimate(long rows, boolean isExact) {
  private static final int COUNTED = 20_000;
  private static final int CACHING = 1_000;
  private static final double MEGABYTE = 1 << 20;

  /**
   * Estimates.
   *
   * @param plain a connection to which rows are what is stored
   * @param megabytes the size of the table before compression
   */
  public static RowEstimate of(Connection plain, TableName table, double megabytes)
      throws IOException {
    Scan scan = new Scan().setCacheBlocks(false).setCaching(CACHING).setLimit(COUNTED);
    scan.setAttribute(GuardAttributes.RAW, GuardAttributes.number(1));
    long rows = 0;
    long bytes = 0;
    try (Table from = plain.getTable(table);
        ResultScanner scanner = from.getScanner(scan)) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        rows++;
        for (Cell cell : row.rawCells()) {
          bytes += PrivateCellUtil.estimatedSerializedSizeOf(cell);
        }
      }
    }
    return rows < COUNTED
        ? new RowEstimate(rows, true)
        : new RowEstimate(Math.max(rows, Math.round(megabytes * MEGABYTE * rows / bytes)), false);
  }
}
