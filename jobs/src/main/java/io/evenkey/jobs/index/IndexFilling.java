/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.registry.IndexWork;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;

/**
 * Puts the entries of rows from before an index. The registry has the ranges that are done, so
 * another run goes on where one was killed. Not thread-safe.
 */
final class IndexFilling {
  private static final Duration STORED_EVERY = Duration.ofSeconds(2);

  private final IndexControl control;
  private final EarlierEntries entries;
  private final RowPace pace;

  IndexFilling(IndexControl control, EarlierEntries entries, RowPace pace) {
    this.control = control;
    this.entries = entries;
    this.pace = pace;
  }

  /**
   * Fills to the end.
   *
   * @throws IndexLifeException if a row cannot have an entry
   */
  IndexWork run(IndexWork begun, IndexListener listener) throws IOException {
    listener.begins(IndexListener.Phase.FILL);
    FillingRecord record = new FillingRecord(control, begun);
    long[] storedAt = {System.nanoTime()};
    long[] rows = {record.rowsBefore()};
    try (SpreadTables tables = SpreadTables.on(control.plain())) {
      SpreadTable index = tables.open(entries.entries().table());
      new RegionScans(control.plain(), control.physical(), entries::restricted)
          .read(
              record.filled()::missing,
              (range, batch) -> {
                fill(index, batch, record);
                record.filled().add(range);
              },
              (share, read) -> {
                rows[0] = record.rowsBefore() + read;
                listener.progress(share, rows[0]);
                if (System.nanoTime() - storedAt[0] > STORED_EVERY.toNanos()) {
                  storedAt[0] = System.nanoTime();
                  record.store(rows[0]);
                }
              });
    }
    return record.finish(rows[0]);
  }

  private void fill(SpreadTable index, List<Result> rows, FillingRecord record) throws IOException {
    List<Put> puts = new ArrayList<>(rows.size());
    long count = 0;
    for (Result row : rows) {
      List<Put> ofRow = entries.of(row);
      puts.addAll(ofRow);
      count += ofRow.isEmpty() ? 0 : 1;
    }
    pace.await(rows.size());
    if (!puts.isEmpty()) {
      index.put(puts);
      record.written(count);
    }
  }
}
