package io.evenkey.client.gather;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.jspecify.annotations.Nullable;

/**
 * Merges the scans of the physical ranges of one read into one scanner in logical order.
 *
 * <p><b>Cost.</b> ⌈log₂ k⌉ key comparisons a row, no copy. The ranges are read ahead in HBase's
 * threads; the merge itself runs in the caller's. Not thread-safe.
 */
public final class Gather implements ResultScanner {
  private final Merge merge;
  private boolean started;
  private boolean closed;

  private Gather(Merge merge) {
    this.merge = merge;
  }

  /**
   * Starts the scans of all ranges.
   *
   * @param scans one for each range, each saying how large an answer may be: about twice that is
   *     held of each range
   */
  public static ResultScanner of(
      AsyncTable<AdvancedScanResultConsumer> table, List<Scan> scans, GatherOrder order) {
    Merge merge = new Merge(table, scans, order, () -> {});
    merge.start();
    return new Gather(merge);
  }

  @Override
  public @Nullable Result next() throws IOException {
    started = true;
    while (!closed) {
      Result row = merge.next();
      if (row != null || merge.isEnded()) {
        return row;
      }
      Feed waitingFor = merge.waitingFor();
      waitingFor.await();
      Throwable failure = waitingFor.failure();
      if (failure != null) {
        close();
        throw FutureUtils.rethrow(failure);
      }
      Result cursor = waitingFor.pollHeartbeat() ? cursor(waitingFor.cursor()) : null;
      if (cursor != null) {
        return cursor;
      }
    }
    return null;
  }

  private @Nullable Result cursor(@Nullable Cursor physical) {
    byte[] position = physical == null ? null : merge.position(physical.getRow());
    return position == null ? null : Result.createCursorResult(GatherOrder.cursor(position));
  }

  @Override
  public void close() {
    closed = true;
    merge.close();
  }

  /** Nothing to do while it is read: the scanners renew their leases by themselves. */
  @Override
  public boolean renewLease() {
    return started && !closed && !merge.isEnded();
  }

  /**
   * The sums over all ranges, or null if the scan did not ask for metrics. Every call brings what
   * it returns, always the same object, up to date.
   */
  @Override
  public @Nullable ScanMetrics getScanMetrics() {
    return merge.metrics();
  }
}
