/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.failure.RangeScanException;
import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.jspecify.annotations.Nullable;

/**
 * A scanner that ends as those of HBase's blocking tables do. It leaves its metrics in the caller's
 * scan, where HBase's older way of asking, {@link Scan#getScanMetrics}, looks for them. When all
 * tries are used up and a region server has refused the last one for its scanner's sake, that is
 * what it throws. Not thread-safe.
 */
@SuppressWarnings("deprecation") // the older way is what this is for
final class BlockingScanner implements ResultScanner {
  private final ResultScanner scanner;
  private final Scan scan;

  BlockingScanner(ResultScanner scanner, Scan scan) {
    this.scanner = scanner;
    this.scan = scan;
  }

  @Override
  public @Nullable Result next() throws IOException {
    Result row;
    try {
      row = scanner.next();
    } catch (RangeScanException e) {
      if (e.getCause() instanceof DoNotRetryIOException refusal) {
        refusal.addSuppressed(new IOException(e.getMessage()));
        throw refusal;
      }
      throw e;
    }
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
    ScanMetrics metrics = scan.isScanMetricsEnabled() ? scanner.getScanMetrics() : null;
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
