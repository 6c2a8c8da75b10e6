/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import io.evenkey.client.internal.trace.OperationSpan;
import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges the scans of the physical ranges of one read, and tells an observer of the rows in logical
 * order. No thread ever waits: whichever of HBase's threads brings what was missing merges what can
 * be merged then, and calls the observer, never two at once.
 *
 * <p>An observer that suspends the scan is not called until it resumes; the ranges fill up and are
 * suspended in turn, and let go of their scanners as {@link Gather#IDLE} says. One that can never
 * be resumed, since what it was given for that is garbage, is ended.
 *
 * <p>What an observer throws ends the scan, and is the error that it is given; what it throws then,
 * or at the end of the scan, is logged. Thread-safe.
 */
public final class AsyncGather {
  private static final Logger LOG = LoggerFactory.getLogger(AsyncGather.class);

  private final AdvancedScanResultConsumer observer;
  private final Merge merge;
  private final Link link;
  private final MergeCloser ending;

  // What the observer does is part of the scan, not of the range whose rows it waited for.
  private final OneAtATime telling = new OneAtATime(this::tellAllInSpan);

  private volatile boolean suspended;

  // Belongs to the thread at work.
  private boolean done;

  private AsyncGather(
      AsyncTable<AdvancedScanResultConsumer> table,
      List<Scan> scans,
      GatherOrder order,
      OperationSpan span,
      AdvancedScanResultConsumer observer) {
    this.observer = observer;
    this.link = new Link(this);
    this.merge = new Merge(table, scans, order, span, link);
    this.ending = new MergeCloser(this, table.getName(), merge);
  }

  /**
   * The way from HBase's threads to a gather, which holds it except while it is suspended: then
   * only the application does, with what resumes it.
   */
  private static final class Link implements Runnable {
    private final WeakReference<AsyncGather> gather;

    @SuppressWarnings("unused") // holds
    private volatile @Nullable AsyncGather running;

    Link(AsyncGather gather) {
      this.gather = new WeakReference<>(gather);
      this.running = gather;
    }

    @Override
    public void run() {
      AsyncGather to = gather.get();
      if (to != null) {
        to.telling.run();
      }
    }
  }

  /**
   * Starts the scans and returns.
   *
   * @param ranges with one scan for each range, each saying how large an answer may be: about twice
   *     that is held of each range
   * @param span of the whole scan; ends with it
   * @param observer gets the rows under their logical keys
   */
  public static void start(
      AsyncTable<AdvancedScanResultConsumer> table,
      ScanRanges ranges,
      GatherOrder order,
      OperationSpan span,
      AdvancedScanResultConsumer observer) {
    if (ranges.known().isEmpty()) {
      span.run(observer::onComplete);
      span.end();
      return;
    }
    Gathering gathering = Gathering.of(table, ranges.known(), order);
    if (gathering == Gathering.ON_SERVERS) {
      AsyncShortScan.start(table, ranges, order, span, observer);
      return;
    }
    List<Scan> scans;
    try {
      scans = ranges.all();
    } catch (IOException e) {
      span.fail(e);
      span.run(() -> observer.onError(e));
      span.end();
      return;
    }
    AsyncGather gather = new AsyncGather(table, scans, gathering.order(order), span, observer);
    ScanMetrics metrics = gather.merge.metrics();
    if (metrics != null) {
      span.run(() -> observer.onScanMetricsCreated(metrics));
    }
    gather.merge.idle().awaits(true);
    gather.merge.start(gathering);
  }

  private void tellAllInSpan() {
    merge.span().run(this::tellAll);
  }

  /** Tells the observer all that there is to tell now. */
  private void tellAll() {
    try {
      while (!done && !suspended && step()) {}
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** Tells the observer one thing; false if there is nothing to tell now. */
  private boolean step() {
    Throwable failure = null;
    try {
      List<Result> rows = rows();
      if (!rows.isEmpty()) {
        merge.metrics();
        observer.onNext(rows.toArray(new Result[0]), new Controller(null));
        return true;
      } else if (merge.isEnded()) {
        finish();
        observer.onComplete();
        merge.span().end();
        return true;
      }
      RangeBuffer waitingFor = merge.waitingFor();
      failure = waitingFor.failure();
      if (failure == null) {
        if (!waitingFor.pollHeartbeat()) {
          return false;
        }
        Cursor cursor = waitingFor.cursor();
        byte[] position = cursor == null ? null : merge.position(cursor.getRow());
        if (cursor != null && position == null) {
          // An observer that asks for cursors counts on one at every heartbeat.
          return false;
        }
        observer.onHeartbeat(
            new Controller(position == null ? null : GatherOrder.cursor(position)));
        return true;
      }
    } catch (Throwable e) {
      failure = e;
    }
    if (done) {
      LOG.warn("observer of a scan failed at its end", failure);
      merge.span().end();
    } else {
      fail(failure);
    }
    return true;
  }

  private void fail(Throwable failure) {
    finish();
    merge.span().fail(failure);
    try {
      observer.onError(failure);
    } catch (Throwable e) {
      LOG.warn("observer of a scan failed at its end", e);
    }
    merge.span().end();
  }

  /** Merges the buffered rows whose order is known. */
  private List<Result> rows() {
    List<Result> rows = new ArrayList<>();
    for (Result row = merge.next(); row != null; row = merge.next()) {
      rows.add(row);
    }
    return rows;
  }

  private void finish() {
    done = true;
    ending.now();
    merge.metrics();
  }

  /** The controller that an observer may use during its call. */
  private final class Controller implements AdvancedScanResultConsumer.ScanController {
    private final @Nullable Cursor cursor;

    Controller(@Nullable Cursor cursor) {
      this.cursor = cursor;
    }

    @Override
    public AdvancedScanResultConsumer.ScanResumer suspend() {
      suspended = true;
      merge.idle().awaits(false);
      link.running = null;
      return () -> {
        link.running = AsyncGather.this;
        merge.idle().awaits(true);
        suspended = false;
        telling.run();
      };
    }

    @Override
    public void terminate() {
      merge.end();
    }

    @Override
    public Optional<Cursor> cursor() {
      return Optional.ofNullable(cursor);
    }
  }
}
