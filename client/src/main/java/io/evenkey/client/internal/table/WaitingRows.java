/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.index.IndexWrites;
import io.evenkey.client.internal.index.IndexedWrite;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.row.RowMapping;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Row;
import org.jspecify.annotations.Nullable;

/** Mutations of a table with indexes, with the entries that are written first. Not thread-safe. */
final class WaitingRows {
  private final List<Mutation> mutations = new ArrayList<>();

  /** For each mutation its entries, or the read of the row on which they depend. */
  private final List<PlannedWrite> writes = new ArrayList<>();

  private @Nullable RowMapping known;
  private long bytes;

  /** The mutations with the entries that they have by the indexes of a mapping. */
  static WaitingRows of(RowMapping rows, List<? extends Mutation> mutations) {
    WaitingRows waiting = new WaitingRows();
    waiting.known = rows;
    waiting.addPlanned(mutations, planned(rows, mutations));
    return waiting;
  }

  /**
   * The generation, if the mutations can be written to it.
   *
   * @throws io.evenkey.client.failure.IndexRefusedException if they cannot
   */
  static Generation checked(Generation generation, List<? extends Mutation> mutations)
      throws IOException {
    check(planned(generation.rows(), mutations));
    return generation;
  }

  /**
   * Adds all mutations, or none.
   *
   * @throws io.evenkey.client.failure.IndexRefusedException if one could leave a row without its
   *     entry
   * @throws IllegalArgumentException if one has a value that does not fit an index
   */
  void add(RowMapping rows, List<? extends Mutation> more) throws IOException {
    List<PlannedWrite> planned = planned(rows, more);
    check(planned);
    by(rows);
    addPlanned(more, planned);
  }

  private void addPlanned(List<? extends Mutation> more, List<PlannedWrite> planned) {
    mutations.addAll(more);
    writes.addAll(planned);
    more.forEach(mutation -> bytes += mutation.heapSize());
  }

  private static void check(List<PlannedWrite> planned) throws IOException {
    for (PlannedWrite write : planned) {
      write.orThrow();
    }
  }

  private static List<PlannedWrite> planned(RowMapping rows, List<? extends Mutation> mutations) {
    IndexWrites indexes = rows.indexes();
    List<Row> actions = mutations.stream().map(mutation -> (Row) mutation).toList();
    return indexes == null
        ? actions.stream()
            .map(action -> PlannedWrite.ready(new IndexedWrite(action, List.of())))
            .toList()
        : PlannedWrites.of(indexes, actions).list();
  }

  /**
   * Makes the entries those of a mapping, by which the rows will be written: the table may have
   * other indexes than when they were added. A row that cannot be written by it fails when it is
   * written, and no other one does.
   */
  void by(RowMapping rows) {
    if (known != rows) {
      List<PlannedWrite> now = planned(rows, mutations);
      writes.clear();
      writes.addAll(now);
      known = rows;
    }
  }

  /**
   * The mutations with their entries, by the mapping of {@link #by}.
   *
   * @throws InterruptedIOException if the caller is interrupted
   */
  List<PlannedWrite> planned(RowReads reads) throws InterruptedIOException {
    IndexWrites indexes = known == null ? null : known.indexes();
    return indexes == null
        ? List.copyOf(writes)
        : new PlannedWrites(indexes, List.copyOf(writes)).read(reads);
  }

  /**
   * Parts to be written one after the other: several only if the table has an index of mutable rows
   * and there are several mutations of one row.
   */
  List<WaitingRows> waves() {
    IndexWrites indexes = known == null ? null : known.indexes();
    if (indexes == null || !indexes.hasMutable()) {
      return List.of(this);
    }
    List<WaitingRows> parts = new ArrayList<>();
    List<Row> actions = mutations.stream().map(mutation -> (Row) mutation).toList();
    for (List<Integer> wave : RowWaves.of(actions)) {
      WaitingRows part = new WaitingRows();
      for (int i : wave) {
        part.mutations.add(mutations.get(i));
        part.writes.add(writes.get(i));
      }
      part.known = known;
      parts.add(part);
    }
    return parts;
  }

  boolean isEmpty() {
    return mutations.isEmpty();
  }

  /** The size of the mutations on the heap, without their entries. */
  long bytes() {
    return bytes;
  }

  /** The number of mutations. */
  int count() {
    return mutations.size();
  }

  /** The mutations, in the order in which they were added. */
  List<Mutation> mutations() {
    return mutations;
  }

  /** All that there is; nothing is kept. */
  WaitingRows takeAll() {
    WaitingRows all = new WaitingRows();
    all.mutations.addAll(mutations);
    all.writes.addAll(writes);
    all.known = known;
    mutations.clear();
    writes.clear();
    bytes = 0;
    return all;
  }
}
