/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.internal.index.EntryFamily;
import io.evenkey.client.internal.index.RowEntries;
import io.evenkey.jobs.security.CellSecurity;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.key.RowException;
import io.evenkey.layout.text.LayoutException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * Collects entries whose row is absent or has other values. A writer may still be about to put the
 * row, so they are only candidates. A comparison looks again at its candidates whenever it keeps
 * many, so that all are reported. Where entries are removed, those that are not kept are left for
 * another pass, since all of a pass are to be collected before servers refuse earlier writes.
 * Entries whose row is there are settled, if the index is append-only. Thread-safe.
 */
final class StaleEntries {
  /** Candidates that are kept. */
  static final int MOST = 200_000;

  private static final int BATCH = 500;

  private final RowEntries entries;
  private final Layout layout;
  private final SpreadTable table;
  private final SpreadTable index;
  private final Findings findings;
  private final @Nullable EntrySettling settling;
  private final boolean all;
  private final int most;
  private final List<Stale> candidates = new ArrayList<>();
  private volatile boolean again;
  private boolean more;

  /**
   * @param index its table
   * @param settling null to compare only, and to leave entries as they are
   * @param all whether to look for the rows of settled entries too
   * @param most candidates that are kept
   */
  StaleEntries(
      RowEntries entries,
      SpreadTable table,
      SpreadTable index,
      Findings findings,
      @Nullable EntrySettling settling,
      boolean all,
      int most) {
    this.entries = entries;
    this.layout = entries.index().layout();
    this.table = table;
    this.index = index;
    this.findings = findings;
    this.settling = settling;
    this.all = all;
    this.most = most;
  }

  /**
   * An entry.
   *
   * @param columns its columns, when it was read
   * @param latest the latest time that these had
   * @param settled whether readers take it for its row
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Stale(byte[] entry, byte[] row, List<byte[]> columns, long latest, boolean settled) {}

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
      if (settling == null) {
        candidates.addAll(stale);
        if (candidates.size() >= most) {
          // The other threads wait for this, or they would keep as many.
          report();
          candidates.clear();
        }
      } else {
        int room = Math.min(stale.size(), most - candidates.size());
        candidates.addAll(stale.subList(0, room));
        more |= room < stale.size();
      }
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
      return new Stale(entry, entries.row(entry), columns, latest(cells), settled);
    } catch (RowException e) {
      if (!again) {
        findings.found(IndexDifference.Kind.UNREADABLE, ByteText.printable(cells.getRow()));
      }
      return null;
    }
  }

  private static long latest(Result cells) {
    long latest = 0;
    for (Cell cell : cells.rawCells()) {
      latest = Math.max(latest, cell.getTimestamp());
    }
    return latest;
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
        if (!isOfHiddenVersions(one, rows[i])) {
          stale.add(one);
        }
      } else if (!one.settled()) {
        seen.add(new EntrySettling.Seen(one.entry(), rows[i], one.columns(), one.latest()));
      }
    }
    return stale;
  }

  /** Whether readers from whom labels or rights hide the row's newest values see those before. */
  private boolean isOfHiddenVersions(Stale entry, Result cells) throws IOException {
    if (!CellSecurity.isInRow(cells)) {
      return false;
    }
    Result versions = table.get(entries.get(entry.row()).readAllVersions());
    return entries.isOfVersions(entry.entry(), entry.row(), versions);
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

  /**
   * Begins another pass, for the candidates that were not kept.
   *
   * @return whether there are any
   */
  boolean begin() {
    synchronized (candidates) {
      boolean left = more;
      candidates.clear();
      more = false;
      again = true;
      return left;
    }
  }

  /**
   * Looks again at the candidates that are kept, and reports those that are still without their
   * row. A settled one is reported only if it did not end with its row.
   *
   * @return whether there are any
   */
  boolean report() throws IOException {
    boolean any = false;
    for (List<Stale> some : batches()) {
      List<Stale> still = withoutRow(some, new ArrayList<>());
      any |= !still.isEmpty();
      report(still);
    }
    return any;
  }

  private void report(List<Stale> stale) throws IOException {
    List<Stale> settled = stale.stream().filter(Stale::settled).toList();
    Result[] now = index.get(settled.stream().map(one -> new Get(one.entry())).toList());
    for (Stale one : stale) {
      if (!one.settled()) {
        findings.found(IndexDifference.Kind.STALE, layout.labelLogical(one.entry()));
      }
    }
    for (int i = 0; i < now.length; i++) {
      if (entries.isSettled(now[i])) {
        findings.found(IndexDifference.Kind.PHANTOM, layout.labelLogical(settled.get(i).entry()));
      }
    }
  }

  /**
   * Looks again at the candidates that are kept, and removes exactly the columns of those that are
   * still without their row.
   */
  void remove() throws IOException {
    for (List<Stale> some : batches()) {
      List<Stale> still = withoutRow(some, new ArrayList<>());
      if (!still.isEmpty()) {
        index.delete(
            still.stream()
                .map(one -> RowEntries.removal(one.entry(), one.columns(), one.latest()))
                .toList());
        findings.removed(still.size());
        findings.removedPhantoms(still.stream().filter(Stale::settled).count());
      }
    }
  }

  /** The candidates that are kept, some at a time. */
  private List<List<Stale>> batches() {
    synchronized (candidates) {
      List<List<Stale>> batches = new ArrayList<>();
      for (int from = 0; from < candidates.size(); from += BATCH) {
        batches.add(
            List.copyOf(candidates.subList(from, Math.min(candidates.size(), from + BATCH))));
      }
      return batches;
    }
  }
}
