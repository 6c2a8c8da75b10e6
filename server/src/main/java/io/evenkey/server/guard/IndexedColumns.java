/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.protocol.index.ColumnName;
import io.evenkey.protocol.index.TableIndex;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Mutation;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a table's indexes, indexed and covered ones, which only clients that write entries
 * may change. Immutable and thread-safe.
 */
final class IndexedColumns {
  // Null if an index has each row, whatever its columns are, or is of a later version.
  private final @Nullable List<ColumnName> columns;

  private IndexedColumns(@Nullable List<ColumnName> columns) {
    this.columns = columns;
  }

  static IndexedColumns of(TableText table) {
    List<TableIndex> indexes = table.understoodIndexes();
    boolean all =
        table.hasIndexes()
            && (indexes.isEmpty() || indexes.stream().anyMatch(index -> index.columns().isEmpty()));
    return new IndexedColumns(
        all
            ? null
            : indexes.stream().flatMap(index -> index.columnNames().stream()).distinct().toList());
  }

  /** Whether a mutation writes or deletes one of them. */
  boolean isChangedBy(Mutation mutation) {
    if (columns == null) {
      return true;
    }
    Map<byte[], List<Cell>> families = mutation.getFamilyCellMap();
    for (ColumnName column : columns) {
      // A deletion of a whole row names no family until HBase adds them all.
      if (families.isEmpty()) {
        return true;
      }
      for (Cell cell : families.getOrDefault(column.familyBytes(), List.of())) {
        if (isOfFamily(cell) || CellUtil.matchingQualifier(cell, column.qualifierBytes())) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isOfFamily(Cell cell) {
    return cell.getType() == Cell.Type.DeleteFamily
        || cell.getType() == Cell.Type.DeleteFamilyVersion;
  }
}
