/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.future.Futures;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer.ScanController;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer.ScanResumer;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * Gives the rows of a reactive stream to a consumer of HBase's, one after the other: the next one
 * is asked for when the consumer has taken the last one, and has not suspended the scan. Called by
 * one thread at a time.
 */
final class ConsumedRows implements Flow.Subscriber<Result> {
  private final AdvancedScanResultConsumer consumer;
  private volatile Flow.@Nullable Subscription rows;

  private ConsumedRows(AdvancedScanResultConsumer consumer) {
    this.consumer = consumer;
  }

  /** Begins to give rows to a consumer, or the failure of the stream that is opened. */
  static void begin(
      CompletableFuture<Flow.Publisher<Result>> opening, AdvancedScanResultConsumer consumer) {
    Futures.onFailure(
        Futures.map(
            opening,
            rows -> {
              rows.subscribe(new ConsumedRows(consumer));
              return Boolean.TRUE;
            }),
        consumer::onError);
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    rows = subscription;
    subscription.request(1);
  }

  @Override
  public void onNext(Result row) {
    RowController controller = new RowController();
    try {
      consumer.onNext(new Result[] {row}, controller);
    } catch (Throwable e) {
      // As elsewhere: an exception of a consumer ends its scan.
      cancel();
      consumer.onError(e);
      return;
    }
    controller.taken();
  }

  @Override
  public void onError(Throwable error) {
    consumer.onError(error);
  }

  @Override
  public void onComplete() {
    consumer.onComplete();
  }

  private void more() {
    Flow.Subscription open = rows;
    if (open != null) {
      open.request(1);
    }
  }

  private void cancel() {
    Flow.Subscription open = rows;
    if (open != null) {
      open.cancel();
    }
  }

  private void end() {
    cancel();
    consumer.onComplete();
  }

  /** The consumer's control of the scan while it takes a row. */
  private final class RowController implements ScanController {
    /** The number of events to wait for before the next row is asked for. */
    private final AtomicInteger awaited = new AtomicInteger(1);

    private boolean terminated;

    @Override
    public ScanResumer suspend() {
      awaited.incrementAndGet();
      return this::passed;
    }

    @Override
    public void terminate() {
      terminated = true;
    }

    @Override
    public Optional<Cursor> cursor() {
      return Optional.empty();
    }

    void taken() {
      if (terminated) {
        end();
      } else {
        passed();
      }
    }

    private void passed() {
      if (awaited.decrementAndGet() == 0) {
        more();
      }
    }
  }
}
