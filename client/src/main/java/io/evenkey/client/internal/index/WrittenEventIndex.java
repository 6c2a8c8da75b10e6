/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.protocol.index.ColumnName;
import io.evenkey.protocol.index.IndexKey;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;

/** An index of rows that are written once, each by one put. Immutable and thread-safe. */
final class WrittenEventIndex extends WrittenIndex {
  WrittenEventIndex(TableName table, IndexKey key) {
    super(table, key);
  }

  @Override
  boolean leavesEntry(Map<ColumnName, byte[]> values) {
    return !indexed().isEmpty()
        && indexed().stream().noneMatch(column -> values.containsKey(column.name()));
  }

  @Override
  void checkTimeToLive(Put put) {
    // An entry without a row is not seen.
  }

  @Override
  void complete(Map<ColumnName, byte[]> values, Result row) throws IndexRefusedException {
    checkWhole(values, indexed(), "an index of events takes the indexed columns from one put");
  }

  @Override
  void checkDeletion(Delete delete) {
    // A row had one version only.
  }
}
