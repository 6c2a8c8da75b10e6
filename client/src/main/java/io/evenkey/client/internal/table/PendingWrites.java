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

/** Actions on a table with indexes, before the rows are read on which their entries depend. */
final class PendingWrites {
  private static final int NOTHING_READ = -1;

  private final IndexWrites indexes;
  private final List<? extends Row> actions;
  private final List<Get> gets = new ArrayList<>();

  /** For each action the place of its read. */
  private final int[] places;

  PendingWrites(IndexWrites indexes, List<? extends Row> actions) {
    this.indexes = indexes;
    this.actions = actions;
    this.places = new int[actions.size()];
    for (int i = 0; i < places.length; i++) {
      Get get = indexes.read(actions.get(i));
      places[i] = get == null ? NOTHING_READ : gets.size();
      if (get != null) {
        gets.add(get);
      }
    }
  }

  /** The reads, by logical keys; none if no entry depends on its row. */
  List<Get> gets() {
    return gets;
  }

  /**
   * The actions with their entries.
   *
   * @throws InterruptedIOException if the caller is interrupted
   */
  List<PlannedWrite> planned(RowReads reads) throws InterruptedIOException {
    return planned(gets.isEmpty() ? List.of() : answers(reads));
  }

  private List<?> answers(RowReads reads) throws InterruptedIOException {
    try {
      return Arrays.asList(reads.read(gets));
    } catch (IOException e) {
      ExceptionUtil.rethrowIfInterrupt(e);
      return Collections.nCopies(gets.size(), e);
    }
  }

  /**
   * The actions with their entries.
   *
   * @param answers to the reads: for each a {@link Result}, or the {@link Throwable} that it failed
   *     with
   */
  List<PlannedWrite> planned(List<?> answers) {
    List<PlannedWrite> planned = new ArrayList<>(places.length);
    for (int i = 0; i < places.length; i++) {
      Object row = places[i] == NOTHING_READ ? Result.EMPTY_RESULT : answers.get(places[i]);
      planned.add(planned(actions.get(i), row));
    }
    return planned;
  }

  private PlannedWrite planned(Row action, Object row) {
    if (row instanceof Result read) {
      return PlannedWrite.of(indexes, action, read);
    }
    return PlannedWrite.failed(
        action, row instanceof Exception failure ? failure : new IOException((Throwable) row));
  }
}
