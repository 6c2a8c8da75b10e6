package io.evenkey.client.gather;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/**
 * What has come of one range and not been merged yet. When it holds enough, the range's scan is
 * suspended, and resumed when half of that has been taken; after a failure it goes on where the
 * range is then. HBase's threads bring, whoever merges takes: thread-safe.
 */
final class Feed implements AdvancedScanResultConsumer {
  /** Between a failure and the next try, so that no server is asked without a pause. */
  private static final long PAUSE_MILLIS = 200;

  private final AsyncTable<AdvancedScanResultConsumer> table;
  private final Scan scan;
  private final Progress progress;
  private final Runnable news;
  private final ArrayDeque<Result[]> batches = new ArrayDeque<>();
  private long heldBytes;
  private @Nullable ScanResumer suspended;
  private boolean complete;
  private boolean closed;
  private @Nullable Throwable failure;
  private boolean heartbeat;
  private @Nullable Cursor cursor;
  private @Nullable ScanMetrics metrics;

  /**
   * An empty feed.
   *
   * @param scan says how large an answer may be, which is also how much is held
   * @param news called when something has come, in the thread that brought it
   */
  Feed(AsyncTable<AdvancedScanResultConsumer> table, Scan scan, Runnable news) {
    this.table = table;
    this.scan = scan;
    this.progress = new Progress(scan);
    this.news = news;
  }

  void start() {
    table.scan(scan, this);
  }

  @Override
  public void onNext(Result[] results, ScanController controller) {
    synchronized (this) {
      if (closed) {
        controller.terminate();
        return;
      }
      Result[] fresh = fresh(results);
      if (fresh.length > 0) {
        batches.add(fresh);
      }
      heldBytes += bytes(fresh);
      heartbeat = false;
      if (heldBytes >= scan.getMaxResultSize()) {
        suspended = controller.suspend();
      }
    }
    news.run();
  }

  private Result[] fresh(Result[] results) {
    List<Result> fresh = new ArrayList<>(results.length);
    for (Result result : results) {
      Result news = progress.note(result);
      if (news != null) {
        fresh.add(news);
      }
    }
    return fresh.size() == results.length ? results : fresh.toArray(new Result[0]);
  }

  @Override
  public void onHeartbeat(ScanController controller) {
    synchronized (this) {
      if (closed) {
        controller.terminate();
        return;
      }
      heartbeat = true;
      cursor = controller.cursor().orElse(null);
    }
    news.run();
  }

  @Override
  public void onError(Throwable error) {
    synchronized (this) {
      if (closed) {
        return;
      }
      if (progress.survives(error)) {
        CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS)
            .execute(this::resume);
        return;
      }
      failure = error;
    }
    news.run();
  }

  private void resume() {
    Scan rest;
    synchronized (this) {
      if (closed) {
        return;
      }
      try {
        rest = progress.rest();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    if (rest == null) {
      onComplete();
    } else {
      table.scan(rest, this);
    }
  }

  @Override
  public void onComplete() {
    synchronized (this) {
      complete = true;
    }
    news.run();
  }

  @Override
  public synchronized void onScanMetricsCreated(ScanMetrics created) {
    metrics = created;
  }

  /** The next results, or null if there are none now. */
  Result @Nullable [] poll() {
    ScanResumer resumer = null;
    Result[] batch;
    synchronized (this) {
      batch = batches.poll();
      if (batch != null) {
        heldBytes -= bytes(batch);
        if (suspended != null && heldBytes <= scan.getMaxResultSize() / 2) {
          resumer = suspended;
          suspended = null;
        }
      }
    }
    if (resumer != null) {
      resumer.resume();
    }
    return batch;
  }

  /** Whether nothing more will come. */
  synchronized boolean isExhausted() {
    return complete && batches.isEmpty();
  }

  synchronized @Nullable Throwable failure() {
    return failure;
  }

  /** Whether the range is being scanned without a row to show for it; said once. */
  synchronized boolean pollHeartbeat() {
    boolean beat = heartbeat;
    heartbeat = false;
    return beat;
  }

  /** How far the range had been scanned at the last heartbeat, if the scan asks for that. */
  synchronized @Nullable Cursor cursor() {
    return cursor;
  }

  synchronized @Nullable ScanMetrics metrics() {
    return metrics;
  }

  /** Ends the scan of the range, at its next word if it is under way. */
  void close() {
    ScanResumer resumer;
    synchronized (this) {
      closed = true;
      batches.clear();
      heldBytes = 0;
      resumer = suspended;
      suspended = null;
    }
    if (resumer != null) {
      // Only what is called back can be told to stop.
      resumer.resume();
    }
  }

  private static long bytes(Result[] results) {
    long bytes = 0;
    for (Result result : results) {
      for (Cell cell : result.rawCells()) {
        bytes += cell.heapSize();
      }
    }
    return bytes;
  }
}
