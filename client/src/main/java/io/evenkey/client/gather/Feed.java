package io.evenkey.client.gather;

import java.util.ArrayDeque;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/**
 * What has come of one range and not been merged yet. When it holds enough, the range's scan is
 * suspended, and resumed when half of that has been taken. HBase's threads bring, whoever merges
 * takes: thread-safe.
 */
final class Feed implements AdvancedScanResultConsumer {
  private final long capacityBytes;
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
   * @param news called when something has come, in the thread that brought it
   */
  Feed(long capacityBytes, Runnable news) {
    this.capacityBytes = capacityBytes;
    this.news = news;
  }

  @Override
  public void onNext(Result[] results, ScanController controller) {
    synchronized (this) {
      if (closed) {
        controller.terminate();
        return;
      }
      batches.add(results);
      heldBytes += bytes(results);
      heartbeat = false;
      if (heldBytes >= capacityBytes) {
        suspended = controller.suspend();
      }
    }
    news.run();
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
      failure = error;
    }
    news.run();
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
        if (suspended != null && heldBytes <= capacityBytes / 2) {
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
