/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.internal.index.EntryFamily;
import io.evenkey.client.internal.index.RowEntries;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.key.RowException;
import io.evenkey.layout.text.LayoutException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * Collects entries whose row is absent or has other values. A writer may still be about to put the
 * row, so they are only candidates. Entries whose row is there are settled, if the index is
 * append-only. Thread-safe.
 */
final class StaleEntries {
  /** Candidates that are kept; more are left for another pass. */
  private static final int MOST = 200_000;

  private static final int BATCH = 500;

  private final RowEntries entries;
  private final Layout layout;
  private final SpreadTable table;
  private final Findings findings;
  private final @Nullable EntrySettling settling;
  private final boolean all;
  private final List<Stale> candidates = new ArrayList<>();
  private boolean more;

  /**
   * @param settling null to leave entries as they are
   * @param all whether to look for the rows of settled entries too
   */
  StaleEntries(
      RowEntries entries,
      SpreadTable table,
      Findings findings,
      @Nullable EntrySettling settling,
      boolean all) {
    this.entries = entries;
    this.layout = entries.index().layout();
    this.table = table;
    this.findings = findings;
    this.settling = settling;
    this.all = all;
  }

  /**
   * An entry.
   *
   * @param columns its columns, when it was read
   * @param settled whether readers take it for its row
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Stale(byte[] entry, byte[] row, List<byte[]> columns, boolean settled) {}

  /** Looks at some stored entries. */
  void collect(List<Result> stored) throws IOException {
    List<Stale> read = new ArrayList<>(stored.size());
    for (Result cells : stored) {
      Stale one = read(cells);
      if (one != null) {
        read.add(one);
      }
    }
    List<EntrySettling.Seen> seen = new ArrayList<>();
    List<Stale> stale = withoutRow(read, seen);
    if (settling != null) {
      settling.settle(seen);
    }
    synchronized (candidates) {
      int room = Math.min(stale.size(), MOST - candidates.size());
      candidates.addAll(stale.subList(0, room));
      more |= room < stale.size();
    }
  }

  private @Nullable Stale read(Result cells) {
    try {
      byte[] entry = layout.logical(cells.getRow());
      boolean settled = entries.isSettled(cells);
      if (settled && !all) {
        return null;
      }
      List<byte[]> columns = List.copyOf(cells.getFamilyMap(EntryFamily.name()).keySet());
      return new Stale(entry, entries.row(entry), columns, settled);
    } catch (RowException e) {
      findings.found(IndexDifference.Kind.UNREADABLE, ByteText.printable(cells.getRow()));
      return null;
    }
  }

  /**
   * @param seen takes those that have their row and are not settled
   */
  private List<Stale> withoutRow(List<Stale> some, List<EntrySettling.Seen> seen)
      throws IOException {
    if (some.isEmpty()) {
      return List.of();
    }
    List<Get> gets = some.stream().map(one -> entries.get(one.row())).toList();
    Result[] rows = table.get(gets);
    List<Stale> stale = new ArrayList<>();
    for (int i = 0; i < rows.length; i++) {
      Stale one = some.get(i);
      if (!isOf(one, rows[i])) {
        stale.add(one);
      } else if (!one.settled()) {
        seen.add(new EntrySettling.Seen(one.entry(), rows[i], one.columns()));
      }
    }
    return stale;
  }

  private boolean isOf(Stale entry, Result cells) {
    try {
      return !cells.isEmpty()
          && entries
              .key(entry.row(), cells)
              .filter(key -> Arrays.equals(key, entry.entry()))
              .isPresent();
    } catch (LayoutException e) {
      return false;
    }
  }

  /** Whether there were more candidates than are kept. */
  boolean hasMore() {
    synchronized (candidates) {
      return more;
    }
  }

  /** Looks again at the candidates: those that are still without their row. */
  List<Stale> stillStale() throws IOException {
    List<Stale> found;
    synchronized (candidates) {
      found = List.copyOf(candidates);
    }
    List<Stale> still = new ArrayList<>();
    for (int from = 0; from < found.size(); from += BATCH) {
      List<Stale> some = found.subList(from, Math.min(found.size(), from + BATCH));
      still.addAll(withoutRow(some, new ArrayList<>()));
    }
    return still;
  }

  /** Reports entries as stale; a settled one only if it did not end with its row. */
  void report(List<Stale> stale, SpreadTable index) throws IOException {
    for (Stale one : stale) {
      boolean phantom = one.settled() && entries.isSettled(index.get(new Get(one.entry())));
      if (phantom || !one.settled()) {
        findings.found(
            phantom ? IndexDifference.Kind.PHANTOM : IndexDifference.Kind.STALE,
            layout.labelLogical(one.entry()));
      }
    }
  }

  /** Removes exactly the columns of some entries. */
  void remove(List<Stale> stale, SpreadTable index) throws IOException {
    for (int from = 0; from < stale.size(); from += BATCH) {
      List<Delete> removals = new ArrayList<>();
      for (Stale one : stale.subList(from, Math.min(stale.size(), from + BATCH))) {
        removals.add(RowEntries.removal(one.entry(), one.columns()));
      }
      int count = removals.size();
      long settled = stale.subList(from, from + count).stream().filter(Stale::settled).count();
      index.delete(removals);
      findings.removed(count);
      findings.removedPhantoms(settled);
    }
  }
}
