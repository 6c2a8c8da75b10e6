/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.row.Attempts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.jspecify.annotations.Nullable;

/** The actions of a batch, with copies that count instead of those that are made once only. */
record CountedActions(
    List<? extends Row> callers,
    List<? extends Row> actions,
    IdentityHashMap<Row, Attempts> attempts) {
  /** The actions of a batch. */
  static CountedActions of(List<? extends Row> callers) throws IOException {
    boolean once = false;
    for (Row action : callers) {
      once |= Attempts.mustBeMadeOnce(action);
    }
    if (!once) {
      return new CountedActions(callers, callers, new IdentityHashMap<>());
    }
    List<Row> actions = new ArrayList<>(callers.size());
    IdentityHashMap<Row, Attempts> attempts = new IdentityHashMap<>();
    for (Row action : callers) {
      Attempts.Counted counted = Attempts.of(action);
      actions.add(counted.action());
      if (counted.attempts() != null) {
        attempts.put(counted.action(), counted.attempts());
      }
    }
    return new CountedActions(callers, actions, attempts);
  }

  /** The counter of an action's attempts; null if the action may be made twice. */
  @Nullable Attempts attempts(int at) {
    return attempts.get(actions.get(at));
  }

  private Row caller(Row action) {
    for (int i = 0; i < actions.size(); i++) {
      if (actions.get(i) == action) {
        return callers.get(i);
      }
    }
    return action;
  }

  /** Returns the failures with the caller's own actions. */
  RetriesExhaustedWithDetailsException ofCaller(RetriesExhaustedWithDetailsException e) {
    if (actions == callers) {
      return e;
    }
    List<Throwable> causes = new ArrayList<>();
    List<Row> rows = new ArrayList<>();
    List<String> servers = new ArrayList<>();
    for (int i = 0; i < e.getNumExceptions(); i++) {
      causes.add(e.getCause(i));
      rows.add(caller(e.getRow(i)));
      servers.add(e.getHostnamePort(i));
    }
    return new RetriesExhaustedWithDetailsException(causes, rows, servers);
  }
}
