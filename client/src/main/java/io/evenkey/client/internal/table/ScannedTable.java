/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.trace.OperationSpan;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.TableSpans;

/**
 * A stored table to scan.
 *
 * @param table for scans that read ahead
 * @param spans the trace spans of its scans
 */
public record ScannedTable(AsyncTable<AdvancedScanResultConsumer> table, TableSpans spans) {
  /**
   * A stored table with the timeouts of its connection.
   *
   * @param plain HBase's own connection, to which rows are what is stored
   */
  public static ScannedTable of(AsyncConnection plain, TableName table, TableSpans spans) {
    return new ScannedTable(
        plain.getTableBuilder(table).setMaxAttempts(AsyncScans.AT_ONE_SERVER).build(), spans);
  }

  /** Starts the span of a scan of this number of ranges, under the table's name for callers. */
  public OperationSpan span(TableName name, int ranges) {
    return OperationSpan.of(spans.scan(name, ranges));
  }
}
