/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.route.Route;
import io.evenkey.protocol.index.EntryLimit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a read through an index as a reactive stream, in the order of their entries: as
 * {@link IndexedRows}, and no thread waits. Up to two batches of rows are in memory. Subscribers
 * are called by a {@link RowDelivery}. Thread-safe.
 */
final class IndexedPublisher implements Flow.Publisher<KeyedRow> {
  private final Route route;
  private final IndexedRead read;
  private final int limit;

  IndexedPublisher(Route route, IndexedRead read, int limit) {
    this.route = route;
    this.read = read;
    this.limit = limit;
  }

  @Override
  public void subscribe(Flow.Subscriber<? super KeyedRow> subscriber) {
    Delivery delivery = new Delivery(subscriber);
    subscriber.onSubscribe(delivery);
    delivery.deliver();
  }

  /** Delivers the rows to one subscriber. */
  private final class Delivery extends RowDelivery {
    // Guarded by this object.
    private final BatchSize size = BatchSize.of(limit > 0);
    private @Nullable Entries entries;
    private boolean underWay;
    private byte @Nullable [] lastEntry;

    // Belongs to the thread at work.
    private int scans;

    Delivery(Flow.Subscriber<? super KeyedRow> subscriber) {
      super(subscriber, limit);
    }

    @Override
    void release() {
      Entries open;
      synchronized (this) {
        open = entries;
      }
      if (open != null) {
        open.cancel();
      }
    }

    /** Begins to read the next batch, if its rows are wanted, and none is being read. */
    @Override
    void bringMore() {
      Entries open;
      int rows;
      synchronized (this) {
        rows = size.rows();
        boolean enough = ready() >= Math.min(rows, left());
        if (underWay || !isOpen() || enough) {
          return;
        }
        underWay = true;
        open = entries;
      }
      if (open == null) {
        scan(rows);
      } else {
        open.more(rows);
      }
    }

    private void scan(int rows) {
      Entries next;
      int most;
      byte[] after;
      synchronized (this) {
        // Fewer are ready than are wanted: else nothing would be read.
        int wanting = limit == 0 ? 0 : (int) left() - ready();
        most = limit == 0 ? 0 : EntryLimit.after(scans++, wanting);
        next = new Entries(this, most, rows);
        entries = next;
        after = lastEntry;
      }
      try {
        read.entries(after, most).publisher().subscribe(next);
      } catch (IOException e) {
        fail(read.failed(e));
      } catch (Throwable e) {
        fail(e);
      }
    }

    /** Reads the rows of entries. */
    void met(List<KeyedRow> batch) {
      synchronized (this) {
        lastEntry = batch.get(batch.size() - 1).key();
      }
      Futures.whenDone(
          Futures.begin(() -> read.rows(route, batch)),
          (rows, error) -> came(batch, rows, error),
          this::fail);
    }

    private void came(
        List<KeyedRow> batch, @Nullable Result @Nullable [] rows, @Nullable Throwable error) {
      if (rows == null || error != null) {
        fail(bare(error));
        return;
      }
      List<KeyedRow> found = read.found(batch, rows);
      synchronized (this) {
        underWay = false;
        size.came(batch, rows);
        take(found);
      }
      deliver();
    }

    /**
     * There are no more entries.
     *
     * @param byLimit whether the limit has ended the scan, and not the index
     * @param isKnown whether the last batch was met when there were no more
     */
    void over(boolean byLimit, boolean isKnown) {
      synchronized (this) {
        entries = null;
        if (byLimit) {
          underWay = false;
        }
      }
      if (byLimit) {
        deliver();
      } else if (isKnown) {
        end();
      } else {
        Futures.whenDone(
            read.confirm(route),
            (answer, error) -> {
              if (error == null) {
                end();
              } else {
                fail(bare(error));
              }
            },
            this::fail);
      }
    }
  }

  private static Throwable bare(@Nullable Throwable error) {
    Throwable cause = error instanceof CompletionException ? error.getCause() : error;
    return cause == null ? new IOException("rows of entries were not read", error) : cause;
  }

  /** Takes entries from one scan, a batch at a time. One thread at a time, as it is called. */
  private final class Entries implements Flow.Subscriber<KeyedRow> {
    private final Delivery delivery;
    private final int most;
    private int size;
    private List<KeyedRow> batch = new ArrayList<>();
    private int count;
    private boolean awaited = true;
    private boolean over;

    /** Whether the last batch was given when the scan was over. */
    private boolean isEndKnown;

    private Flow.@Nullable Subscription scan;

    Entries(Delivery delivery, int most, int size) {
      this.delivery = delivery;
      this.most = most;
      this.size = size;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      int rows;
      synchronized (this) {
        scan = subscription;
        rows = size;
      }
      subscription.request(rows);
    }

    /** Has the next batch read, of as many entries. */
    void more(int rows) {
      Flow.Subscription open;
      boolean isOver;
      boolean isKnown;
      synchronized (this) {
        open = scan;
        isOver = over;
        isKnown = isEndKnown;
        awaited = !over;
        size = rows;
      }
      if (isOver) {
        delivery.over(isAtLimit(), isKnown);
      } else if (open != null) {
        open.request(rows);
      }
    }

    void cancel() {
      Flow.Subscription open;
      synchronized (this) {
        open = scan;
      }
      if (open != null) {
        open.cancel();
      }
    }

    private boolean isAtLimit() {
      return most > 0 && count >= most;
    }

    @Override
    public void onNext(KeyedRow entry) {
      batch.add(entry);
      count++;
      if (isFull()) {
        give();
      }
    }

    private synchronized boolean isFull() {
      return batch.size() == size;
    }

    private void give() {
      List<KeyedRow> full = batch;
      batch = new ArrayList<>();
      synchronized (this) {
        awaited = false;
      }
      delivery.met(full);
    }

    @Override
    public void onError(Throwable error) {
      delivery.fail(error instanceof IOException e ? read.failed(e) : error);
    }

    @Override
    public void onComplete() {
      boolean gives = !batch.isEmpty();
      if (gives) {
        give();
      }
      boolean isAwaited;
      synchronized (this) {
        over = true;
        isEndKnown = gives;
        isAwaited = awaited;
      }
      if (isAwaited) {
        delivery.over(isAtLimit(), gives);
      }
    }
  }
}
