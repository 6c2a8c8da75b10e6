/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.compare;

import java.util.function.BiPredicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/** Cells of one logical row in two tables. Stateless. */
public final class Cells {
  private static final Cell[] NONE = {};

  private Cells() {}

  /** A row's cells; none if it is not there. Not to be changed. */
  public static Cell[] of(Result row) {
    Cell[] cells = row.rawCells();
    return cells == null ? NONE : cells;
  }

  /**
   * Whether both have the same cells: columns, timestamps, types, values and tags. Region servers
   * send tags only to connections that have {@link CellTags#read the codec for them}.
   */
  public static boolean same(Result first, Result second) {
    Cell[] a = of(first);
    Cell[] b = of(second);
    if (a.length != b.length) {
      return false;
    }
    for (int i = 0; i < a.length; i++) {
      if (!same(a[i], b[i])) {
        return false;
      }
    }
    return true;
  }

  /** Whether two cells are of the same column, timestamp, type, value and tags. */
  public static boolean same(Cell a, Cell b) {
    return samePlace(a, b)
        && CellUtil.matchingValue(a, b)
        && matchingTags((ExtendedCell) a, (ExtendedCell) b);
  }

  private static boolean matchingTags(ExtendedCell a, ExtendedCell b) {
    return Bytes.equals(
        a.getTagsArray(),
        a.getTagsOffset(),
        a.getTagsLength(),
        b.getTagsArray(),
        b.getTagsOffset(),
        b.getTagsLength());
  }

  /** Whether a deletion hides a cell of the same row. */
  public static boolean hides(Cell deletion, Cell cell) {
    if (!CellUtil.matchingFamily(deletion, cell)) {
      return false;
    }
    return switch (deletion.getType()) {
      case DeleteFamily -> deletion.getTimestamp() >= cell.getTimestamp();
      case DeleteFamilyVersion -> deletion.getTimestamp() == cell.getTimestamp();
      case DeleteColumn ->
          CellUtil.matchingQualifier(deletion, cell)
              && deletion.getTimestamp() >= cell.getTimestamp();
      case Delete ->
          CellUtil.matchingQualifier(deletion, cell)
              && deletion.getTimestamp() == cell.getTimestamp();
      default -> false;
    };
  }

  /** Whether no reader sees anything of a row whose deletions and hidden cells are given, too. */
  public static boolean isDeleted(Result raw) {
    return isDeleted(of(raw));
  }

  /** Whether no reader sees anything of a row with these cells, deletions included. */
  public static boolean isDeleted(Cell[] cells) {
    for (Cell cell : cells) {
      if (cell.getType() == Cell.Type.Put && !isHidden(cell, cells)) {
        return false;
      }
    }
    return true;
  }

  /** Whether one of these deletions hides a cell of the same row. */
  public static boolean isHidden(Cell cell, Cell[] among) {
    for (Cell other : among) {
      if (hides(other, cell)) {
        return true;
      }
    }
    return false;
  }

  /** Whether one of these cells is like another one. */
  public static boolean contains(Cell[] row, Cell wanted, BiPredicate<Cell, Cell> alike) {
    for (Cell cell : row) {
      if (alike.test(cell, wanted)) {
        return true;
      }
    }
    return false;
  }

  /** Whether two cells are of the same column, timestamp and type. */
  public static boolean samePlace(Cell a, Cell b) {
    return a.getTimestamp() == b.getTimestamp()
        && a.getType() == b.getType()
        && CellUtil.matchingColumn(a, b);
  }
}
