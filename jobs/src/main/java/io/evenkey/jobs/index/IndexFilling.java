/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.index.RowEntries;
import io.evenkey.client.internal.registry.IndexWork;
import io.evenkey.jobs.security.CellSecurity;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.key.RowException;
import io.evenkey.layout.text.LayoutException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * Writes the entries of rows from before an index. The registry has the ranges that are done, so
 * another run goes on where one was killed; its entries have the same nonce, so that writing one
 * again changes nothing. Not thread-safe.
 */
final class IndexFilling {
  private static final Duration STORED_EVERY = Duration.ofSeconds(2);

  private final IndexControl control;
  private final RowEntries entries;
  private final Layout layout;
  private final FillingPace pace;
  private final LongAdder written = new LongAdder();

  IndexFilling(IndexControl control, RowEntries entries, FillingPace pace) throws IOException {
    this.control = control;
    this.entries = entries;
    this.layout = control.layout();
    this.pace = pace;
  }

  /**
   * Fills to the end.
   *
   * @throws IndexLifeException if a row cannot have an entry
   */
  IndexWork run(IndexWork begun, IndexListener listener) throws IOException {
    listener.begins(IndexListener.Step.FILL);
    IndexWork.Filling before = begun.filling();
    byte[] nonce = ByteText.fromHex(before.nonce());
    FilledRanges filled = FilledRanges.of(before.done());
    long[] storedAt = {System.nanoTime()};
    long[] rows = {before.rows()};
    try (SpreadTables tables = SpreadTables.on(control.plain())) {
      SpreadTable index = tables.open(entries.table());
      new RegionScans(control.plain(), control.physical(), entries::restricted)
          .read(
              filled::missing,
              (range, batch) -> {
                fill(index, batch, nonce);
                filled.add(range);
              },
              (share, read) -> {
                rows[0] = before.rows() + read;
                listener.progress(share, rows[0]);
                if (System.nanoTime() - storedAt[0] > STORED_EVERY.toNanos()) {
                  storedAt[0] = System.nanoTime();
                  store(begun, filled, rows[0], null);
                }
              });
    }
    return store(begun, filled, rows[0], Instant.now().truncatedTo(ChronoUnit.MILLIS));
  }

  private IndexWork store(
      IndexWork begun, FilledRanges filled, long rows, @Nullable Instant finished)
      throws IOException {
    IndexWork.Filling before = begun.filling();
    IndexWork now =
        begun.with(
            new IndexWork.Filling(
                before.nonce(),
                finished == null ? filled.stored() : List.of(),
                rows,
                before.entries() + written.sum(),
                finished));
    control.registry().indexes().store(now);
    return now;
  }

  private void fill(SpreadTable index, List<Result> rows, byte[] nonce) throws IOException {
    List<Put> puts = new ArrayList<>(rows.size());
    for (Result row : rows) {
      Put put = entry(row, nonce);
      if (put != null) {
        puts.add(put);
      }
    }
    pace.await(rows.size());
    if (!puts.isEmpty()) {
      index.put(puts);
      written.add(puts.size());
    }
  }

  private @Nullable Put entry(Result row, byte[] nonce) throws IOException {
    byte[] logical;
    try {
      logical = layout.logical(row.getRow());
    } catch (RowException e) {
      // Not a row of the layout: clients do not read it by the table either.
      return null;
    }
    try {
      byte[] key = entries.key(logical, row).orElse(null);
      if (key == null) {
        return null;
      }
      checkCells(row, logical);
      return entries.settled(key, row).orElseGet(() -> entries.earlier(key, row, nonce));
    } catch (LayoutException e) {
      throw IndexLifeException.of(
          control.table(),
          "row that the index cannot hold",
          "index="
              + entries.index().name()
              + " row=\""
              + layout.labelLogical(logical)
              + "\" problem=\""
              + e.getMessage()
              + '"',
          "delete the row, or write it again as it should be, and repeat the command; or drop the"
              + " index");
    }
  }

  // An entry without them would show the values to those who may not see the row.
  private void checkCells(Result row, byte[] logical) throws IndexLifeException {
    if (CellSecurity.isInRow(row)) {
      throw IndexLifeException.of(
          control.table(),
          "row from before the index has cells with labels or rights of their own",
          "index=" + entries.index().name() + " row=\"" + layout.labelLogical(logical) + '"',
          "its entry would not have them: write the row again, or drop the index");
    }
  }
}
