/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.index.IndexWrites;
import io.evenkey.client.internal.index.IndexedWrite;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;

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
   * @param rows the answers to the reads
   * @throws IndexRefusedException if one could leave a row without its entry
   */
  List<IndexedWrite> writes(List<Result> rows) throws IndexRefusedException {
    List<IndexedWrite> writes = new ArrayList<>(places.length);
    for (int i = 0; i < places.length; i++) {
      Result row = places[i] == NOTHING_READ ? Result.EMPTY_RESULT : rows.get(places[i]);
      writes.add(indexes.write(actions.get(i), row));
    }
    return writes;
  }
}
