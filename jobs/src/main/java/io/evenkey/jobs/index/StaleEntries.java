/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.internal.index.EntryFamily;
import io.evenkey.client.internal.index.RowEntries;
import io.evenkey.jobs.file.ScratchFile;
import io.evenkey.jobs.security.CellSecurity;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.text.LayoutException;
import io.evenkey.layout.text.RowException;
import java.io.Closeable;
import java.io.DataInput;
import java.io.DataOutput;
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
 * row, so they are only candidates, which are looked at again when all are collected: where entries
 * are removed, servers refuse earlier writes by then. Candidates are kept in a file, so one scan of
 * the index is enough however many there are. Entries whose row is there are settled, if the index
 * is append-only. Thread-safe while it collects.
 */
final class StaleEntries implements Closeable {
  /** Candidates that are looked at together. */
  static final int BATCH = 500;

  private final RowEntries entries;
  private final Layout layout;
  private final SpreadTable table;
  private final SpreadTable index;
  private final Findings findings;
  private final @Nullable EntrySettling settling;
  private final boolean all;
  private final ScratchFile candidates;
  private long count;

  /**
   * @param index its table
   * @param settling null to compare only, and to leave entries as they are
   * @param all whether to look for the rows of settled entries too
   */
  StaleEntries(
      RowEntries entries,
      SpreadTable table,
      SpreadTable index,
      Findings findings,
      @Nullable EntrySettling settling,
      boolean all)
      throws IOException {
    this.entries = entries;
    this.layout = entries.index().layout();
    this.table = table;
    this.index = index;
    this.findings = findings;
    this.settling = settling;
    this.all = all;
    this.candidates = ScratchFile.create("stale");
  }

  /**
   * An entry.
   *
   * @param columns its columns, when it was read
   * @param latest the latest time that these had
   * @param settled whether readers take it for its row
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Stale(byte[] entry, byte[] row, List<byte[]> columns, long latest, boolean settled) {
    private void write(DataOutput out) throws IOException {
      write(out, entry);
      write(out, row);
      out.writeInt(columns.size());
      for (byte[] column : columns) {
        write(out, column);
      }
      out.writeLong(latest);
      out.writeBoolean(settled);
    }

    private static void write(DataOutput out, byte[] bytes) throws IOException {
      out.writeInt(bytes.length);
      out.write(bytes);
    }

    private static Stale read(DataInput in) throws IOException {
      byte[] entry = bytes(in);
      byte[] row = bytes(in);
      int columns = in.readInt();
      List<byte[]> all = new ArrayList<>(columns);
      for (int i = 0; i < columns; i++) {
        all.add(bytes(in));
      }
      return new Stale(entry, row, all, in.readLong(), in.readBoolean());
    }

    private static byte[] bytes(DataInput in) throws IOException {
      byte[] bytes = new byte[in.readInt()];
      in.readFully(bytes);
      return bytes;
    }
  }

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
      for (Stale one : stale) {
        one.write(candidates.out());
      }
      count += stale.size();
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
      findings.found(IndexDifference.Kind.UNREADABLE, ByteText.printable(cells.getRow()));
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
   * Looks again at the candidates, and reports those that are still without their row. A settled
   * one is reported only if it did not end with its row.
   *
   * @return whether there are any
   */
  boolean report() throws IOException {
    boolean[] any = {false};
    again(
        still -> {
          any[0] = true;
          report(still);
        });
    return any[0];
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
   * Looks again at the candidates, and removes exactly the columns of those that are still without
   * their row.
   */
  void remove() throws IOException {
    again(
        still -> {
          index.delete(
              still.stream()
                  .map(one -> RowEntries.removal(one.entry(), one.columns(), one.latest()))
                  .toList());
          findings.removed(still.size());
          findings.removedPhantoms(still.stream().filter(Stale::settled).count());
        });
  }

  /** Takes some entries. */
  @FunctionalInterface
  private interface Some {
    void take(List<Stale> entries) throws IOException;
  }

  /** Gives away the candidates that are still without their row, some at a time. */
  private void again(Some still) throws IOException {
    DataInput in = candidates.read();
    for (long read = 0; read < count; ) {
      List<Stale> some = new ArrayList<>(BATCH);
      for (; read < count && some.size() < BATCH; read++) {
        some.add(Stale.read(in));
      }
      List<Stale> stale = withoutRow(some, new ArrayList<>());
      if (!stale.isEmpty()) {
        still.take(stale);
      }
    }
  }

  @Override
  public void close() throws IOException {
    candidates.close();
  }
}
