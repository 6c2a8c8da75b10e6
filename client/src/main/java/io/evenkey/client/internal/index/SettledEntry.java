/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import io.evenkey.layout.index.ColumnName;
import io.evenkey.layout.index.IndexEntry;
import io.evenkey.layout.index.TableIndex;
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
 * <p>It is a cell of the column {@code s} of the entry, with a value as {@link IndexEntry} has it,
 * and with the time of the row's cells. So it ends with them, if the family has a time to live, and
 * the covered cells are known whole. A row whose indexed and covered cells have several times, or
 * labels, rights or times to live of their own, is never settled.
 */
public final class SettledEntry {
  /** The qualifier; nonces have 16 bytes. */
  static final byte[] QUALIFIER = "s".getBytes(StandardCharsets.US_ASCII);

  /** The time of a row that cannot be settled. */
  static final long NEVER = Long.MIN_VALUE;

  private static final Cell[] NONE = {};

  private SettledEntry() {}

  /** The settled cell of a row of the index's table; null if the entry is not settled. */
  public static @Nullable Cell in(Result entry) {
    // An entry has few cells, often this one alone: HBase's search costs more than a look at each.
    for (Cell cell : entry.isEmpty() ? NONE : entry.rawCells()) {
      if (CellUtil.matchingQualifier(cell, QUALIFIER)
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
  static long time(TableIndex index, Result row) {
    long time = NEVER;
    boolean any = index.columnNames().isEmpty();
    for (Cell cell : row.isEmpty() ? NONE : row.rawCells()) {
      if (!any && !isOf(index, cell)) {
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

  private static boolean isOf(TableIndex index, Cell cell) {
    for (ColumnName column : index.columnNames()) {
      if (CellUtil.matchingColumn(cell, column.familyBytes(), column.qualifierBytes())) {
        return true;
      }
    }
    return false;
  }
}
