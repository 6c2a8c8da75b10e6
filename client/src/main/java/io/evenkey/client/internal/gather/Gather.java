/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import io.evenkey.client.internal.setting.Setting;
import io.evenkey.client.internal.trace.OperationSpan;
import java.io.IOException;
import java.lang.ref.Reference;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.jspecify.annotations.Nullable;

/**
 * Reads the physical ranges of one scan as one scanner in logical order, by a {@link ScanStrategy}.
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

  private final ScanStrategy strategy;
  private final ScanWait wait;
  private final OperationSpan span;
  private final ScanCloser ending;
  private @Nullable Result ahead;
  private @Nullable Time first;
  private boolean started;
  private boolean closed;

  private Gather(
      TableName table,
      ScanStrategy strategy,
      ScanWait wait,
      OperationSpan span,
      @Nullable Time first) {
    this.strategy = strategy;
    this.wait = wait;
    this.span = span;
    this.first = first;
    this.ending = new ScanCloser(this, table, strategy, span);
  }

  /**
   * Starts the scans of all ranges.
   *
   * @param ranges with one scan for each range, each saying how large an answer may be: about twice
   *     that is held of each range
   * @param span of the whole scan; ends with it
   * @param first for how long the reader waits until region servers have sent a row, or have said
   *     that they go on to look for one; null for no limit. A scan that goes on may take as long as
   *     it likes
   * @throws IOException if further ranges have to be computed, and the scan cannot be had
   */
  public static TimedScanner of(
      AsyncTable<AdvancedScanResultConsumer> table,
      ScanRanges ranges,
      GatherOrder order,
      OperationSpan span,
      @Nullable Time first)
      throws IOException {
    ScanWait wait = ScanWait.of(table);
    // Waits where it reads, and needs no news.
    ScanContext context = new ScanContext(table, span, () -> {}, wait);
    ScanStrategy strategy = ScanStrategy.of(context, ranges, order);
    strategy.start();
    return new Gather(table.getName(), strategy, wait, span, first);
  }

  @Override
  public @Nullable Result next() throws IOException {
    started = true;
    boolean waits = false;
    try {
      while (!closed) {
        Result row = take();
        if (row != null) {
          first = null;
          return row;
        }
        if (strategy.isEnded()) {
          close();
          return null;
        }
        if (!waits) {
          wait.begin();
          waits = true;
        }
        if (await()) {
          first = null;
        }
        Result cursor = lookAtRange();
        if (cursor != null) {
          return cursor;
        }
      }
      return null;
    } finally {
      // A caller that keeps the row only must not have its scan ended while it waits for that.
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public long waitingSince() {
    return wait.since();
  }

  private @Nullable Result take() throws IOException {
    Result row = ahead;
    ahead = null;
    try {
      return row == null ? strategy.next() : row;
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private <E extends Throwable> E failed(E failure) {
    span.fail(failure);
    close();
    return failure;
  }

  private boolean await() throws IOException {
    strategy.awaits(true);
    try {
      return strategy.await(Time.lesser(first, time()));
    } catch (IOException e) {
      // Otherwise too late.
      throw Thread.currentThread().isInterrupted() ? e : failed(e);
    } finally {
      strategy.awaits(false);
    }
  }

  private @Nullable Time time() {
    return wait.isBounded() ? new Time(wait::leftMs, () -> wait.late(strategy.survived())) : null;
  }

  /** Fails as the range does that the merge waits for; its cursor, if it has sent one. */
  private @Nullable Result lookAtRange() throws IOException {
    Merge merge = strategy.merge();
    if (merge == null) {
      return null;
    }
    Throwable failure = merge.failure();
    if (failure != null) {
      throw FutureUtils.rethrow(failed(failure));
    }
    Merge.Heartbeat heartbeat = merge.heartbeat();
    if (heartbeat == null) {
      return null;
    }
    first = null;
    return heartbeat.cursor() == null ? null : Result.createCursorResult(heartbeat.cursor());
  }

  @Override
  public void close() {
    closed = true;
    try {
      ending.now();
      span.end();
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Counts as reading; the scanners renew their leases by themselves while it is read.
   *
   * @return false if it is not read yet, has no scanner on region servers, or is known to have been
   *     read to its end
   */
  @Override
  public boolean renewLease() {
    Merge merge = strategy.merge();
    if (merge == null) {
      return false;
    }
    merge.idle().asked();
    if (!started || closed) {
      return false;
    }
    try {
      ahead = ahead == null ? strategy.next() : ahead;
    } catch (IOException e) {
      // The next row is asked for again, and fails too.
      return false;
    }
    return ahead != null || !strategy.isEnded();
  }

  /**
   * The sums over all ranges, or null if the scan did not ask for metrics. Every call brings what
   * it returns, always the same object, up to date.
   */
  @Override
  public @Nullable ScanMetrics getScanMetrics() {
    Merge merge = strategy.merge();
    return merge == null ? null : merge.metrics();
  }
}
