/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.load;

import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.row.RowMapping;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.guard.Refusal;
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
 * Writes batches of rows and knows up to which one all are written. Each thread writes the rows of
 * its lane, in the order in which they were submitted, so that of two puts of one row, in one lane,
 * the later one is what remains, although both have the same timestamp. A caller that submits
 * faster than they are written waits. Thread-safe, but for submitting.
 */
final class Writers implements AutoCloseable {
  /** One is written and one waits, so that no lane is idle. */
  private static final int MOST_UNDER_WAY = 2;

  private final Connection plain;
  private final TableName table;
  private final RowMapping rows;
  private final LoadSkew skew;
  private final List<ExecutorService> lanes = new ArrayList<>();
  private final Semaphore room = new Semaphore(MOST_UNDER_WAY);

  /** The writes in the order in which they were submitted. */
  private final Deque<Batch> underWay = new ArrayDeque<>();

  private Checkpoint done;
  private @Nullable IOException failure;

  private static final class Batch {
    private final Checkpoint end;
    private int unwritten;

    Batch(int lanes, Checkpoint end) {
      this.unwritten = lanes;
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
    for (int i = 0; i < count; i++) {
      lanes.add(Context.taskWrapping(Executors.newSingleThreadExecutor()));
    }
    this.done = from;
  }

  /**
   * Writes rows, in other threads.
   *
   * @param rows by lane; a row is always in the same lane
   * @param end the position of the load when these, and all before them, are written
   * @throws IOException if rows submitted before could not be written
   */
  void submit(List<List<Put>> rows, Checkpoint end) throws IOException, InterruptedException {
    room.acquire();
    checkFailure();
    Batch batch = new Batch(lanes.size(), end);
    synchronized (this) {
      underWay.add(batch);
    }
    for (int i = 0; i < lanes.size(); i++) {
      List<Put> ofLane = rows.get(i);
      lanes.get(i).execute(() -> write(ofLane, batch));
    }
  }

  private void write(List<Put> ofLane, Batch batch) {
    try {
      checkFailure();
      if (!ofLane.isEmpty()) {
        write(ofLane);
        ofLane.forEach(row -> skew.add(row.getRow()));
      }
      written(batch);
    } catch (IOException | RuntimeException | Error e) {
      // Errors too: a load that continues without these rows would report rows that are not there.
      failed(e instanceof IOException io ? io : new IOException(e));
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
    if (--batch.unwritten > 0) {
      return;
    }
    for (Batch first = underWay.peek();
        first != null && first.unwritten == 0;
        first = underWay.peek()) {
      done = first.end;
      underWay.remove();
      room.release();
    }
  }

  private synchronized void failed(IOException e) {
    if (failure == null) {
      failure = e;
      // Wakes the caller if it waits for room, or for the end.
      room.release(MOST_UNDER_WAY);
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
    room.acquire(MOST_UNDER_WAY);
    room.release(MOST_UNDER_WAY);
    checkFailure();
  }

  /** Waits for what is under way, whether it can be written or not. */
  void stop() {
    lanes.forEach(ExecutorService::shutdown);
    try {
      for (ExecutorService lane : lanes) {
        // HBase's own timeouts are shorter.
        if (!lane.awaitTermination(10, TimeUnit.MINUTES)) {
          lane.shutdownNow();
        }
      }
    } catch (InterruptedException e) {
      close();
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    lanes.forEach(ExecutorService::shutdownNow);
  }
}
