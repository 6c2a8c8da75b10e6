/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import io.evenkey.layout.bytes.ByteString;
import io.evenkey.protocol.index.ColumnName;
import io.evenkey.protocol.index.KeptColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;

/** A column of an index, with the bytes of its name. Immutable and thread-safe. */
@SuppressWarnings("ArrayRecordComponent") // never compared, never changed
record StoredColumn(ColumnName name, byte[] family, byte[] qualifier) {
  static StoredColumn of(ColumnName name) {
    return new StoredColumn(name, name.familyBytes(), name.qualifierBytes());
  }

  /** The cells that a mutation has of it. */
  List<Cell> in(Mutation mutation) {
    List<Cell> found = new ArrayList<>(1);
    for (Cell cell : mutation.getFamilyCellMap().getOrDefault(family, List.of())) {
      if (CellUtil.matchingQualifier(cell, qualifier)) {
        found.add(cell);
      }
    }
    return found;
  }

  /** Returns, for a put, the statement that the column keeps the value that was read. */
  KeptColumns.Kept kept(Result row) {
    return new KeptColumns.Kept(
        ByteString.of(family),
        ByteString.of(qualifier),
        Optional.ofNullable(row.getValue(family, qualifier)).map(ByteString::of));
  }
}
