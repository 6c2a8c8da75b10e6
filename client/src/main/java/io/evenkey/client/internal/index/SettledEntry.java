/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import io.evenkey.protocol.index.ColumnName;
import io.evenkey.protocol.index.IndexEntry;
import io.evenkey.protocol.index.TableIndex;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * An entry of an append-only index whose row was seen, so that readers need not look at the row
 * again: rows of such an index are never changed nor deleted.
 *
 * <p>It is a cell of a column of the entry, with a value as {@link IndexEntry} has it, and with the
 * time of the row's cells, so the covered cells are known whole. Where these end by the time to
 * live of their family, it has the same for itself, and ends with them; the other cells of the
 * entry stay longer. A row whose indexed and covered cells have several times, or labels, rights or
 * times to live of their own, is never settled.
 *
 * <p>The qualifier is {@code s} and the version since which the index is there, as {@code s4}. A
 * command that has seen a row may be paused while the index is dropped, the row deleted, and the
 * index added again: what it then settles is not of this index, and readers look at the row.
 * Immutable and thread-safe.
 */
final class SettledEntry {
  /** No version has 15 digits, with which the qualifier would be as long as a nonce, 16 bytes. */
  private static final String BEGIN = "s";

  /** The time of a row that cannot be settled. */
  static final long NEVER = Long.MIN_VALUE;

  private static final Cell[] NONE = {};

  private final TableIndex index;
  private final byte[] qualifier;

  /**
   * @param index as it is among those of the table
   */
  SettledEntry(TableIndex index) {
    this.index = index;
    this.qualifier = (BEGIN + index.since()).getBytes(StandardCharsets.US_ASCII);
  }

  byte[] qualifier() {
    return qualifier;
  }

  /** The settled cell of a row of the index's table; null if the entry is not settled. */
  @Nullable Cell in(Result entry) {
    // An entry has few cells, often this one alone: HBase's search costs more than a look at each.
    for (Cell cell : entry.isEmpty() ? NONE : entry.rawCells()) {
      if (CellUtil.matchingQualifier(cell, qualifier)
          && CellUtil.matchingFamily(cell, EntryFamily.NAME)) {
        return cell;
      }
    }
    return null;
  }

  /**
   * The time at which a row can be settled.
   *
   * @param row the columns of the index, or the whole row if there are none, read with tags
   * @return {@link #NEVER} if it cannot be
   */
  long time(Result row) {
    long time = NEVER;
    boolean any = index.columnNames().isEmpty();
    for (Cell cell : row.isEmpty() ? NONE : row.rawCells()) {
      if (!any && !isIndexed(cell)) {
        continue;
      }
      if (((ExtendedCell) cell).getTagsLength() > 0) {
        return NEVER;
      }
      if (time != NEVER && time != cell.getTimestamp()) {
        return NEVER;
      }
      time = cell.getTimestamp();
    }
    return time;
  }

  private boolean isIndexed(Cell cell) {
    for (ColumnName column : index.columnNames()) {
      if (CellUtil.matchingColumn(cell, column.familyBytes(), column.qualifierBytes())) {
        return true;
      }
    }
    return false;
  }
}
