/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.internal.index.RowEntries;
import io.evenkey.jobs.security.CellSecurity;
import io.evenkey.layout.Layout;
import io.evenkey.layout.text.LayoutException;
import io.evenkey.layout.text.RowException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;

/**
 * Looks for the entries of rows. A writer puts the entry before the row, so a row that is seen has
 * its entry already; one that has none is read again, since it may have been deleted or have ended.
 * As thread-safe as the tables.
 */
final class RowsInIndex {
  private final RowEntries entries;
  private final Layout layout;
  private final SpreadTable table;
  private final SpreadTable index;
  private final Findings findings;
  private final boolean repair;

  /**
   * @param repair whether missing entries are written; that is safe at any time
   */
  RowsInIndex(
      RowEntries entries,
      Layout layout,
      SpreadTable table,
      SpreadTable index,
      Findings findings,
      boolean repair) {
    this.entries = entries;
    this.layout = layout;
    this.table = table;
    this.index = index;
    this.findings = findings;
    this.repair = repair;
  }

  /** A row that has to have an entry. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Indexed(byte[] row, Result cells, byte[] entry) {}

  /** Looks for the entries of some stored rows. */
  void check(List<Result> stored) throws IOException {
    List<Indexed> indexed = new ArrayList<>(stored.size());
    List<Get> gets = new ArrayList<>(stored.size());
    for (Result cells : stored) {
      byte[] row = logical(cells);
      if (row.length == 0) {
        continue;
      }
      try {
        entries
            .key(row, cells)
            .ifPresent(
                entry -> {
                  indexed.add(new Indexed(row, cells, entry));
                  gets.add(new Get(entry));
                });
      } catch (LayoutException e) {
        lookAgain(row);
      }
    }
    Result[] found = gets.isEmpty() ? new Result[0] : index.get(gets);
    for (int i = 0; i < found.length; i++) {
      Indexed one = indexed.get(i);
      if (!isRight(found[i], one.cells())) {
        lookAgain(one.row());
      }
    }
  }

  /** Empty for what is no row of the layout, which clients do not read by the table either. */
  private byte[] logical(Result cells) {
    try {
      return layout.logical(cells.getRow());
    } catch (RowException e) {
      return new byte[0];
    }
  }

  private void lookAgain(byte[] row) throws IOException {
    Result cells = table.get(entries.get(row));
    if (cells.isEmpty()) {
      return;
    }
    Optional<byte[]> entry;
    try {
      entry = entries.key(row, cells);
    } catch (LayoutException e) {
      findings.found(IndexDifference.Kind.UNFIT, layout.labelLogical(row) + ": " + e.getMessage());
      return;
    }
    if (entry.isPresent()) {
      compare(row, cells, entry.get());
    }
  }

  private void compare(byte[] row, Result cells, byte[] entry) throws IOException {
    Result found = index.get(new Get(entry));
    if (isRight(found, cells)) {
      return;
    }
    // An entry without the row's labels would show its values to all.
    boolean isSecured = CellSecurity.isInRow(cells);
    if (isSecured && !(entries.isSettled(found) && entries.isMoreThanSettled(found))) {
      findings.found(IndexDifference.Kind.SECURED, layout.labelLogical(row));
      return;
    }
    findings.found(
        found.isEmpty() ? IndexDifference.Kind.MISSING : IndexDifference.Kind.COVERED,
        layout.labelLogical(row));
    if (repair) {
      if (!isSecured) {
        index.put(entries.entry(entry, cells, RowEntries.nonce()));
      }
      if (!found.isEmpty()) {
        index.delete(entries.unsettled(entry, found));
      }
      findings.added();
    }
  }

  /** Whether readers find the row by its entry, and as it is. */
  private boolean isRight(Result entry, Result row) {
    return !entry.isEmpty() && !entries.isWrong(entry, row);
  }
}
