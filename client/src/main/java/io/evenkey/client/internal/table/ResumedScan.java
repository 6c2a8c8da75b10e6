/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.route.Route;
import io.opentelemetry.context.Context;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
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
  private byte @Nullable [] last;
  private long rows;
  private boolean inRow;
  private boolean goneOn;
  private boolean measured;
  private @Nullable Throwable unrepeatable;

  /** The trace context of the end of the scan, which another thread may report. */
  private volatile Context ending = Context.current();

  /**
   * Prepares one.
   *
   * @param possible whether the scan of the rest gives the rest of the rows
   * @param limit the most rows of the scan; 0 or less for no limit
   */
  public ResumedScan(Route route, boolean possible, int limit, Start<C> start) {
    this.route = route;
    this.possible = possible;
    this.limit = limit;
    this.start = start;
  }

  /** Begins to scan. The observer is called as by HBase. */
  public void begin(C consumer) {
    // Each attempt ends with its own future: exceptionally if it may be repeated.
    CompletableFuture<Void> done =
        route.laterInParts(
            this::hasGoneOn,
            generation -> {
              CompletableFuture<Void> attempt = new CompletableFuture<>();
              if (isAtLimit()) {
                attempt.complete(null);
              } else {
                start.begin(generation, last, rows, observing(consumer, attempt));
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

  private boolean hasGoneOn() {
    boolean since = goneOn;
    goneOn = false;
    return since;
  }

  private boolean isAtLimit() {
    return limit > 0 && rows >= limit;
  }

  @SuppressWarnings("unchecked") // HBase has these two types of observers
  private C observing(C consumer, CompletableFuture<Void> attempt) {
    if (consumer instanceof AdvancedScanResultConsumer advanced) {
      return (C) new Advanced(advanced, attempt);
    }
    return (C) new Simple((ScanResultConsumer) (Object) consumer, attempt);
  }

  private void met(Result row) {
    if (!row.isEmpty()) {
      last = row.getRow();
      goneOn = true;
      inRow = row.mayHaveMoreCellsInRow();
      rows += inRow ? 0 : 1;
    }
  }

  private void failed(Throwable error, CompletableFuture<Void> attempt) {
    if (last == null || (possible && !inRow)) {
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

    Observer(O consumer, CompletableFuture<Void> attempt) {
      this.consumer = consumer;
      this.attempt = attempt;
    }

    @Override
    public void onError(Throwable error) {
      ending = Context.current();
      failed(error, attempt);
    }

    @Override
    public void onComplete() {
      ending = Context.current();
      attempt.complete(null);
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
      for (Result row : results) {
        met(row);
      }
      consumer.onNext(results, controller);
    }

    @Override
    public void onHeartbeat(ScanController controller) {
      consumer.onHeartbeat(controller);
    }
  }

  private final class Simple extends Observer<ScanResultConsumer> implements ScanResultConsumer {
    Simple(ScanResultConsumer consumer, CompletableFuture<Void> attempt) {
      super(consumer, attempt);
    }

    @Override
    public boolean onNext(Result row) {
      met(row);
      return consumer.onNext(row);
    }
  }
}
