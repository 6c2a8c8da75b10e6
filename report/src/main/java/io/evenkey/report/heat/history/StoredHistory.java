/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import io.evenkey.report.failure.FailureKind;
import io.evenkey.report.failure.Problem;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads and stores the history in its table for the recorder. If the table fails, {@link #problem}
 * says so, and the portal goes on to show the present load. A thread of its own stores columns,
 * since a server that does not answer takes minutes to fail. Thread-safe.
 */
final class StoredHistory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StoredHistory.class);
  private static final String LOG_HAS_MORE = "the log has more";

  /** Columns that wait for a slow table; the oldest are left out if there are more. */
  private static final int WAITING = 100;

  private final @Nullable HistoryTable table;
  private final ThreadPoolExecutor writer =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(WAITING),
          task -> {
            Thread thread = new Thread(task, "evenkey-heat-store");
            thread.setDaemon(true);
            return thread;
          },
          new ThreadPoolExecutor.DiscardOldestPolicy());
  private volatile boolean writes;
  private volatile String notRead = "";
  private volatile String notStored = "";

  /**
   * Uses a table.
   *
   * @param table null for a history in memory only
   * @param writes whether columns are also stored
   */
  StoredHistory(@Nullable HistoryTable table, boolean writes) {
    this.table = table;
    this.writes = writes && table != null;
  }

  /** Restores all columns that can be read. */
  void loadInto(History history) {
    HistoryTable from = table;
    if (from == null) {
      return;
    }
    try {
      long now = System.currentTimeMillis();
      int unreadable = 0;
      for (Layer layer : history.layers()) {
        HistoryTable.Loaded loaded = from.load(layer, now);
        loaded.columns().forEach(column -> history.restore(layer, column));
        unreadable += loaded.unreadable();
      }
      if (unreadable > 0) {
        notRead =
            "Some of the stored heat cannot be read: rows="
                + unreadable
                + " table="
                + HistoryTable.NAME
                + "; the map leaves them out, and they expire; the portal's log has the causes.";
      }
    } catch (IOException | RuntimeException e) {
      // The column of this hour would replace one of which more is stored.
      writes = false;
      notRead =
          "The stored heat cannot be read, so the map begins now, and is not stored: "
              + Problem.of(e, LOG_HAS_MORE).line()
              + "; then start the portal again.";
      LOG.warn("{}", notRead, e);
    }
  }

  /** Stores a column soon. */
  void store(History.Added added) {
    HistoryTable to = table;
    if (to != null && writes) {
      writer.execute(() -> store(to, added));
    }
  }

  private void store(HistoryTable to, History.Added added) {
    try {
      to.store(added.layer(), added.column());
      notStored = "";
    } catch (IOException | RuntimeException e) {
      if (writer.isShutdown()) {
        return;
      }
      Problem problem = Problem.of(e, LOG_HAS_MORE);
      notStored =
          "Heat is shown, but not stored: "
              + (problem.kind() == FailureKind.NO_SUCH_TABLE
                  ? "no such table: table="
                      + HistoryTable.NAME
                      + "; start the portal again to create it"
                  : problem.line())
              + ".";
      LOG.warn("{}", notStored, e);
    }
  }

  /** Why the history is not complete, as a sentence; empty if it is. */
  String problem() {
    return notStored.isEmpty() ? notRead : notStored;
  }

  @Override
  public void close() {
    writer.shutdown();
    try {
      // Columns that wait are stored before the connection is closed.
      writer.awaitTermination(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    writer.shutdownNow();
  }
}
