package io.evenkey.client.table;

import io.evenkey.client.trace.OperationSpan;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.TableSpans;

/**
 * A stored table to scan.
 *
 * @param table for scans that read ahead
 * @param spans what its scans are traced by
 */
public record ScannedTable(AsyncTable<AdvancedScanResultConsumer> table, TableSpans spans) {
  /** Starts the span of a scan in so many ranges of the table that has this name for callers. */
  public OperationSpan span(TableName name, int ranges) {
    return OperationSpan.of(spans.scan(name, ranges));
  }
}
