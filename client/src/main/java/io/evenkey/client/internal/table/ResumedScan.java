/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.route.Route;
import io.evenkey.client.internal.route.TimeLimit;
import io.opentelemetry.context.Context;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.client.ScanResultConsumerBase;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scan for an observer that goes on behind its last row when region servers refuse the generation
 * that it reads. One thread at a time, as HBase calls observers.
 *
 * @param <C> the type of observers
 */
public final class ResumedScan<C extends ScanResultConsumerBase> {
  /** Begins a scan of one generation. */
  @FunctionalInterface
  public interface Start<C> {
    /**
     * Begins.
     *
     * @param after the logical key of the last row that was given to the observer; null at the
     *     beginning
     * @param rows the number of rows that were
     */
    void begin(Generation generation, byte @Nullable [] after, long rows, C consumer)
        throws Exception;
  }

  private static final Logger LOG = LoggerFactory.getLogger(ResumedScan.class);

  private final Route route;
  private final boolean possible;
  private final int limit;
  private final Start<C> start;
  private final @Nullable Runnable forgetting;
  private byte @Nullable [] last;
  private long rows;
  private boolean inRow;
  private boolean measured;
  private @Nullable Throwable unrepeatable;

  /** When the scan began to wait for what it waits for now. */
  private volatile long waitingSince = System.nanoTime();

  /** The trace context of the end of the scan, which another thread may report. */
  private volatile Context ending = Context.current();

  /**
   * Prepares one.
   *
   * @param possible whether the scan of the rest gives the rest of the rows
   * @param limit the most rows of the scan; 0 or less for no limit
   */
  public ResumedScan(Route route, boolean possible, int limit, Start<C> start) {
    this(route, possible, limit, start, null);
  }

  /**
   * Prepares one.
   *
   * @param forgetting makes the observer forget all rows, so that the whole scan is made again if
   *     the rest of it is no scan
   */
  ResumedScan(
      Route route, boolean possible, int limit, Start<C> start, @Nullable Runnable forgetting) {
    this.route = route;
    this.possible = possible;
    this.limit = limit;
    this.start = start;
    this.forgetting = forgetting;
  }

  /** Begins to scan. The observer is called as by HBase. */
  public void begin(C consumer) {
    // Each attempt ends with its own future: exceptionally if it may be repeated.
    CompletableFuture<Void> done =
        route.laterInParts(
            () -> waitingSince,
            (generation, time) -> {
              CompletableFuture<Void> attempt = new CompletableFuture<>();
              if (isAtLimit()) {
                attempt.complete(null);
              } else {
                start.begin(generation, last, rows, observing(consumer, attempt, time));
              }
              return attempt;
            });
    Futures.whenDone(
        done,
        (nothing, error) -> {
          Throwable failure = error == null ? unrepeatable : error;
          ending
              .wrap(
                  () -> {
                    if (failure == null) {
                      consumer.onComplete();
                    } else {
                      consumer.onError(failure);
                    }
                  })
              .run();
        },
        failure -> LOG.warn("observer of a scan failed at its end", failure));
  }

  private boolean isAtLimit() {
    return limit > 0 && rows >= limit;
  }

  @SuppressWarnings("unchecked") // HBase has these two types of observers
  private C observing(C consumer, CompletableFuture<Void> attempt, TimeLimit time) {
    Observer<?> observer =
        consumer instanceof AdvancedScanResultConsumer advanced
            ? new Advanced(advanced, attempt)
            : new Simple((ScanResultConsumer) (Object) consumer, attempt);
    observer.bound(time);
    return (C) observer;
  }

  private void met(Result row) {
    if (!row.isEmpty()) {
      last = row.getRow();
      inRow = row.mayHaveMoreCellsInRow();
      rows += inRow ? 0 : 1;
    }
  }

  private void failed(Throwable error, CompletableFuture<Void> attempt) {
    if (last == null || (possible && !inRow)) {
      attempt.completeExceptionally(error);
    } else if (forgetting != null) {
      forgetting.run();
      last = null;
      rows = 0;
      inRow = false;
      attempt.completeExceptionally(error);
    } else {
      unrepeatable = error;
      attempt.complete(null);
    }
  }

  private void created(ScanMetrics metrics, ScanResultConsumerBase consumer) {
    if (!measured) {
      measured = true;
      consumer.onScanMetricsCreated(metrics);
    }
  }

  /** The common part of both kinds of consumers. */
  private abstract class Observer<O extends ScanResultConsumerBase>
      implements ScanResultConsumerBase {
    final O consumer;
    private final CompletableFuture<Void> attempt;

    /** Whether the attempt was over before its first answer came. */
    private final CompletableFuture<Boolean> late = new CompletableFuture<>();

    Observer(O consumer, CompletableFuture<Void> attempt) {
      this.consumer = consumer;
      this.attempt = attempt;
    }

    /** Bounds the wait for the first answer. */
    void bound(TimeLimit time) {
      if (time.isBounded()) {
        Futures.after(
            late,
            time.leftMs(),
            () -> attempt.completeExceptionally(time.unanswered()),
            attempt::completeExceptionally);
      }
    }

    /** Takes note of an answer; false if it came too late. */
    boolean isInTime() {
      late.complete(Boolean.FALSE);
      return !late.join();
    }

    @Override
    public void onError(Throwable error) {
      if (isInTime()) {
        ending = Context.current();
        failed(error, attempt);
      }
    }

    @Override
    public void onComplete() {
      if (isInTime()) {
        ending = Context.current();
        attempt.complete(null);
      }
    }

    @Override
    public void onScanMetricsCreated(ScanMetrics metrics) {
      created(metrics, consumer);
    }
  }

  private final class Advanced extends Observer<AdvancedScanResultConsumer>
      implements AdvancedScanResultConsumer {
    Advanced(AdvancedScanResultConsumer consumer, CompletableFuture<Void> attempt) {
      super(consumer, attempt);
    }

    @Override
    public void onNext(Result[] results, ScanController controller) {
      if (!isInTime()) {
        controller.terminate();
        return;
      }
      for (Result row : results) {
        met(row);
      }
      consumer.onNext(results, new Watched(controller));
      waitingSince = System.nanoTime();
    }

    @Override
    public void onHeartbeat(ScanController controller) {
      if (!isInTime()) {
        controller.terminate();
        return;
      }
      consumer.onHeartbeat(new Watched(controller));
      waitingSince = System.nanoTime();
    }
  }

  private final class Simple extends Observer<ScanResultConsumer> implements ScanResultConsumer {
    Simple(ScanResultConsumer consumer, CompletableFuture<Void> attempt) {
      super(consumer, attempt);
    }

    @Override
    public boolean onNext(Result row) {
      if (!isInTime()) {
        return false;
      }
      met(row);
      boolean goesOn = consumer.onNext(row);
      waitingSince = System.nanoTime();
      return goesOn;
    }
  }

  /** HBase's controller; the scan does not wait while the observer has suspended it. */
  private final class Watched implements AdvancedScanResultConsumer.ScanController {
    private final AdvancedScanResultConsumer.ScanController controller;

    Watched(AdvancedScanResultConsumer.ScanController controller) {
      this.controller = controller;
    }

    @Override
    public AdvancedScanResultConsumer.ScanResumer suspend() {
      AdvancedScanResultConsumer.ScanResumer resumer = controller.suspend();
      return () -> {
        waitingSince = System.nanoTime();
        resumer.resume();
      };
    }

    @Override
    public void terminate() {
      controller.terminate();
    }

    @Override
    public Optional<Cursor> cursor() {
      return controller.cursor();
    }
  }
}
