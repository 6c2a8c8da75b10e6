/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.internal.table.ResumedScan;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a selection as a reactive stream: each subscriber's scan goes on as far as it has
 * asked for rows, and no thread waits for that. Subscribers are called in HBase's threads, which
 * they must not hold up, by a {@link RowDelivery}. Thread-safe.
 */
final class RowPublisher implements Flow.Publisher<KeyedRow> {
  private final Supplier<ResumedScan<AdvancedScanResultConsumer>> scans;
  private final KeyedRowDecoder decoder;
  private final long limit;
  private final Consumer<ScanMetrics> measured;

  RowPublisher(
      Supplier<ResumedScan<AdvancedScanResultConsumer>> scans,
      KeyedRowDecoder decoder,
      long limit,
      Consumer<ScanMetrics> measured) {
    this.scans = scans;
    this.decoder = decoder;
    this.limit = limit;
    this.measured = measured;
  }

  @Override
  public void subscribe(Flow.Subscriber<? super KeyedRow> subscriber) {
    Delivery delivery = new Delivery(subscriber, limit);
    subscriber.onSubscribe(delivery);
    if (!delivery.isCancelled()) {
      scans.get().begin(delivery);
    }
  }

  /** Delivers the rows to one subscriber; the scan is suspended while some are there. */
  private final class Delivery extends RowDelivery implements AdvancedScanResultConsumer {
    // Guarded by this object.
    private @Nullable ScanResumer suspended;

    Delivery(Flow.Subscriber<? super KeyedRow> subscriber, long limit) {
      super(subscriber, limit);
    }

    @Override
    public void onNext(Result[] results, ScanController controller) {
      List<KeyedRow> rows = new ArrayList<>(results.length);
      Throwable broken = null;
      try {
        for (Result result : results) {
          KeyedRow row = decoder.decode(result);
          if (row != null) {
            rows.add(row);
          }
        }
      } catch (Throwable e) {
        // HBase's thread would lose it, and the stream would never end.
        broken = e;
      }
      synchronized (this) {
        if (!take(rows) || broken != null) {
          controller.terminate();
        } else if (!rows.isEmpty()) {
          suspended = controller.suspend();
        }
      }
      if (broken == null) {
        deliver();
      } else {
        fail(broken);
      }
    }

    @Override
    public void onScanMetricsCreated(ScanMetrics metrics) {
      measured.accept(metrics);
    }

    @Override
    public void onError(Throwable error) {
      fail(error);
    }

    @Override
    public void onComplete() {
      end();
    }

    @Override
    void bringMore() {
      if (ready() == 0) {
        resume();
      }
    }

    private void resume() {
      ScanResumer more;
      synchronized (this) {
        more = suspended;
        suspended = null;
      }
      if (more != null) {
        more.resume();
      }
    }

    @Override
    void release() {
      // Is stopped at its next callback.
      resume();
    }
  }
}
