/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.trace.OperationSpan;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.TableSpans;

/**
 * A stored table to scan.
 *
 * @param table for scans that read ahead
 * @param spans the trace spans of its scans
 */
public record ScannedTable(AsyncTable<AdvancedScanResultConsumer> table, TableSpans spans) {
  /**
   * A stored table.
   *
   * @param plain HBase's own connection, to which rows are what is stored
   * @param settings of the table that an application has opened; the number of attempts is small
   *     unless they name one
   */
  public static ScannedTable of(
      AsyncConnection plain, TableName table, TableSpans spans, CallSettings settings) {
    AsyncTableBuilder<AdvancedScanResultConsumer> builder =
        plain.getTableBuilder(table).setMaxAttempts(AsyncScans.AT_ONE_SERVER);
    settings.to(builder);
    return new ScannedTable(builder.build(), spans);
  }

  /** Starts the span of a scan of this number of ranges, under the table's name for callers. */
  public OperationSpan span(TableName name, int ranges) {
    return OperationSpan.of(spans.scan(name, ranges));
  }
}
