package io.evenkey.client.table;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.jspecify.annotations.Nullable;

/**
 * A scanner that leaves its metrics in the caller's scan when it ends, where HBase's older way of
 * asking, {@link Scan#getScanMetrics}, looks for them. Not thread-safe.
 */
@SuppressWarnings("deprecation") // the older way is what this is for
final class MeasuredScanner implements ResultScanner {
  private final ResultScanner scanner;
  private final Scan scan;

  MeasuredScanner(ResultScanner scanner, Scan scan) {
    this.scanner = scanner;
    this.scan = scan;
  }

  @Override
  public @Nullable Result next() throws IOException {
    Result row = scanner.next();
    if (row == null) {
      publish();
    }
    return row;
  }

  @Override
  public void close() {
    publish();
    scanner.close();
  }

  private void publish() {
    ScanMetrics metrics = scanner.getScanMetrics();
    if (metrics != null) {
      scan.setAttribute(
          Scan.SCAN_ATTRIBUTES_METRICS_DATA,
          ProtobufUtil.toScanMetrics(metrics, false).toByteArray());
    }
  }

  @Override
  public boolean renewLease() {
    return scanner.renewLease();
  }

  @Override
  public @Nullable ScanMetrics getScanMetrics() {
    return scanner.getScanMetrics();
  }
}
