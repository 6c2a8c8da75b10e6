/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.compare;

import io.evenkey.client.SpreadTable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;

/**
 * Makes one row of a table as it is in another. Cells are written whole, with their timestamps,
 * types and tags: a cell with a time to live goes on to expire, and one with visibility labels
 * stays hidden. Not thread-safe.
 */
final class Repair {
  private final Cell[] deletions;
  private final Cell[] right;
  private final Cell[] stored;
  private final Cell[] has;

  private Repair(Cell[] deletions, Cell[] right, Cell[] stored, Cell[] has) {
    this.deletions = deletions;
    this.right = right;
    this.stored = stored;
    this.has = has;
  }

  /**
   * A repair.
   *
   * @param rawRight the row as it is to be, with its deletions
   * @param right the same as readers see it
   * @param rawHas the row as it is, with its deletions
   * @param has the same as readers see it
   */
  static Repair of(Result rawRight, Result right, Result rawHas, Result has) {
    Cell[] deletions =
        Arrays.stream(Cells.of(rawRight))
            .filter(cell -> cell.getType() != Cell.Type.Put)
            .toArray(Cell[]::new);
    return new Repair(deletions, Cells.of(right), Cells.of(rawHas), Cells.of(has));
  }

  /** Deletes what is too much, and writes what is missing. */
  void row(SpreadTable table, byte[] key) throws IOException {
    Delete delete = delete(key);
    Put put = put(key);
    // In lists: HBase's client sends a single mutation without its tags.
    if (!delete.isEmpty()) {
      table.delete(List.of(delete));
    }
    if (!put.isEmpty()) {
      table.put(List.of(put));
    }
  }

  /** The deletions that are missing, and one of each cell that is too much. */
  Delete delete(byte[] key) throws IOException {
    Delete delete = new Delete(key);
    for (Cell deletion : deletions) {
      if (!Cells.contains(stored, deletion, Cells::same)) {
        delete.add(deletion);
      }
    }
    for (Cell cell : has) {
      // With another value in the same place, the put replaces it: a tombstone would hide that too.
      if (!Cells.contains(right, cell, Cells::samePlace) && !Cells.isHidden(cell, deletions)) {
        delete.addColumn(
            CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell), cell.getTimestamp());
      }
    }
    return delete;
  }

  /** The cells that are missing, or have another value or other tags. */
  Put put(byte[] key) throws IOException {
    Put put = new Put(key);
    for (Cell cell : right) {
      if (!Cells.contains(has, cell, Cells::same)) {
        put.add(cell);
      }
    }
    return put;
  }
}
