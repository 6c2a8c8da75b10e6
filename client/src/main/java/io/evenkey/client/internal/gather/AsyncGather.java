/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.trace.OperationSpan;
import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the physical ranges of one scan by a {@link ScanStrategy}, and tells an observer of the
 * rows in logical order. No thread ever waits: whichever of HBase's threads brings what was missing
 * merges what can be merged then, and calls the observer, never two at once.
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
  private final OperationSpan span;
  private final Link link;
  private final ScanWait wait;
  private final ScanStrategy strategy;
  private final ScanCloser ending;

  // What the observer does is part of the scan, not of the range whose rows it waited for.
  private final OneAtATime telling = new OneAtATime(this::tellAllInSpan);

  private volatile boolean suspended;

  // These belong to the thread at work.
  private boolean done;

  /** Looks whether the scan has waited for too long. */
  private CompletableFuture<Boolean> timer = CompletableFuture.completedFuture(Boolean.FALSE);

  private AsyncGather(
      AsyncTable<AdvancedScanResultConsumer> table,
      ScanRanges ranges,
      GatherOrder order,
      OperationSpan span,
      AdvancedScanResultConsumer observer)
      throws IOException {
    this.observer = observer;
    this.span = span;
    this.link = new Link(this);
    this.wait = ScanWait.of(table);
    this.strategy = ScanStrategy.of(new ScanContext(table, span, link, wait), ranges, order);
    this.ending = new ScanCloser(this, table.getName(), strategy, span);
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
    AsyncGather gather;
    try {
      gather = new AsyncGather(table, ranges, order, span, observer);
    } catch (IOException e) {
      span.fail(e);
      span.run(() -> observer.onError(e));
      span.end();
      return;
    }
    Merge merge = gather.strategy.merge();
    ScanMetrics metrics = merge == null ? null : merge.metrics();
    if (metrics != null) {
      span.run(() -> observer.onScanMetricsCreated(metrics));
    }
    gather.strategy.awaits(true);
    gather.strategy.start();
    if (gather.wait.isBounded()) {
      gather.telling.run();
    }
  }

  private void tellAllInSpan() {
    span.run(this::tellAll);
  }

  /** Tells the observer all that there is to tell now. */
  private void tellAll() {
    try {
      while (!done && !suspended && advance()) {}
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** Tells the observer one thing; false if there is nothing to tell now. */
  private boolean advance() {
    Throwable failure = null;
    try {
      List<Result> rows = rows();
      if (!rows.isEmpty()) {
        updateMetrics();
        observer.onNext(rows.toArray(new Result[0]), new Controller(null));
        wait.begin();
        return true;
      } else if (strategy.isEnded()) {
        finish();
        observer.onComplete();
        span.end();
        return true;
      }
      Merge merge = strategy.merge();
      failure = merge == null ? null : merge.failure();
      if (failure == null) {
        Merge.Heartbeat heartbeat = merge == null ? null : merge.heartbeat();
        if (heartbeat == null || !heartbeat.isPassedOn()) {
          waitOn();
          return false;
        }
        observer.onHeartbeat(new Controller(heartbeat.cursor()));
        wait.begin();
        return true;
      }
    } catch (Throwable e) {
      failure = e;
    }
    if (done) {
      LOG.warn("observer of a scan failed at its end", failure);
      span.end();
    } else {
      fail(failure);
    }
    return true;
  }

  /** There is nothing to tell, and the scan waits; fails if it has for too long. */
  private void waitOn() throws IOException {
    if (!wait.isBounded()) {
      return;
    }
    long leftMs = wait.leftMs();
    if (leftMs == 0) {
      throw wait.late(strategy.survived());
    }
    if (timer.isDone()) {
      timer = new CompletableFuture<>();
      Futures.after(
          timer, leftMs, link, failure -> LOG.warn("scan not ended at its timeout", failure));
    }
  }

  private void fail(Throwable failure) {
    finish();
    span.fail(failure);
    try {
      observer.onError(failure);
    } catch (Throwable e) {
      LOG.warn("observer of a scan failed at its end", e);
    }
    span.end();
  }

  /** The rows that have come and whose order is known. */
  private List<Result> rows() throws IOException {
    List<Result> rows = new ArrayList<>();
    try {
      for (Result row = strategy.next(); row != null; row = strategy.next()) {
        rows.add(row);
      }
    } catch (IOException e) {
      // The observer gets the rows before the failure, which comes again.
      if (rows.isEmpty()) {
        throw e;
      }
    }
    return rows;
  }

  private void finish() {
    done = true;
    timer.complete(Boolean.FALSE);
    ending.now();
    updateMetrics();
  }

  private void updateMetrics() {
    Merge merge = strategy.merge();
    if (merge != null) {
      merge.metrics();
    }
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
      strategy.awaits(false);
      link.running = null;
      return () -> {
        link.running = AsyncGather.this;
        strategy.awaits(true);
        wait.begin();
        suspended = false;
        telling.run();
      };
    }

    @Override
    public void terminate() {
      strategy.end();
    }

    @Override
    public Optional<Cursor> cursor() {
      return Optional.ofNullable(cursor);
    }
  }
}
