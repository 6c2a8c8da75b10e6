/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import io.evenkey.client.internal.setting.Setting;
import io.evenkey.client.internal.trace.OperationSpan;
import java.io.IOException;
import java.lang.ref.Reference;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.jspecify.annotations.Nullable;

/**
 * Merges the scans of the physical ranges of one read into one scanner in logical order.
 *
 * <p><b>Cost.</b> ⌈log₂ k⌉ key comparisons a row, no copy. The ranges are read ahead in HBase's
 * threads; the merge itself runs in the caller's.
 *
 * <p>Region servers hold scanners for it until it is read to its end or closed, and while it is not
 * read, no longer than {@link Setting#SCAN_IDLE} says: then they are closed, and opened again
 * behind the last row that came when it is read on. One that is garbage is closed. Not thread-safe.
 */
public final class Gather implements TimedScanner {
  /**
   * Configuration key: for how many milliseconds an application may ask for no row before the
   * scanners on region servers are closed; 0 for never.
   */
  public static final String IDLE = Setting.SCAN_IDLE.key();

  /**
   * Configuration key: whether region servers are asked to gather short scans, and the first rows
   * of scans of many ranges; {@code true} unless set.
   */
  public static final String ON_SERVERS = Setting.SCAN_SERVERS.key();

  private final Merge merge;
  private final MergeCloser ending;
  private @Nullable Result ahead;
  private @Nullable Time first;
  private boolean started;
  private boolean closed;

  private Gather(TableName table, Merge merge) {
    this.merge = merge;
    this.ending = new MergeCloser(this, table, merge);
  }

  /**
   * Starts the scans of all ranges.
   *
   * @param ranges with one scan for each range, each saying how large an answer may be: about twice
   *     that is held of each range
   * @param span of the whole scan; ends with it
   * @throws IOException if further ranges have to be computed, and the scan cannot be had
   */
  public static TimedScanner of(
      AsyncTable<AdvancedScanResultConsumer> table,
      ScanRanges ranges,
      GatherOrder order,
      OperationSpan span)
      throws IOException {
    Gathering gathering = Gathering.of(table, ranges.known(), order);
    if (gathering == Gathering.ON_SERVERS) {
      return new ShortScan(table, ranges, order, span);
    }
    return ranges.hasRest() && gathering.isShortByClient()
        ? new PartedScan(table, ranges, order, span)
        : merged(table, ranges.all(), order, span, gathering);
  }

  /** Starts the scans of all these ranges, which the client merges. */
  static TimedScanner merged(
      AsyncTable<AdvancedScanResultConsumer> table,
      List<Scan> scans,
      GatherOrder order,
      OperationSpan span,
      Gathering gathering) {
    Merge merge = new Merge(table, scans, gathering.order(order), span, () -> {});
    merge.start(gathering);
    return new Gather(table.getName(), merge);
  }

  @Override
  public @Nullable Result next() throws IOException {
    started = true;
    try {
      while (!closed) {
        Result row = next(merge);
        if (row != null) {
          first = null;
          return row;
        }
        if (merge.isEnded()) {
          close();
          return null;
        }
        RangeBuffer waitingFor = merge.waitingFor();
        await(waitingFor);
        Throwable failure = waitingFor.failure();
        if (failure != null) {
          merge.span().fail(failure);
          close();
          throw FutureUtils.rethrow(failure);
        }
        if (waitingFor.pollHeartbeat()) {
          first = null;
          Result cursor = cursor(waitingFor.cursor());
          if (cursor != null) {
            return cursor;
          }
        }
      }
      return null;
    } finally {
      // A caller that keeps the row only must not have its scan ended while it waits for that.
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public void boundFirst(Time time) {
    first = time;
  }

  private @Nullable Result next(Merge rows) {
    Result row = ahead == null ? rows.next() : ahead;
    ahead = null;
    return row;
  }

  private void await(RangeBuffer waitingFor) throws IOException {
    merge.idle().awaits(true);
    try {
      waitingFor.await(first);
    } catch (IOException e) {
      if (!Thread.currentThread().isInterrupted()) {
        // Too late.
        merge.span().fail(e);
        close();
      }
      throw e;
    } finally {
      merge.idle().awaits(false);
    }
  }

  private @Nullable Result cursor(@Nullable Cursor physical) {
    byte[] position = physical == null ? null : merge.position(physical.getRow());
    return position == null ? null : Result.createCursorResult(GatherOrder.cursor(position));
  }

  @Override
  public void close() {
    closed = true;
    try {
      ending.now();
      merge.span().end();
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Counts as reading; the scanners renew their leases by themselves while it is read.
   *
   * @return false if it is not read yet, or is known to have been read to its end
   */
  @Override
  public boolean renewLease() {
    merge.idle().asked();
    if (!started || closed) {
      return false;
    }
    ahead = next(merge);
    return ahead != null || !merge.isEnded();
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
