/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.index.EntryFamily;
import io.evenkey.client.index.RowEntries;
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
 * row, so they are only candidates. Thread-safe.
 */
final class StaleEntries {
  /** Candidates that are kept; more are left for another pass. */
  private static final int MOST = 200_000;

  private static final int BATCH = 500;

  private final RowEntries entries;
  private final Layout layout;
  private final SpreadTable table;
  private final Findings findings;
  private final List<Stale> candidates = new ArrayList<>();
  private boolean more;

  StaleEntries(RowEntries entries, SpreadTable table, Findings findings) {
    this.entries = entries;
    this.layout = entries.index().layout();
    this.table = table;
    this.findings = findings;
  }

  /**
   * An entry.
   *
   * @param nonces its columns, when it was read
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Stale(byte[] entry, byte[] row, List<byte[]> nonces) {}

  /** Looks at some stored entries. */
  void collect(List<Result> stored) throws IOException {
    List<Stale> read = new ArrayList<>(stored.size());
    for (Result cells : stored) {
      Stale one = read(cells);
      if (one != null) {
        read.add(one);
      }
    }
    List<Stale> stale = withoutRow(read);
    synchronized (candidates) {
      int room = Math.min(stale.size(), MOST - candidates.size());
      candidates.addAll(stale.subList(0, room));
      more |= room < stale.size();
    }
  }

  private @Nullable Stale read(Result cells) {
    try {
      byte[] entry = layout.logical(cells.getRow());
      List<byte[]> nonces = new ArrayList<>(1);
      cells.getFamilyMap(EntryFamily.name()).keySet().forEach(nonces::add);
      return new Stale(entry, entries.row(entry), nonces);
    } catch (RowException e) {
      findings.found(IndexDifference.Kind.UNREADABLE, ByteText.printable(cells.getRow()));
      return null;
    }
  }

  private List<Stale> withoutRow(List<Stale> some) throws IOException {
    if (some.isEmpty()) {
      return List.of();
    }
    List<Get> gets = some.stream().map(one -> entries.get(one.row())).toList();
    Result[] rows = table.get(gets);
    List<Stale> stale = new ArrayList<>();
    for (int i = 0; i < rows.length; i++) {
      if (!isOf(some.get(i), rows[i])) {
        stale.add(some.get(i));
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
    List<Stale> all;
    synchronized (candidates) {
      all = List.copyOf(candidates);
    }
    List<Stale> still = new ArrayList<>();
    for (int from = 0; from < all.size(); from += BATCH) {
      still.addAll(withoutRow(all.subList(from, Math.min(all.size(), from + BATCH))));
    }
    return still;
  }

  /** Reports entries as stale. */
  void report(List<Stale> stale) {
    stale.forEach(
        one -> findings.found(IndexDifference.Kind.STALE, layout.labelLogical(one.entry())));
  }

  /** Removes exactly the columns of some entries. */
  void remove(List<Stale> stale, SpreadTable index) throws IOException {
    for (int from = 0; from < stale.size(); from += BATCH) {
      List<Delete> removals = new ArrayList<>();
      for (Stale one : stale.subList(from, Math.min(stale.size(), from + BATCH))) {
        removals.add(RowEntries.removal(one.entry(), one.nonces()));
      }
      int count = removals.size();
      index.delete(removals);
      findings.removed(count);
    }
  }
}
