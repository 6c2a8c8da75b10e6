package io.evenkey.jobs.compare;

import io.evenkey.client.SpreadTable;
import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;

/** Makes one row of a table as it is in another. Stateless. */
final class Repair {
  private Repair() {}

  static void row(SpreadTable second, byte[] key, Result right, Result wrong) throws IOException {
    Put put = new Put(key);
    for (Cell cell : Cells.of(right)) {
      if (!has(wrong, cell, true)) {
        put.addColumn(
            CellUtil.cloneFamily(cell),
            CellUtil.cloneQualifier(cell),
            cell.getTimestamp(),
            CellUtil.cloneValue(cell));
      }
    }
    Delete delete = new Delete(key);
    for (Cell cell : Cells.of(wrong)) {
      // With another value in the same place, the put replaces it: a tombstone would hide that too.
      if (!has(right, cell, false)) {
        delete.addColumn(
            CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell), cell.getTimestamp());
      }
    }
    if (!delete.isEmpty()) {
      second.delete(delete);
    }
    if (!put.isEmpty()) {
      second.put(put);
    }
  }

  private static boolean has(Result row, Cell wanted, boolean value) {
    for (Cell cell : Cells.of(row)) {
      if (Cells.samePlace(cell, wanted) && (!value || CellUtil.matchingValue(cell, wanted))) {
        return true;
      }
    }
    return false;
  }
}
