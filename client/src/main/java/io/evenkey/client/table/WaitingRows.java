/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.table;

import io.evenkey.client.index.EntryPut;
import io.evenkey.client.index.IndexWrites;
import io.evenkey.client.route.Generation;
import io.evenkey.client.row.RowMapping;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.jspecify.annotations.Nullable;

/** Mutations of a table with indexes, with the entries that are written first. Not thread-safe. */
final class WaitingRows {
  private final List<Mutation> mutations = new ArrayList<>();
  private final List<List<EntryPut>> entries = new ArrayList<>();
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
   * @throws io.evenkey.client.index.IndexRefusedException if they cannot
   */
  static Generation checked(Generation generation, List<? extends Mutation> mutations)
      throws IOException {
    of(generation.rows(), mutations);
    return generation;
  }

  /**
   * Adds all mutations, or none.
   *
   * @throws io.evenkey.client.index.IndexRefusedException if one could leave a row without its
   *     entry
   */
  void add(RowMapping rows, List<? extends Mutation> more) throws IOException {
    by(rows);
    entries.addAll(needed(rows, more));
    mutations.addAll(more);
    more.forEach(mutation -> bytes += mutation.heapSize());
  }

  private static List<List<EntryPut>> needed(RowMapping rows, List<? extends Mutation> mutations)
      throws IOException {
    IndexWrites indexes = rows.indexes();
    List<List<EntryPut>> needed = new ArrayList<>(mutations.size());
    for (Mutation mutation : mutations) {
      needed.add(indexes == null ? List.of() : indexes.entries((Row) mutation));
    }
    return needed;
  }

  /**
   * Makes the entries those of a mapping, by which the rows will be written: the table may have
   * other indexes than when they were added.
   *
   * @throws io.evenkey.client.index.IndexRefusedException if a row cannot be written by it; nothing
   *     is changed
   */
  void by(RowMapping rows) throws IOException {
    if (known != rows) {
      List<List<EntryPut>> now = needed(rows, mutations);
      entries.clear();
      entries.addAll(now);
      known = rows;
    }
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

  /** The entries of each mutation. */
  List<List<EntryPut>> entries() {
    return entries;
  }

  /** All that there is; nothing is kept. */
  WaitingRows takeAll() {
    WaitingRows all = new WaitingRows();
    all.mutations.addAll(mutations);
    all.entries.addAll(entries);
    all.known = known;
    mutations.clear();
    entries.clear();
    bytes = 0;
    return all;
  }

  /**
   * The mutations whose entries are written.
   *
   * @param failures for each mutation null, or why its entries are not
   */
  List<Mutation> written(@Nullable Throwable[] failures) {
    List<Mutation> written = new ArrayList<>(mutations.size());
    for (int i = 0; i < failures.length; i++) {
      if (failures[i] == null) {
        written.add(mutations.get(i));
      }
    }
    return written;
  }

  /** The others, with their failures; null if there are none. */
  @Nullable RetriesExhaustedWithDetailsException failed(@Nullable Throwable[] failures) {
    List<Throwable> causes = new ArrayList<>();
    List<Row> rows = new ArrayList<>();
    List<String> servers = new ArrayList<>();
    for (int i = 0; i < failures.length; i++) {
      Throwable cause = failures[i];
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
