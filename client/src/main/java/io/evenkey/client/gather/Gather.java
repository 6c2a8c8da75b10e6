package io.evenkey.client.gather;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/**
 * Merges the scanners of the physical ranges of one read into one scanner in logical order.
 *
 * <p><b>Cost.</b> ⌈log₂ k⌉ key comparisons a row, no copy. The scanners are opened and read ahead
 * by whoever made them; the merge itself runs in the caller's thread. Not thread-safe.
 */
public final class Gather implements ResultScanner {
  private final List<ResultScanner> scanners;
  private final GatherOrder order;
  private final Heads heads;
  private final RowLimit limit;
  private boolean started;
  private boolean closed;
  private @Nullable ScanMetrics metrics;

  /** A merge of scanners, one for each range, which it will close. */
  public Gather(List<ResultScanner> scanners, GatherOrder order) {
    this.scanners = List.copyOf(scanners);
    this.order = order;
    this.heads = order.heads(scanners.size());
    this.limit = new RowLimit(scanners.isEmpty() ? 0 : order.mostRows());
  }

  @Override
  public @Nullable Result next() throws IOException {
    if (closed || limit.isReached()) {
      return null;
    }
    started = true;
    for (int wanted = heads.wanted(); wanted != Heads.NONE; wanted = heads.wanted()) {
      Result head = scanners.get(wanted).next();
      if (head != null && head.isCursor()) {
        byte[] position = heads.position(head.getCursor().getRow());
        if (position != null) {
          return Result.createCursorResult(GatherOrder.cursor(position));
        }
      } else {
        heads.put(head);
      }
    }
    Result first = heads.take();
    if (first == null || !limit.admits(first)) {
      limit.end();
      return null;
    }
    return order.toLogical().apply(first);
  }

  @Override
  public void close() {
    closed = true;
    scanners.forEach(ResultScanner::close);
  }

  /** Nothing to do while it is read: the scanners renew their leases by themselves. */
  @Override
  public boolean renewLease() {
    return started && !closed && !limit.isReached();
  }

  /**
   * The sums over all ranges, or null if the scan did not ask for metrics. Every call brings what
   * it returns, always the same object, up to date.
   */
  @Override
  public @Nullable ScanMetrics getScanMetrics() {
    List<ScanMetrics> ranges =
        scanners.stream().map(ResultScanner::getScanMetrics).filter(Objects::nonNull).toList();
    if (ranges.isEmpty()) {
      return null;
    }
    ScanMetrics sums = metrics == null ? new ScanMetrics() : metrics;
    metrics = sums;
    SummedMetrics.set(sums, ranges);
    return sums;
  }
}
