/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.route.Route;
import io.evenkey.protocol.index.EntryLimit;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a read through an index as a reactive stream, in the order of their entries: entries
 * are scanned as the rows of any table are, and the rows that they name are read in batches, some
 * of them ahead. Those are returned whose values are the entry's. No thread waits. Subscribers are
 * called by a {@link RowDelivery}. Thread-safe.
 *
 * <p><b>Why a request to the table is needed for each batch of entries, also for none.</b> The
 * client may take an index for public that has been dropped since then, so that rows were written
 * without entries; it may even be there again, and its table still be filled. A request that names
 * the version of the indexes, and is answered after the entries were read, shows that it was not:
 * no writer leaves entries out, and no command deletes them, before all regions refuse that
 * version. The reads of rows are such requests; a batch without rows makes one of its own, and so
 * does the end of the entries, unless the last batch was begun then.
 */
final class IndexedPublisher implements Flow.Publisher<KeyedRow> {
  private final Route route;
  private final IndexedRead read;
  private final int limit;
  private final Consumer<ScanMetrics> measured;

  /**
   * The rows of a read.
   *
   * @param limit the most rows; 0 for all
   * @param measured is given the metrics of each scan of entries, if they were asked for
   */
  IndexedPublisher(Route route, IndexedRead read, int limit, Consumer<ScanMetrics> measured) {
    this.route = route;
    this.read = read;
    this.limit = limit;
    this.measured = measured;
  }

  @Override
  public void subscribe(Flow.Subscriber<? super KeyedRow> subscriber) {
    Delivery delivery = new Delivery(subscriber);
    subscriber.onSubscribe(delivery);
    delivery.deliver();
  }

  /** Entries in their order, and their rows, which are being read. */
  private record Batch(List<KeyedRow> entries, CompletableFuture<@Nullable Result[]> rows) {}

  /** Delivers the rows to one subscriber. */
  private final class Delivery extends RowDelivery {
    // Belong to the thread at work.
    private final BatchSize size = BatchSize.of(limit > 0);
    private @Nullable Entries entries;
    private int scans;

    // Guarded by this object.
    private final ArrayDeque<Batch> begun = new ArrayDeque<>();
    private byte @Nullable [] lastEntry;
    private boolean collecting;
    private @Nullable ScanEnd end;

    Delivery(Flow.Subscriber<? super KeyedRow> subscriber) {
      super(subscriber, limit);
    }

    @Override
    void release() {
      if (entries != null) {
        entries.cancel();
      }
    }

    /** Takes the rows of the next batch, or has those of others read at the same time. */
    @Override
    void bringMore() {
      Batch next = arrived();
      if (next != null) {
        Futures.whenDone(next.rows(), (rows, error) -> came(next, rows, error), this::fail);
        deliver();
      } else if (isWanting()) {
        readAhead();
      }
    }

    private synchronized @Nullable Batch arrived() {
      Batch next = begun.peek();
      boolean isNext = isOpen() && ready() == 0 && next != null && next.rows().isDone();
      return isNext ? begun.remove() : null;
    }

    private void came(Batch batch, @Nullable Result[] rows, @Nullable Throwable error) {
      if (error == null) {
        size.came(batch.entries(), rows);
        take(read.found(batch.entries(), rows));
      } else {
        fail(error);
      }
    }

    private synchronized boolean isWanting() {
      return isOpen() && !collecting && ready() < left() && begun.size() < size.ahead();
    }

    private void readAhead() {
      ScanEnd over;
      boolean isLast;
      boolean collects;
      synchronized (this) {
        over = end;
        isLast = begun.isEmpty();
        collects = over == null || over == ScanEnd.CUT && isLast;
        collecting = collects;
      }
      if (collects) {
        collect(over == null ? entries : null);
      } else if (over == ScanEnd.UNCONFIRMED) {
        begin(List.of(), ScanEnd.CONFIRMED);
      } else if (isLast) {
        end();
      }
    }

    /**
     * Has the next batch of entries read.
     *
     * @param open the scan of entries; null to begin one
     */
    private void collect(@Nullable Entries open) {
      if (open != null) {
        open.more(size.rows());
        return;
      }
      int most = limit == 0 ? 0 : EntryLimit.after(scans++, (int) left() - ready());
      byte[] after;
      synchronized (this) {
        end = null;
        after = lastEntry;
      }
      Entries next = new Entries(this, most, size.rows());
      entries = next;
      try {
        read.entries(after, most).scanned(measured).subscribe(next);
      } catch (Throwable e) {
        fail(failed(e));
      }
    }

    /**
     * Has the rows of entries read.
     *
     * @param over how the scan of entries has ended; null if it has not
     */
    void begin(List<KeyedRow> batch, @Nullable ScanEnd over) {
      CompletableFuture<@Nullable Result[]> rows = Futures.begin(() -> read.rows(route, batch));
      synchronized (this) {
        begun.add(new Batch(batch, rows));
        if (!batch.isEmpty()) {
          lastEntry = batch.get(batch.size() - 1).key();
        }
        collecting = false;
        end = over;
      }
      Futures.whenDone(rows, (came, error) -> deliver(), this::fail);
    }

    /** The scan of entries has ended, and all of them are in batches. */
    void over(ScanEnd how) {
      synchronized (this) {
        collecting = false;
        end = how;
      }
      deliver();
    }
  }

  private Throwable failed(Throwable error) {
    return error instanceof IOException e ? read.failed(e) : error;
  }

  /** How a scan of entries has ended. */
  private enum ScanEnd {
    /** By its limit; there may be more entries. */
    CUT,

    /** There are no more entries, and no request to the table was begun since then. */
    UNCONFIRMED,

    /** There are no more entries, and the last batch was begun since then. */
    CONFIRMED
  }

  /** Takes entries from one scan, a batch at a time. One thread at a time, as it is called. */
  private final class Entries implements Flow.Subscriber<KeyedRow> {
    private final Delivery delivery;
    private final int most;
    private int size;
    private List<KeyedRow> batch = new ArrayList<>();
    private int count;
    private Flow.@Nullable Subscription scan;

    Entries(Delivery delivery, int most, int size) {
      this.delivery = delivery;
      this.most = most;
      this.size = size;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      scan = subscription;
      subscription.request(size);
    }

    /** Has the next batch read, of as many entries; the last one was full. */
    void more(int rows) {
      size = rows;
      Objects.requireNonNull(scan).request(rows);
    }

    void cancel() {
      if (scan != null) {
        scan.cancel();
      }
    }

    @Override
    public void onNext(KeyedRow entry) {
      batch.add(entry);
      count++;
      if (batch.size() == size) {
        List<KeyedRow> full = batch;
        batch = new ArrayList<>();
        delivery.begin(full, null);
      }
    }

    @Override
    public void onError(Throwable error) {
      delivery.fail(failed(error));
    }

    @Override
    public void onComplete() {
      boolean isCut = most > 0 && count >= most;
      if (batch.isEmpty()) {
        delivery.over(isCut ? ScanEnd.CUT : ScanEnd.UNCONFIRMED);
      } else {
        delivery.begin(batch, isCut ? ScanEnd.CUT : ScanEnd.CONFIRMED);
      }
    }
  }
}
