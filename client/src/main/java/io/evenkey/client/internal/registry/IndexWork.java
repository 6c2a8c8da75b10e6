/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.registry;

import java.time.Instant;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * What commands have done with an index. The table's descriptor has the index itself. Immutable.
 *
 * @param table the indexed table
 * @param index the name of the index
 * @param since when it was added
 * @param filling how far rows from before the index have their entries
 * @param verified the last verification; null if there was none
 * @param swept the last sweep, also one of a verification that repaired; null if there was none
 */
public record IndexWork(
    TableName table,
    String index,
    Instant since,
    Filling filling,
    @Nullable Verification verified,
    @Nullable Sweep swept) {

  /**
   * How far the filling of an index is.
   *
   * @param nonce the column of the entries that it writes, hexadecimal
   * @param done the ranges of stored rows that are filled, in order, none next to another
   * @param rows rows that were read
   * @param entries entries that were written
   * @param rowsPerSecond the pace of the command that fills it, or filled it last; 0 for no limit
   * @param finished when it ended; null if it has not
   */
  public record Filling(
      String nonce,
      List<Range> done,
      long rows,
      long entries,
      long rowsPerSecond,
      @Nullable Instant finished) {
    /** Copies the list. */
    public Filling {
      done = List.copyOf(done);
    }

    /** This filling at another pace. */
    public Filling at(long pace) {
      return new Filling(nonce, done, rows, entries, pace, finished);
    }
  }

  /**
   * A range of stored rows.
   *
   * @param start its first row, hexadecimal
   * @param stop the row after its last one, hexadecimal; empty for the end of the table
   */
  public record Range(String start, String stop) {}

  /**
   * What a verification has found. Records of earlier versions have rows of all kinds in {@code
   * missing}.
   *
   * @param missing rows that had to have an entry and had none
   * @param covered settled entries with other covered values than their rows
   * @param unfit rows with values that the index cannot hold
   * @param secured rows of these kinds that a repair leaves, because their cells have labels or
   *     rights of their own
   * @param stale entries without a row
   * @param phantoms of these, settled ones that it left: readers take them for rows
   * @param unreadable rows of the index's table that are no entries
   */
  public record DifferenceCounts(
      long missing,
      long covered,
      long unfit,
      long secured,
      long stale,
      long phantoms,
      long unreadable) {
    /** Rows that an application has to write again after a repair. */
    public long toWriteAgain() {
      return unfit + secured;
    }
  }

  /**
   * A verification of an index.
   *
   * @param at when it ended
   * @param rows rows that were read
   * @param entries entries that were read
   * @param found the differences
   * @param added entries of {@code missing} and {@code covered} rows that it has put right
   * @param removed entries of {@code stale} that it removed
   */
  public record Verification(
      Instant at, long rows, long entries, DifferenceCounts found, long added, long removed) {

    /** The differences that it left and readers see: rows that they miss, and phantoms. */
    public long differences() {
      return toRepair() + found.toWriteAgain();
    }

    /** The differences that a repair removes. */
    public long toRepair() {
      return Math.max(0, found.missing() + found.covered() - added) + found.phantoms();
    }

    /** The entries without a row that it left and readers pass. */
    public long staleEntries() {
      return Math.max(0, found.stale() - removed - found.phantoms());
    }
  }

  /**
   * A sweep of an index.
   *
   * @param at when it ended
   * @param entries entries that were read
   * @param stale entries without a row
   * @param removed of these, those that it removed
   * @param settled entries that it settled, of an append-only index
   */
  public record Sweep(Instant at, long entries, long stale, long removed, long settled) {}

  /** An index that was added now, of which nothing is filled. */
  public static IndexWork begun(TableName table, String index, String nonce, Instant now) {
    return new IndexWork(
        table, index, now, new Filling(nonce, List.of(), 0, 0, 0, null), null, null);
  }

  /** This work with another state of the filling. */
  public IndexWork with(Filling next) {
    return new IndexWork(table, index, since, next, verified, swept);
  }

  /** This work after a verification. */
  public IndexWork with(Verification last) {
    return new IndexWork(table, index, since, filling, last, swept);
  }

  /** This work after a sweep. */
  public IndexWork with(Sweep last) {
    return new IndexWork(table, index, since, filling, verified, last);
  }

  /** Whether a sweep came after the last verification, whose stale entries are removed then. */
  public boolean isSweptSinceVerified() {
    return verified != null && swept != null && swept.at().isAfter(verified.at());
  }

  /** The entries without a row that the last verification or sweep left and readers pass. */
  public long staleEntries() {
    if (swept != null && (verified == null || isSweptSinceVerified())) {
      return Math.max(0, swept.stale() - swept.removed());
    }
    return verified == null ? 0 : verified.staleEntries();
  }
}
