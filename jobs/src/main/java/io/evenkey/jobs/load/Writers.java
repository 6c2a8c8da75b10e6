/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.load;

import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.row.RowMapping;
import io.evenkey.layout.Layout;
import io.evenkey.layout.guard.Refusal;
import io.opentelemetry.context.Context;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
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
 * Writes batches, a few at once, and knows up to which one all are written. A caller that submits
 * faster than they are written waits. Thread-safe, but for submitting.
 */
final class Writers implements AutoCloseable {
  private static final int WAITING_FOR_EACH = 2;

  private final Connection plain;
  private final TableName table;
  private final RowMapping rows;
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
   * @param layout of the rows that are submitted
   * @param from the records that are already written
   */
  Writers(
      Connection plain, TableName table, Layout layout, int count, LoadSkew skew, Checkpoint from) {
    this.plain = plain;
    this.rows = RowMapping.of(layout);
    this.table = table;
    this.skew = skew;
    this.threads = Context.taskWrapping(Executors.newFixedThreadPool(count));
    this.mostUnderWay = count * WAITING_FOR_EACH;
    this.room = new Semaphore(mostUnderWay);
    this.done = from;
  }

  /**
   * Writes rows, in another thread.
   *
   * @param end the position of the load when these, and all before them, are written
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
        write(batch.rows);
        batch.rows.forEach(row -> skew.add(row.getRow()));
      }
      written(batch);
    } catch (IOException | RuntimeException | Error e) {
      // Errors too: a load that continues without this batch would report rows that are not there.
      failed(e instanceof IOException io ? io : new IOException(e));
    } finally {
      room.release();
    }
  }

  private void write(List<Put> puts) throws IOException {
    puts.forEach(rows::stamped);
    try (Table open = plain.getTable(table)) {
      open.put(puts);
    } catch (IOException e) {
      if (Refusal.of(e).isEmpty()) {
        throw e;
      }
      // The table is migrated: the rows belong into another generation, or have to wait.
      List<Put> logical = new ArrayList<>(puts.size());
      for (Put put : puts) {
        logical.add((Put) rows.logical(put));
      }
      try (SpreadTables tables = SpreadTables.on(plain)) {
        tables.open(table).put(logical);
      }
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

  /** The progress of the load: every record up to there is written. */
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
