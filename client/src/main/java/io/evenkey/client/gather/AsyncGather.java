package io.evenkey.client.gather;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/**
 * Merges the scans of the physical ranges of one read, and tells an observer of the rows in logical
 * order. No thread ever waits: whichever of HBase's threads brings what was missing merges what can
 * be merged then, and calls the observer, never two at once.
 *
 * <p>An observer that suspends the scan is told of nothing more until it resumes; the ranges fill
 * up and are suspended in turn. Thread-safe.
 */
public final class AsyncGather {
  private final GatherOrder order;
  private final AdvancedScanResultConsumer observer;
  private final List<Feed> feeds = new ArrayList<>();
  private final Heads heads;
  private final @Nullable ScanMetrics metrics;

  /** Calls of {@link #advance} not yet answered; who raises it from 0 does the work of all. */
  private final AtomicInteger calls = new AtomicInteger();

  private volatile boolean suspended;

  // The rest belongs to whoever is at work.
  private final Result[][] batches;
  private final int[] positions;
  private final RowLimit limit;
  private boolean exhausted;
  private boolean done;

  private AsyncGather(
      AsyncTable<AdvancedScanResultConsumer> table,
      List<Scan> scans,
      GatherOrder order,
      AdvancedScanResultConsumer observer) {
    this.order = order;
    this.observer = observer;
    this.heads = order.heads(scans.size());
    this.batches = new Result[scans.size()][];
    this.positions = new int[scans.size()];
    this.limit = new RowLimit(order.mostRows());
    this.metrics = scans.get(0).isScanMetricsEnabled() ? new ScanMetrics() : null;
    for (Scan scan : scans) {
      feeds.add(new Feed(table, scan, this::advance));
    }
  }

  /**
   * Starts the scans and returns.
   *
   * @param scans one for each range, each saying how large an answer may be: about twice that is
   *     held of each range
   * @param observer told of rows under their logical keys
   */
  public static void start(
      AsyncTable<AdvancedScanResultConsumer> table,
      List<Scan> scans,
      GatherOrder order,
      AdvancedScanResultConsumer observer) {
    if (scans.isEmpty()) {
      observer.onComplete();
      return;
    }
    AsyncGather gather = new AsyncGather(table, scans, order, observer);
    if (gather.metrics != null) {
      observer.onScanMetricsCreated(gather.metrics);
    }
    gather.feeds.forEach(Feed::start);
  }

  private void advance() {
    if (calls.getAndIncrement() != 0) {
      return;
    }
    int answered = 1;
    do {
      while (!done && !suspended && step()) {}
      answered = calls.addAndGet(-answered);
    } while (answered != 0);
  }

  /** Tells the observer one thing; false if there is nothing to tell now. */
  private boolean step() {
    Throwable failure = null;
    try {
      List<Result> rows = exhausted ? List.of() : merge();
      if (!rows.isEmpty()) {
        sumMetrics();
        observer.onNext(rows.toArray(new Result[0]), new Controller(null));
        return true;
      } else if (exhausted) {
        finish();
        observer.onComplete();
        return true;
      }
      Feed waitingFor = feeds.get(heads.wanted());
      failure = waitingFor.failure();
      if (failure == null) {
        if (!waitingFor.pollHeartbeat()) {
          return false;
        }
        Cursor cursor = waitingFor.cursor();
        byte[] position = cursor == null ? null : heads.position(cursor.getRow());
        if (cursor != null && position == null) {
          // Whoever asks for cursors counts on one at every heartbeat.
          return false;
        }
        observer.onHeartbeat(
            new Controller(position == null ? null : GatherOrder.cursor(position)));
        return true;
      }
    } catch (RuntimeException e) {
      if (done) {
        throw e;
      }
      failure = e;
    }
    finish();
    observer.onError(failure);
    return true;
  }

  /** As many rows as can be put in order with what has come. */
  private List<Result> merge() {
    List<Result> rows = new ArrayList<>();
    while (!limit.isReached()) {
      int wanted = heads.wanted();
      if (wanted != Heads.NONE) {
        if (!fill(wanted)) {
          return rows;
        }
        continue;
      }
      Result first = heads.take();
      if (first == null || !limit.admits(first)) {
        break;
      }
      rows.add(order.toLogical().apply(first));
    }
    exhausted = true;
    return rows;
  }

  private boolean fill(int stream) {
    Result[] batch = batches[stream];
    if (batch == null || positions[stream] == batch.length) {
      Feed feed = feeds.get(stream);
      boolean ended = feed.isExhausted();
      batch = feed.poll();
      batches[stream] = batch;
      positions[stream] = 0;
      if (batch == null) {
        if (ended) {
          heads.put(null);
        }
        return ended;
      }
    }
    heads.put(batch[positions[stream]++]);
    return true;
  }

  private void finish() {
    done = true;
    feeds.forEach(Feed::close);
    sumMetrics();
  }

  private void sumMetrics() {
    if (metrics != null) {
      SummedMetrics.set(
          metrics, feeds.stream().map(Feed::metrics).filter(Objects::nonNull).toList());
    }
  }

  /** What the observer may do while it is told of something. */
  private final class Controller implements AdvancedScanResultConsumer.ScanController {
    private final @Nullable Cursor cursor;

    Controller(@Nullable Cursor cursor) {
      this.cursor = cursor;
    }

    @Override
    public AdvancedScanResultConsumer.ScanResumer suspend() {
      suspended = true;
      return () -> {
        suspended = false;
        advance();
      };
    }

    @Override
    public void terminate() {
      exhausted = true;
      limit.end();
    }

    @Override
    public Optional<Cursor> cursor() {
      return Optional.ofNullable(cursor);
    }
  }
}
