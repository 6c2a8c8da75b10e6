/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.row;

import io.evenkey.jobs.compare.Cells;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Which of the cells that a raw scan of a row returns readers can see: those that no tombstone
 * hides, as many versions as the family keeps. A row that is written all the time has thousands of
 * others until HBase flushes or compacts it. Immutable.
 */
public final class KeptVersions {
  private final Map<byte[], ColumnFamilyDescriptor> families =
      new TreeMap<>(Bytes.BYTES_COMPARATOR);

  private KeptVersions(TableDescriptor table) {
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      families.put(family.getName(), family);
    }
  }

  /** The versions that the families of a table keep. */
  public static KeptVersions of(TableDescriptor table) {
    return new KeptVersions(table);
  }

  /**
   * The versions that readers can see.
   *
   * @param raw in HBase's order
   * @param tombstones those that hide cells; in families that keep deleted cells they hide none
   */
  List<Cell> seen(Cell[] raw, Cell[] tombstones) {
    return seen(raw, tombstones, cell -> true);
  }

  /**
   * The versions that readers would see in addition to those that they are to see: also those that
   * they would see if the first ones of these were taken away.
   *
   * @param wanted whether readers are to see a cell
   * @param raw in HBase's order, with the wanted ones
   * @param tombstones as above
   */
  List<Cell> additional(Predicate<Cell> wanted, Cell[] raw, Cell[] tombstones) {
    List<Cell> additional = seen(raw, tombstones, wanted);
    additional.removeIf(wanted);
    return additional;
  }

  /** Returns the versions that the family keeps: fewer than its number of versions precede each. */
  private List<Cell> seen(Cell[] raw, Cell[] tombstones, Predicate<Cell> counts) {
    List<Cell> seen = new ArrayList<>();
    @Nullable Cell before = null;
    int versions = 0;
    for (Cell cell : raw) {
      if (cell.getType() != Cell.Type.Put) {
        continue;
      }
      Cell last = before;
      boolean sameColumn = last != null && CellUtil.matchingColumn(last, cell);
      boolean sameVersion =
          last != null && sameColumn && last.getTimestamp() == cell.getTimestamp();
      if (!sameColumn) {
        versions = 0;
      }
      before = cell;
      ColumnFamilyDescriptor family = families.get(CellUtil.cloneFamily(cell));
      boolean keepsDeleted =
          family != null && family.getKeepDeletedCells() != KeepDeletedCells.FALSE;
      if (!sameVersion
          && (family == null || versions < family.getMaxVersions())
          && (keepsDeleted || !Cells.isHidden(cell, tombstones))) {
        versions += counts.test(cell) ? 1 : 0;
        seen.add(cell);
      }
    }
    return seen;
  }

  /**
   * The cells of one row from two tables in HBase's order; of equal places the first row's first.
   */
  Cell[] merged(List<Cell> first, Cell[] second) {
    List<Cell> all = new ArrayList<>(first);
    all.addAll(Arrays.asList(second));
    all.sort(CellComparator.getInstance()::compareWithoutRow);
    return all.toArray(new Cell[0]);
  }
}
