/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.table;

import io.evenkey.client.index.EntryPut;
import io.evenkey.client.index.IndexWrites;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.jspecify.annotations.Nullable;

/**
 * A batch of actions on a table with indexes: the entries of all rows in one batch for each index,
 * then the rows, but only those whose own entries were acknowledged. Not thread-safe.
 */
final class IndexedBatch {
  private final List<? extends Row> actions;
  private final Object[] results;
  private final List<Integer> ready = new ArrayList<>();

  private IndexedBatch(List<? extends Row> actions, Object[] results) {
    this.actions = actions;
    this.results = results;
  }

  /** A batch of actions whose entries are written. */
  @FunctionalInterface
  interface Call {
    void run(List<? extends Row> actions, Object[] results) throws IOException;
  }

  /**
   * Makes a batch.
   *
   * @param results each action's result, or the {@link Throwable} that it failed with
   * @throws RetriesExhaustedWithDetailsException if some actions failed
   */
  static void run(
      EntryWriter writer,
      IndexWrites indexes,
      List<? extends Row> actions,
      Object[] results,
      Call call)
      throws IOException {
    List<List<EntryPut>> entries = new ArrayList<>(actions.size());
    for (Row action : actions) {
      entries.add(indexes.entries(action));
    }
    @Nullable Throwable[] failures = writer.write(entries);
    new IndexedBatch(actions, results).run(failures, call);
  }

  private void run(@Nullable Throwable[] failures, Call call) throws IOException {
    List<Row> written = new ArrayList<>(actions.size());
    for (int i = 0; i < failures.length; i++) {
      if (failures[i] == null) {
        ready.add(i);
        written.add(actions.get(i));
      } else {
        results[i] = failures[i];
      }
    }
    Object[] of = new Object[written.size()];
    RetriesExhaustedWithDetailsException ofRows = null;
    try {
      if (!written.isEmpty()) {
        call.run(written, of);
      }
    } catch (RetriesExhaustedWithDetailsException e) {
      ofRows = e;
    } finally {
      take(of);
    }
    if (ofRows != null || written.size() < actions.size()) {
      throw failed(ofRows);
    }
  }

  private void take(Object[] of) {
    for (int i = 0; i < of.length; i++) {
      results[ready.get(i)] = of[i];
    }
  }

  private RetriesExhaustedWithDetailsException failed(
      @Nullable RetriesExhaustedWithDetailsException ofRows) {
    if (ofRows != null && ready.size() == actions.size()) {
      return ofRows;
    }
    List<Throwable> causes = new ArrayList<>();
    List<Row> rows = new ArrayList<>();
    List<String> servers = new ArrayList<>();
    for (int i = 0; i < results.length; i++) {
      if (results[i] instanceof Throwable cause) {
        causes.add(cause);
        rows.add(actions.get(i));
        servers.add("");
      }
    }
    return new RetriesExhaustedWithDetailsException(causes, rows, servers);
  }
}
