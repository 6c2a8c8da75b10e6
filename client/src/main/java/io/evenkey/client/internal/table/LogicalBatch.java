/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.row.RowMapping;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;

/**
 * A batch of actions on one generation: HBase gets physical actions, and the caller gets logical
 * results, and failures that name its own actions. Not thread-safe.
 */
final class LogicalBatch {
  private final RowMapping rows;
  private final List<? extends Row> physical;

  /** The caller's action by the physical one; empty if both are the same. */
  private final IdentityHashMap<Row, Row> callers;

  private LogicalBatch(
      RowMapping rows, List<? extends Row> physical, IdentityHashMap<Row, Row> callers) {
    this.rows = rows;
    this.physical = physical;
    this.callers = callers;
  }

  /** One of HBase's batch methods. */
  @FunctionalInterface
  interface Call {
    void run(List<? extends Row> physical) throws IOException, InterruptedException;
  }

  static LogicalBatch of(RowMapping rows, List<? extends Row> actions) throws IOException {
    IdentityHashMap<Row, Row> callers = new IdentityHashMap<>();
    List<Row> physical = new ArrayList<>(actions.size());
    for (Row action : actions) {
      // HBase rejects null in its own way.
      Row mapped = action == null ? action : rows.physical(action);
      physical.add(mapped);
      if (mapped != action) {
        callers.put(mapped, action);
      }
    }
    return new LogicalBatch(rows, physical, callers);
  }

  /**
   * Runs the batch.
   *
   * @param results the array that the call fills; afterwards it has logical results, also if the
   *     call fails
   */
  void run(Object[] results, Call call) throws IOException {
    try {
      call.run(physical);
    } catch (RetriesExhaustedWithDetailsException e) {
      throw callers.isEmpty() ? e : Failures.logical(e, this::caller);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted in a batch").initCause(e);
    } finally {
      for (int i = 0; !callers.isEmpty() && i < results.length; i++) {
        results[i] = rows.results().logicalResult(results[i]);
      }
    }
  }

  private Row caller(Row mapped) {
    return callers.getOrDefault(mapped, mapped);
  }
}
