/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.jspecify.annotations.Nullable;

/** HBase's report of failed actions, with the caller's own actions in it. Stateless. */
final class Failures {
  private Failures() {}

  /**
   * The end of an action of an asynchronous batch, as HBase's blocking client has it: without the
   * exception in which the asynchronous one wraps each failure.
   */
  static @Nullable Object ofHBase(@Nullable Object end) {
    return end instanceof RetriesExhaustedException exhausted && exhausted.getCause() != null
        ? exhausted.getCause()
        : end;
  }

  /**
   * The report of the actions that failed; null if none did.
   *
   * @param results for each action the {@link Throwable} that it failed with, or anything else
   */
  static @Nullable RetriesExhaustedWithDetailsException of(
      List<?> actions, List<? extends @Nullable Object> results) {
    List<Throwable> causes = new ArrayList<>();
    List<Row> rows = new ArrayList<>();
    List<String> servers = new ArrayList<>();
    for (int i = 0; i < actions.size(); i++) {
      if (results.get(i) instanceof Throwable cause) {
        causes.add(cause);
        rows.add((Row) actions.get(i));
        servers.add("");
      }
    }
    return causes.isEmpty()
        ? null
        : new RetriesExhaustedWithDetailsException(causes, rows, servers);
  }

  /**
   * Names the caller's actions in failures of physical ones.
   *
   * @param toLogical the caller's action for each physical one
   */
  static RetriesExhaustedWithDetailsException logical(
      RetriesExhaustedWithDetailsException physical, UnaryOperator<Row> toLogical) {
    List<Throwable> causes = new ArrayList<>();
    List<Row> rows = new ArrayList<>();
    List<String> servers = new ArrayList<>();
    for (int i = 0; i < physical.getNumExceptions(); i++) {
      causes.add(physical.getCause(i));
      rows.add(toLogical.apply(physical.getRow(i)));
      servers.add(physical.getHostnamePort(i));
    }
    RetriesExhaustedWithDetailsException logical =
        new RetriesExhaustedWithDetailsException(causes, rows, servers);
    logical.setStackTrace(physical.getStackTrace());
    return logical;
  }
}
