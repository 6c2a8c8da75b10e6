/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.index.IndexWrites;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.util.ExceptionUtil;
import org.jspecify.annotations.Nullable;

/**
 * A batch of actions on a table with indexes: the entries of all rows in one batch for each index,
 * then the rows, but only those whose own entries were acknowledged. Not thread-safe.
 */
final class IndexedBatch {
  private final OperationTables tables;
  private final PlannedWrites planned;
  private final List<? extends Row> actions;
  private final Object[] results;
  private final RowReads reads;
  private final Call call;

  /** HBase's own exception, where it is about the caller's actions and no others failed. */
  private @Nullable RetriesExhaustedWithDetailsException ofRows;

  private IndexedBatch(
      OperationTables tables,
      PlannedWrites planned,
      List<? extends Row> actions,
      Object[] results,
      RowReads reads,
      Call call) {
    this.tables = tables;
    this.planned = planned;
    this.actions = actions;
    this.results = results;
    this.reads = reads;
    this.call = call;
  }

  /** A batch of actions whose entries are written. */
  @FunctionalInterface
  interface Call {
    void run(List<? extends Row> actions, Object[] results) throws IOException;
  }

  /**
   * Makes a batch.
   *
   * @param whole whether none of the caller's actions was made yet: then none is made if one of
   *     them is rejected. Of what is repeated, such an action fails by itself.
   * @param results each action's result, or the {@link Throwable} that it failed with
   * @throws RetriesExhaustedWithDetailsException if some actions failed
   * @throws io.evenkey.client.failure.IndexRefusedException if one could leave a row without its
   *     entry; none was made
   * @throws IllegalArgumentException if one has a value that does not fit an index; none was made
   */
  static void run(
      OperationTables tables,
      IndexWrites indexes,
      boolean whole,
      List<? extends Row> actions,
      Object[] results,
      RowReads reads,
      Call call)
      throws IOException {
    PlannedWrites planned = PlannedWrites.of(indexes, actions);
    if (whole) {
      planned.check();
    }
    new IndexedBatch(tables, planned, actions, results, reads, call).run();
  }

  private void run() throws IOException {
    IndexWrites indexes = planned.indexes();
    if (indexes.hasMutable()) {
      Map<ByteBuffer, Throwable> failed = new HashMap<>();
      for (List<Integer> wave : RowWaves.of(actions)) {
        run(withoutFailed(wave, failed));
        for (int i : wave) {
          if (results[i] instanceof Throwable failure) {
            failed.put(ByteBuffer.wrap(actions.get(i).getRow()), failure);
          }
        }
      }
    } else {
      run(IntStream.range(0, actions.size()).boxed().toList());
      if (ofRows != null) {
        throw ofRows;
      }
    }
    throwIfAnyFailed();
  }

  // An action is not made if an earlier one of its row failed: it would overtake that one.
  private List<Integer> withoutFailed(List<Integer> wave, Map<ByteBuffer, Throwable> failed) {
    if (failed.isEmpty()) {
      return wave;
    }
    List<Integer> left = new ArrayList<>(wave.size());
    for (int i : wave) {
      Throwable failure = failed.get(ByteBuffer.wrap(actions.get(i).getRow()));
      if (failure == null) {
        left.add(i);
      } else {
        results[i] = failure;
      }
    }
    return left;
  }

  private void run(List<Integer> places) throws IOException {
    List<PlannedWrite> writes = planned.at(places).read(reads);
    @Nullable Throwable[] failures = EntryWriter.write(tables, writes);
    List<Integer> ready = new ArrayList<>(places.size());
    List<Row> written = new ArrayList<>(places.size());
    for (int i = 0; i < failures.length; i++) {
      if (failures[i] == null) {
        ready.add(places.get(i));
        written.add(writes.get(i).write().action());
      } else {
        results[places.get(i)] = failures[i];
      }
    }
    if (written.isEmpty()) {
      return;
    }
    Object[] of = new Object[written.size()];
    try {
      call.run(written, of);
    } catch (IOException e) {
      ExceptionUtil.rethrowIfInterrupt(e);
      // Not thrown: the actions of earlier waves are made, and must not be made again.
      boolean ofAll = written.size() == actions.size();
      ofRows = ofAll && e instanceof RetriesExhaustedWithDetailsException known ? known : null;
      // Each action that failed has its failure for a result.
      for (int i = 0; i < of.length; i++) {
        of[i] = of[i] == null ? e : of[i];
      }
    } finally {
      for (int i = 0; i < of.length; i++) {
        results[ready.get(i)] = of[i];
      }
    }
  }

  private void throwIfAnyFailed() throws RetriesExhaustedWithDetailsException {
    RetriesExhaustedWithDetailsException failed = Failures.of(actions, Arrays.asList(results));
    if (failed != null) {
      throw failed;
    }
  }
}
