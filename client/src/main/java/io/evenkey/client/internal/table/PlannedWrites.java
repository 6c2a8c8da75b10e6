/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.index.IndexWrites;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.util.ExceptionUtil;

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

  /** Those at some places. */
  PlannedWrites at(List<Integer> places) {
    return new PlannedWrites(indexes, places.stream().map(list::get).toList());
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
   * @throws InterruptedIOException if the caller is interrupted
   */
  List<PlannedWrite> read(RowReads reads) throws InterruptedIOException {
    List<Get> gets = gets();
    if (gets.isEmpty()) {
      return list;
    }
    try {
      return after(Arrays.asList(reads.read(gets)));
    } catch (IOException e) {
      ExceptionUtil.rethrowIfInterrupt(e);
      return after(Collections.nCopies(gets.size(), e));
    }
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
