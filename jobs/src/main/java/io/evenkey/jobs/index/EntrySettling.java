/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.index.RowEntries;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;

/**
 * Settles the entries of an append-only index whose rows were seen. That is right at any moment,
 * also while clients write: such a row stays. As thread-safe as the index's table.
 */
final class EntrySettling {
  private final RowEntries entries;
  private final SpreadTable index;
  private final LongAdder settled = new LongAdder();

  EntrySettling(RowEntries entries, SpreadTable index) {
    this.entries = entries;
    this.index = index;
  }

  /** An entry and its row, read with tags. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Seen(byte[] entry, Result row) {}

  /** Settles those that can be. */
  void settle(List<Seen> seen) throws IOException {
    List<Put> puts = new ArrayList<>(seen.size());
    for (Seen one : seen) {
      Optional<Put> put = entries.settled(one.entry(), one.row());
      put.ifPresent(puts::add);
    }
    if (!puts.isEmpty()) {
      int count = puts.size();
      index.put(puts);
      settled.add(count);
    }
  }

  /** Entries that were settled. */
  long count() {
    return settled.sum();
  }
}
