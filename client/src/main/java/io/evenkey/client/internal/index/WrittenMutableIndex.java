/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.protocol.index.ColumnName;
import io.evenkey.protocol.index.IndexKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;

/**
 * An index of rows that change, also one column at a time. A put that leaves some columns as they
 * are is made with the entry of the whole row, and region servers check that the row still has the
 * others. Immutable and thread-safe.
 */
final class WrittenMutableIndex extends WrittenIndex {
  WrittenMutableIndex(TableName table, IndexKey key) {
    super(table, key);
  }

  @Override
  List<StoredColumn> leftBy(Put put) {
    List<StoredColumn> left = new ArrayList<>(columns().size());
    for (StoredColumn column : columns()) {
      if (column.in(put).isEmpty()) {
        left.add(column);
      }
    }
    return left.size() == columns().size() ? List.of() : left;
  }

  @Override
  boolean takesConditionalPuts() {
    return true;
  }

  @Override
  long time(Put put) throws IndexRefusedException {
    long time = HConstants.LATEST_TIMESTAMP;
    boolean first = true;
    for (StoredColumn column : columns()) {
      for (Cell cell : column.in(put)) {
        if (!first && cell.getTimestamp() != time) {
          throw refused(
              "put with several timestamps for the columns of an index of mutable rows",
              column,
              "give all of them one timestamp, or leave it to the region server");
        }
        time = cell.getTimestamp();
        first = false;
      }
    }
    return time;
  }

  // A cell that ends by itself shows the version before it, which has no entry.
  @Override
  void checkTimeToLive(Put put) throws IndexRefusedException {
    if (!columns().isEmpty()) {
      refuseOwnTimeToLive(put);
    }
  }

  @Override
  void complete(Map<ColumnName, byte[]> values, Result row) {
    for (StoredColumn column : columns()) {
      byte[] kept = row.getValue(column.family(), column.qualifier());
      if (kept != null) {
        values.putIfAbsent(column.name(), kept);
      }
    }
  }

  // An earlier version of a column would be shown, without an entry.
  @Override
  void checkDeletion(Delete delete) throws IndexRefusedException {
    for (StoredColumn column : columns()) {
      for (Cell cell : delete.getFamilyCellMap().getOrDefault(column.family(), List.of())) {
        boolean version =
            cell.getType() == Cell.Type.DeleteFamilyVersion
                || cell.getType() == Cell.Type.Delete
                    && CellUtil.matchingQualifier(cell, column.qualifier());
        if (version) {
          throw refused(
              "deletion of one version of an indexed column",
              column,
              "the previous version would become visible again, without an entry: delete all"
                  + " versions (addColumns, addFamily), or put a value");
        }
      }
    }
  }
}
