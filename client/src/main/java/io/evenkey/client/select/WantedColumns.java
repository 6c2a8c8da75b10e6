/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.internal.request.RequestSettings;
import io.evenkey.protocol.index.IndexColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.jspecify.annotations.Nullable;

/**
 * The columns that a selection reads, where rows are read by their keys: those and the indexed
 * columns are read, and those are returned. So a row without any of them is left out, as HBase's
 * scans do it. Immutable.
 *
 * @param families the columns of each family, null for all of them; empty for all families
 */
record WantedColumns(Map<byte[], @Nullable NavigableSet<byte[]>> families) {
  static WantedColumns of(Scan scan) {
    return new WantedColumns(scan.getFamilyMap());
  }

  /** Has a get read the columns, and those that its row is compared by. */
  Get read(Get get, List<IndexColumn> compared) {
    if (families.isEmpty()) {
      return get;
    }
    RequestSettings.copyColumns(families, get);
    for (IndexColumn column : compared) {
      byte[] family = column.column().familyBytes();
      boolean isWhole = families.containsKey(family) && families.get(family) == null;
      if (!isWhole) {
        get.addColumn(family, column.column().qualifierBytes());
      }
    }
    return get;
  }

  /** Returns the wanted columns of a row; an empty result if it has none of them. */
  Result of(Result row) {
    if (families.isEmpty()) {
      return row;
    }
    List<Cell> wanted = new ArrayList<>(row.size());
    for (Cell cell : row.rawCells()) {
      byte[] family = CellUtil.cloneFamily(cell);
      NavigableSet<byte[]> qualifiers = families.get(family);
      boolean isIn = qualifiers == null || qualifiers.contains(CellUtil.cloneQualifier(cell));
      if (families.containsKey(family) && isIn) {
        wanted.add(cell);
      }
    }
    return Result.create(wanted);
  }
}
