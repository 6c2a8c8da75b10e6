/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.index.IndexWrites;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;

/**
 * Several actions on a table with indexes, before and after the rows are read on which their
 * entries depend. Immutable.
 *
 * @param list in the order of the actions
 */
record PlannedWrites(IndexWrites indexes, List<PlannedWrite> list) {
  /** The actions with the entries that do not depend on their rows. */
  static PlannedWrites of(IndexWrites indexes, List<? extends Row> actions) {
    return of(indexes, actions, new IdentityHashMap<>());
  }

  private static PlannedWrites of(
      IndexWrites indexes, List<? extends Row> actions, IdentityHashMap<Row, PlannedWrite> known) {
    List<PlannedWrite> list = new ArrayList<>(actions.size());
    for (Row action : actions) {
      PlannedWrite planned = known.remove(action);
      list.add(planned == null ? PlannedWrite.of(indexes, action) : planned);
    }
    return new PlannedWrites(indexes, list);
  }

  /** Plans actions. */
  @FunctionalInterface
  interface Planner {
    PlannedWrites plan(IndexWrites indexes, List<? extends Row> actions);
  }

  /**
   * A planner that takes each of these plans once, for the same indexes and the same action, which
   * has not changed since. An action that is repeated gets entries of its own again, since those of
   * its first attempt may have been swept away. Not thread-safe.
   *
   * @param actions of these plans
   */
  @SuppressWarnings("ReferenceEquality") // equal ones of another generation make other entries
  Planner planner(List<? extends Row> actions) {
    IdentityHashMap<Row, PlannedWrite> known = new IdentityHashMap<>();
    for (int i = 0; i < list.size(); i++) {
      known.put(actions.get(i), list.get(i));
    }
    return (others, some) -> others == indexes ? of(others, some, known) : of(others, some);
  }

  /**
   * Checks that all actions can be made, as far as that is known.
   *
   * @throws io.evenkey.client.failure.IndexRefusedException if one could leave a row without its
   *     entry
   * @throws IllegalArgumentException if one has a value that does not fit an index
   */
  void check() throws IOException {
    for (PlannedWrite each : list) {
      each.orThrow();
    }
  }

  /** The reads, by logical keys; none if no entry depends on its row. */
  List<Get> gets() {
    List<Get> gets = new ArrayList<>();
    for (PlannedWrite each : list) {
      if (each.read() != null) {
        gets.add(each.read());
      }
    }
    return gets;
  }

  /**
   * The actions with all their entries.
   *
   * @param answers to the reads: for each a {@link Result}, or the {@link Throwable} that it failed
   *     with
   */
  List<PlannedWrite> after(List<?> answers) {
    List<PlannedWrite> all = new ArrayList<>(list.size());
    int next = 0;
    for (PlannedWrite each : list) {
      all.add(each.read() == null ? each : each.after(indexes, answers.get(next++)));
    }
    return all;
  }
}
