/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.failure.RangeScanException;
import io.evenkey.client.internal.gather.TimedScanner;
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
sealed class BlockingScanner implements ResultScanner {
  private final ResultScanner scanner;
  private final Scan scan;

  private BlockingScanner(ResultScanner scanner, Scan scan) {
    this.scanner = scanner;
    this.scan = scan;
  }

  /**
   * A scanner for a caller of a blocking table.
   *
   * @param scanner what it reads; it says since when it waits if this does
   * @param scan as the caller has it
   */
  static ResultScanner of(ResultScanner scanner, Scan scan) {
    return scanner instanceof TimedScanner timed
        ? new Timed(timed, scan)
        : new BlockingScanner(scanner, scan);
  }

  private static final class Timed extends BlockingScanner implements TimedScanner {
    private final TimedScanner timed;

    Timed(TimedScanner timed, Scan scan) {
      super(timed, scan);
      this.timed = timed;
    }

    @Override
    public long waitingSince() {
      return timed.waitingSince();
    }
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
