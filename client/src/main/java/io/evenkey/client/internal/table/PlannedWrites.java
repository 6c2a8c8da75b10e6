/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.index.IndexWrites;
import java.io.IOException;
import java.util.ArrayList;
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
    List<PlannedWrite> list = new ArrayList<>(actions.size());
    for (Row action : actions) {
      list.add(PlannedWrite.of(indexes, action));
    }
    return new PlannedWrites(indexes, list);
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
