/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.internal.gather.OneAtATime;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The delivery of rows to one subscriber of a reactive stream, as far as it has asked for rows.
 * Whichever thread brings rows, or asks for them, delivers what can be delivered then; never two at
 * once. A subscriber that throws is not called again, as if it had cancelled; what it threw is
 * logged, and thrown on to who called. Thread-safe.
 */
abstract class RowDelivery implements Flow.Subscription {
  private static final Logger LOG = LoggerFactory.getLogger(RowDelivery.class);

  private final Flow.Subscriber<? super KeyedRow> subscriber;
  private final AtomicLong wanted = new AtomicLong();
  private final OneAtATime delivering = new OneAtATime(this::deliverAll);
  private volatile boolean cancelled;

  // Guarded by this object.
  private final ArrayDeque<KeyedRow> ready = new ArrayDeque<>();
  private @Nullable Throwable failure;
  private boolean ended;

  // Belongs to the thread at work.
  private long left;
  private boolean done;

  /**
   * A delivery that has no rows yet.
   *
   * @param limit the most rows; 0 for all
   */
  RowDelivery(Flow.Subscriber<? super KeyedRow> subscriber, long limit) {
    this.subscriber = subscriber;
    this.left = limit == 0 ? Long.MAX_VALUE : limit;
  }

  /** Has more rows brought, if there are too few; is called when none can be delivered. */
  abstract void bringMore();

  /** Lets go of what brings the rows. */
  abstract void release();

  @Override
  public final void request(long rows) {
    if (rows <= 0) {
      synchronized (this) {
        ready.clear();
      }
      fail(new IllegalArgumentException("rows requested: " + rows + "; expected 1 or more"));
      return;
    }
    wanted.accumulateAndGet(rows, (had, more) -> had + more < 0 ? Long.MAX_VALUE : had + more);
    deliver();
  }

  @Override
  public final void cancel() {
    cancelled = true;
    deliver();
  }

  final boolean isCancelled() {
    return cancelled;
  }

  /** Whether more rows may be delivered. */
  final synchronized boolean isOpen() {
    return failure == null && !ended && !cancelled;
  }

  /** The number of rows that can be delivered. */
  final synchronized int ready() {
    return ready.size();
  }

  /** The number of rows that the limit leaves; to be asked by {@link #bringMore} only. */
  final long left() {
    return left;
  }

  /** Keeps rows until they are delivered; false if none are wanted any more. */
  final synchronized boolean take(List<KeyedRow> rows) {
    boolean open = isOpen();
    if (open) {
      ready.addAll(rows);
    }
    return open;
  }

  final void fail(Throwable reason) {
    synchronized (this) {
      failure = failure == null ? reason : failure;
    }
    deliver();
  }

  /** There are no more rows. */
  final void end() {
    synchronized (this) {
      ended = true;
    }
    deliver();
  }

  /** Delivers what can be. */
  final void deliver() {
    delivering.run();
  }

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
    if (!done) {
      bringMore();
    }
  }

  /** Gives the subscriber one row, or the end; false if there is nothing to give now. */
  private boolean step() {
    KeyedRow row;
    Throwable broken;
    synchronized (this) {
      if (cancelled) {
        done = true;
        return false;
      }
      broken = failure;
      done = left == 0 || ready.isEmpty() && (ended || broken != null);
      row = done || wanted.get() == 0 ? null : ready.poll();
    }
    if (done && left > 0 && broken != null) {
      subscriber.onError(broken);
    } else if (done) {
      subscriber.onComplete();
    } else if (row != null) {
      left--;
      wanted.decrementAndGet();
      subscriber.onNext(row);
    }
    return row != null;
  }

  private void letGo() {
    synchronized (this) {
      cancelled = true;
      ready.clear();
    }
    release();
  }
}
