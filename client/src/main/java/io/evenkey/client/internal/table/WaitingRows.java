/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.index.IndexWrites;
import io.evenkey.client.internal.index.IndexedWrite;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.row.RowMapping;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.jspecify.annotations.Nullable;

/** Mutations of a table with indexes, with the entries that are written first. Not thread-safe. */
final class WaitingRows {
  private final List<Mutation> mutations = new ArrayList<>();

  /** For each mutation its entries; null if they depend on the row, which is read before. */
  private final List<@Nullable IndexedWrite> writes = new ArrayList<>();

  private @Nullable RowMapping known;
  private long bytes;

  /** The mutations with the entries that they have by the indexes of a mapping. */
  static WaitingRows of(RowMapping rows, List<? extends Mutation> mutations) throws IOException {
    WaitingRows waiting = new WaitingRows();
    waiting.add(rows, mutations);
    return waiting;
  }

  /**
   * The generation, if the mutations can be written to it.
   *
   * @throws io.evenkey.client.failure.IndexRefusedException if they cannot
   */
  static Generation checked(Generation generation, List<? extends Mutation> mutations)
      throws IOException {
    of(generation.rows(), mutations);
    return generation;
  }

  /**
   * Adds all mutations, or none.
   *
   * @throws io.evenkey.client.failure.IndexRefusedException if one could leave a row without its
   *     entry
   */
  void add(RowMapping rows, List<? extends Mutation> more) throws IOException {
    by(rows);
    writes.addAll(needed(rows, more));
    mutations.addAll(more);
    more.forEach(mutation -> bytes += mutation.heapSize());
  }

  private static List<@Nullable IndexedWrite> needed(
      RowMapping rows, List<? extends Mutation> mutations) throws IOException {
    IndexWrites indexes = rows.indexes();
    List<@Nullable IndexedWrite> needed = new ArrayList<>(mutations.size());
    for (Mutation mutation : mutations) {
      Row action = (Row) mutation;
      if (indexes == null) {
        needed.add(new IndexedWrite(action, List.of()));
        continue;
      }
      // Also where the row is still to be read, so that what is refused is refused at once.
      IndexedWrite write = indexes.write(action, Result.EMPTY_RESULT);
      needed.add(indexes.read(action) == null ? write : null);
    }
    return needed;
  }

  /**
   * Makes the entries those of a mapping, by which the rows will be written: the table may have
   * other indexes than when they were added.
   *
   * @throws io.evenkey.client.failure.IndexRefusedException if a row cannot be written by it;
   *     nothing is changed
   */
  void by(RowMapping rows) throws IOException {
    if (known != rows) {
      List<@Nullable IndexedWrite> now = needed(rows, mutations);
      writes.clear();
      writes.addAll(now);
      known = rows;
    }
  }

  /** The mutations with their entries, by the mapping of {@link #by}. */
  List<IndexedWrite> writes(RowReads reads) throws IOException {
    List<Row> open = new ArrayList<>();
    for (int i = 0; i < writes.size(); i++) {
      if (writes.get(i) == null) {
        open.add((Row) mutations.get(i));
      }
    }
    IndexWrites indexes = known == null ? null : known.indexes();
    Iterator<IndexedWrite> read =
        indexes == null
            ? Collections.emptyIterator()
            : EntryWriter.writes(indexes, open, reads).iterator();
    List<IndexedWrite> all = new ArrayList<>(writes.size());
    for (IndexedWrite write : writes) {
      all.add(write == null ? read.next() : write);
    }
    return all;
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

  /**
   * The mutations that cannot be written, with their failures; null if there are none.
   *
   * @param failures for each mutation null, or why its entries are not written
   */
  @Nullable RetriesExhaustedWithDetailsException failed(
      List<? extends @Nullable Throwable> failures) {
    List<Throwable> causes = new ArrayList<>();
    List<Row> rows = new ArrayList<>();
    List<String> servers = new ArrayList<>();
    for (int i = 0; i < failures.size(); i++) {
      Throwable cause = failures.get(i);
      if (cause != null) {
        causes.add(cause);
        rows.add((Row) mutations.get(i));
        servers.add("");
      }
    }
    return causes.isEmpty()
        ? null
        : new RetriesExhaustedWithDetailsException(causes, rows, servers);
  }
}
