/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.internal.index.RowEntries;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;

/**
 * Settles the entries of an append-only index whose rows were seen. That is right at any moment,
 * also while clients write: such a row stays. The columns of its writes are not needed any more
 * then, and are removed if rows stay for ever. As thread-safe as the index's table.
 */
final class EntrySettling {
  private final RowEntries entries;
  private final SpreadTable index;
  private final RowLife life;
  private final LongAdder settled = new LongAdder();

  /**
   * @param life how long rows stay. If they end, a row that is written again, with the same values
   *     and a later time, is under way with an entry that has to stay as long
   */
  EntrySettling(RowEntries entries, SpreadTable index, RowLife life) {
    this.entries = entries;
    this.index = index;
    this.life = life;
  }

  /**
   * An entry and its row, read with tags.
   *
   * @param columns those that the entry had, when it was read
   * @param latest the latest time that these had
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Seen(byte[] entry, Result row, List<byte[]> columns, long latest) {}

  /** Settles those that can be. */
  void settle(List<Seen> seen) throws IOException {
    List<Put> puts = new ArrayList<>(seen.size());
    List<Seen> put = new ArrayList<>(seen.size());
    for (Seen one : seen) {
      Optional<Put> of = entries.settled(one.entry(), one.row());
      if (of.isPresent()) {
        puts.add(life.settled(of.get()));
        put.add(one);
      }
    }
    if (!puts.isEmpty()) {
      index.put(puts);
      if (life.isForEver()) {
        removeOthers(put);
      } else {
        settled.add(puts.size());
      }
    }
  }

  // A settled cell has the time of its row, so the tombstone of an earlier one may hide it. Then
  // the others are the entry, until a major compaction.
  private void removeOthers(List<Seen> put) throws IOException {
    Result[] now = index.get(put.stream().map(one -> new Get(one.entry())).toList());
    List<Delete> removals = new ArrayList<>(put.size());
    for (int i = 0; i < now.length; i++) {
      Seen one = put.get(i);
      if (entries.isSettled(now[i])) {
        removals.add(RowEntries.removal(one.entry(), one.columns(), one.latest()));
      }
    }
    settled.add(removals.size());
    index.delete(removals);
  }

  /** Entries that were settled. */
  long count() {
    return settled.sum();
  }
}
