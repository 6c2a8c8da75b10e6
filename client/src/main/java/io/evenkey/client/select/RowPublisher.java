/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.internal.gather.OneAtATime;
import io.evenkey.client.internal.table.ResumedScan;
import java.util.ArrayDeque;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows of a selection as a reactive stream: each subscriber's scan goes on as far as it has
 * asked for rows, and no thread waits for that. Subscribers are called in HBase's threads, which
 * they must not hold up. A subscriber that throws is not called again, as if it had cancelled; what
 * it threw is logged, and thrown on to who called. Thread-safe.
 */
final class RowPublisher implements Flow.Publisher<KeyedRow> {
  private static final Logger LOG = LoggerFactory.getLogger(RowPublisher.class);

  private final Supplier<ResumedScan<AdvancedScanResultConsumer>> scans;
  private final KeyedRowDecoder decoder;
  private final long limit;

  RowPublisher(
      Supplier<ResumedScan<AdvancedScanResultConsumer>> scans,
      KeyedRowDecoder decoder,
      long limit) {
    this.scans = scans;
    this.decoder = decoder;
    this.limit = limit == 0 ? Long.MAX_VALUE : limit;
  }

  @Override
  public void subscribe(Flow.Subscriber<? super KeyedRow> subscriber) {
    Delivery delivery = new Delivery(subscriber, limit);
    subscriber.onSubscribe(delivery);
    if (!delivery.cancelled) {
      scans.get().begin(delivery);
    }
  }

  /** Delivers the rows to one subscriber. */
  private final class Delivery implements Flow.Subscription, AdvancedScanResultConsumer {
    private final Flow.Subscriber<? super KeyedRow> subscriber;
    private final AtomicLong wanted = new AtomicLong();

    private final OneAtATime delivering = new OneAtATime(this::deliverAll);

    private final ArrayDeque<KeyedRow> ready = new ArrayDeque<>();
    private @Nullable ScanResumer suspended;
    private @Nullable Throwable failure;
    private boolean ended;
    private volatile boolean cancelled;

    // Belongs to the thread at work.
    private long left;
    private boolean done;

    Delivery(Flow.Subscriber<? super KeyedRow> subscriber, long limit) {
      this.subscriber = subscriber;
      this.left = limit;
    }

    @Override
    public void request(long rows) {
      if (rows <= 0) {
        fail(new IllegalArgumentException("rows requested: " + rows + "; expected 1 or more"));
      } else {
        wanted.accumulateAndGet(rows, (had, more) -> had + more < 0 ? Long.MAX_VALUE : had + more);
      }
      delivering.run();
    }

    private synchronized void fail(Throwable reason) {
      failure = failure == null ? reason : failure;
      ready.clear();
    }

    @Override
    public void cancel() {
      cancelled = true;
      delivering.run();
    }

    @Override
    public void onNext(Result[] results, ScanController controller) {
      synchronized (this) {
        if (cancelled || failure != null) {
          controller.terminate();
          return;
        }
        try {
          for (Result result : results) {
            KeyedRow row = decoder.decode(result);
            if (row != null) {
              ready.add(row);
            }
          }
        } catch (Throwable e) {
          // HBase's thread would lose it, and the stream would never end.
          controller.terminate();
          failure = e;
        }
        if (failure == null && !ready.isEmpty()) {
          suspended = controller.suspend();
        }
      }
      delivering.run();
    }

    @Override
    public void onError(Throwable error) {
      synchronized (this) {
        failure = failure == null ? error : failure;
      }
      delivering.run();
    }

    @Override
    public void onComplete() {
      synchronized (this) {
        ended = true;
      }
      delivering.run();
    }

    /** Tells the subscriber all that it has asked for and that there is now. */
    private void deliverAll() {
      try {
        while (!done && step()) {}
      } catch (RuntimeException | Error e) {
        done = true;
        LOG.warn("subscriber failed, and is not called again", e);
        throw e;
      } finally {
        if (done) {
          letGo();
        }
      }
    }

    /** Tells the subscriber one thing; false if there is nothing to tell now. */
    private boolean step() {
      KeyedRow row = null;
      Throwable broken = null;
      boolean over = false;
      ScanResumer more = null;
      synchronized (this) {
        done = cancelled;
        if (done) {
          return false;
        }
        if (left == 0 || (ready.isEmpty() && (ended || failure != null))) {
          broken = left == 0 ? null : failure;
          over = true;
        } else if (ready.isEmpty()) {
          more = suspended;
          suspended = null;
        } else if (wanted.get() > 0) {
          row = ready.remove();
        }
      }
      if (over) {
        done = true;
        if (broken != null) {
          subscriber.onError(broken);
        } else {
          subscriber.onComplete();
        }
      } else if (row != null) {
        left--;
        wanted.decrementAndGet();
        subscriber.onNext(row);
      } else if (more != null) {
        more.resume();
      }
      return row != null;
    }

    private void letGo() {
      ScanResumer more;
      synchronized (this) {
        cancelled = true;
        ready.clear();
        more = suspended;
        suspended = null;
      }
      if (more != null) {
        // Is stopped at its next callback.
        more.resume();
      }
    }
  }
}
