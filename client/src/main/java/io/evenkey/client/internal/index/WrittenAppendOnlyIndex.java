/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.protocol.index.ColumnName;
import io.evenkey.protocol.index.IndexKey;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;

/**
 * An index of rows that are never changed or deleted, so that readers may take a settled entry for
 * its row. Immutable and thread-safe.
 */
final class WrittenAppendOnlyIndex extends WrittenIndex {
  WrittenAppendOnlyIndex(TableName table, IndexKey key) {
    super(table, key);
  }

  // If compactions have removed the version before one that ends by itself, a row ends whose entry
  // is settled.
  @Override
  void checkTimeToLive(Put put) throws IndexRefusedException {
    refuseOwnTimeToLive(put);
  }

  // Readers take covered columns only from settled entries. An entry that is settled without one of
  // them would hide what a later put writes there.
  @Override
  void complete(Map<ColumnName, byte[]> values, Result row) throws IndexRefusedException {
    checkWhole(
        values, columns(), "an append-only index takes indexed and covered columns from one put");
  }

  @Override
  void checkDeletion(Delete delete) throws IndexRefusedException {
    boolean touches = delete.isEmpty() || columns().isEmpty();
    for (StoredColumn column : columns()) {
      for (Cell cell : delete.getFamilyCellMap().getOrDefault(column.family(), List.of())) {
        touches |= isFamily(cell) || CellUtil.matchingQualifier(cell, column.qualifier());
      }
    }
    if (touches) {
      throw IndexRefusedException.asKnown(
          table(),
          "deletion from a row of an append-only index",
          "index=" + index().name(),
          "let rows expire by the time to live of their family; or drop the index, and add it as"
              + " one of events or of mutable rows");
    }
  }

  private static boolean isFamily(Cell cell) {
    return cell.getType() == Cell.Type.DeleteFamily
        || cell.getType() == Cell.Type.DeleteFamilyVersion;
  }
}
