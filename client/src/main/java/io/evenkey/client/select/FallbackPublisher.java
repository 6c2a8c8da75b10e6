/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.internal.future.BlockingCallThreads;
import io.evenkey.client.internal.future.Futures;
import java.io.IOException;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * The rows of an index as a reactive stream, or those of another candidate, if the index turns out
 * not to be readable before the first row. Thread-safe.
 */
final class FallbackPublisher implements Flow.Publisher<KeyedRow> {
  private final Selection selection;
  private final PlannedRead chosen;
  private final Flow.Publisher<KeyedRow> rows;

  private FallbackPublisher(
      Selection selection, PlannedRead chosen, Flow.Publisher<KeyedRow> rows) {
    this.selection = selection;
    this.chosen = chosen;
    this.rows = rows;
  }

  static Flow.Publisher<KeyedRow> of(Selection selection) throws IOException {
    ReadFallback fallback = new ReadFallback(selection);
    Flow.Publisher<KeyedRow> rows = fallback.open(selection::publisher);
    PlannedRead chosen = fallback.chosen();
    return chosen.index() == null ? rows : new FallbackPublisher(selection, chosen, rows);
  }

  @Override
  public void subscribe(Flow.Subscriber<? super KeyedRow> subscriber) {
    rows.subscribe(new Relay(subscriber, new ReadFallback(selection, chosen)));
  }

  /** Passes the rows of one candidate on, and then perhaps those of the next. */
  private static final class Relay implements Flow.Subscriber<KeyedRow>, Flow.Subscription {
    private final Flow.Subscriber<? super KeyedRow> subscriber;
    private final ReadFallback fallback;

    // Guarded by this object.
    private Flow.@Nullable Subscription source;
    private long wanted;
    private boolean cancelled;

    // Written by the thread that calls the subscriber.
    private boolean begun;

    Relay(Flow.Subscriber<? super KeyedRow> subscriber, ReadFallback fallback) {
      this.subscriber = subscriber;
      this.fallback = fallback;
    }

    @Override
    public void onSubscribe(Flow.Subscription next) {
      boolean isFirst;
      long before;
      boolean isOver;
      synchronized (this) {
        isFirst = source == null;
        source = next;
        before = wanted;
        isOver = cancelled;
      }
      if (isFirst) {
        subscriber.onSubscribe(this);
      } else if (isOver) {
        next.cancel();
      } else if (before > 0) {
        // Of these, none has been given yet.
        next.request(before);
      }
    }

    @Override
    public void request(long rows) {
      Flow.Subscription from;
      synchronized (this) {
        wanted = rows <= 0 || wanted + rows < 0 ? Long.MAX_VALUE : wanted + rows;
        from = source;
      }
      if (from != null) {
        from.request(rows);
      }
    }

    @Override
    public void cancel() {
      Flow.Subscription from;
      synchronized (this) {
        cancelled = true;
        from = source;
      }
      if (from != null) {
        from.cancel();
      }
    }

    @Override
    public void onNext(KeyedRow row) {
      begun = true;
      subscriber.onNext(row);
    }

    @Override
    public void onComplete() {
      subscriber.onComplete();
    }

    @Override
    public void onError(Throwable error) {
      if (begun || !(error instanceof IOException failure)) {
        subscriber.onError(error);
        return;
      }
      // Not in HBase's thread, since the table may have to be looked up.
      Futures.onFailure(
          Futures.call(BlockingCallThreads::executeAtOnce, () -> goOn(failure)),
          subscriber::onError);
    }

    private boolean goOn(IOException failure) throws IOException {
      fallback.again(failure);
      fallback.open(fallback.selection()::publisher).subscribe(this);
      return true;
    }
  }
}
