package io.evenkey.jobs.load;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.jspecify.annotations.Nullable;

/**
 * Writes batches, a few at once, and knows up to which one all are written. Whoever submits faster
 * than they are written has to wait. Thread-safe, but for submitting.
 */
final class Writers implements AutoCloseable {
  private static final int WAITING_FOR_EACH = 2;

  private final Connection plain;
  private final TableName table;
  private final LoadSkew skew;
  private final ExecutorService threads;
  private final Semaphore room;
  private final int mostUnderWay;

  /** In the order in which they were submitted. */
  private final Deque<Batch> underWay = new ArrayDeque<>();

  private Checkpoint done;
  private @Nullable IOException failure;

  private static final class Batch {
    private final List<Put> rows;
    private final Checkpoint end;
    private boolean written;

    Batch(List<Put> rows, Checkpoint end) {
      this.rows = rows;
      this.end = end;
    }
  }

  /**
   * @param from what is written already
   */
  Writers(Connection plain, TableName table, int count, LoadSkew skew, Checkpoint from) {
    this.plain = plain;
    this.table = table;
    this.skew = skew;
    this.threads = Executors.newFixedThreadPool(count);
    this.mostUnderWay = count * WAITING_FOR_EACH;
    this.room = new Semaphore(mostUnderWay);
    this.done = from;
  }

  /**
   * Writes rows, in another thread.
   *
   * @param end how far the load is when these, and all before them, are written
   * @throws IOException if rows submitted before could not be written
   */
  void submit(List<Put> rows, Checkpoint end) throws IOException, InterruptedException {
    room.acquire();
    checkFailure();
    Batch batch = new Batch(rows, end);
    synchronized (this) {
      underWay.add(batch);
    }
    threads.execute(() -> write(batch));
  }

  private void write(Batch batch) {
    try {
      if (!batch.rows.isEmpty()) {
        try (Table open = plain.getTable(table)) {
          open.put(batch.rows);
        }
        batch.rows.forEach(row -> skew.add(row.getRow()));
      }
      written(batch);
    } catch (IOException | RuntimeException | Error e) {
      // Errors too: a load that goes on without this batch would report rows that are not there.
      failed(e instanceof IOException io ? io : new IOException(e));
    } finally {
      room.release();
    }
  }

  private synchronized void written(Batch batch) {
    batch.written = true;
    for (Batch first = underWay.peek(); first != null && first.written; first = underWay.peek()) {
      done = first.end;
      underWay.remove();
    }
  }

  private synchronized void failed(IOException e) {
    if (failure == null) {
      failure = e;
    }
  }

  private synchronized void checkFailure() throws IOException {
    if (failure != null) {
      throw failure;
    }
  }

  /** How far the load is: every record up to there is written. */
  synchronized Checkpoint done() {
    return done;
  }

  /** Waits until all is written. */
  void finish() throws IOException, InterruptedException {
    room.acquire(mostUnderWay);
    room.release(mostUnderWay);
    checkFailure();
  }

  /** Waits for what is under way, whether it can be written or not. */
  void stop() {
    threads.shutdown();
    try {
      // HBase's own timeouts are shorter.
      if (!threads.awaitTermination(10, TimeUnit.MINUTES)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
