/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.row.RowMapping;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ConnectionConfiguration;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;

/**
 * The checks by which HBase's client rejects a put at once: for deferred calls, so that such a
 * mistake is still thrown to its caller, and for cells that are too large only behind a prefix.
 * Stateless.
 */
final class PutCheck {
  private PutCheck() {}

  /** The largest size of a cell that a connection sends, unless a mutator sets another. */
  static int mostBytes(Configuration configuration) {
    return configuration.getInt(
        ConnectionConfiguration.MAX_KEYVALUE_SIZE_KEY,
        ConnectionConfiguration.MAX_KEYVALUE_SIZE_DEFAULT);
  }

  /**
   * Lets an action pass.
   *
   * @param mostBytes the most bytes of a cell; 0 for no limit
   * @throws IllegalArgumentException if a put in it has no columns, or a cell that is larger
   */
  static void check(Row action, int mostBytes) {
    if (action instanceof Put put) {
      check(put, mostBytes);
    } else if (action instanceof RowMutations mutations) {
      mutations.getMutations().forEach(mutation -> check((Row) mutation, mostBytes));
    } else if (action instanceof CheckAndMutate check) {
      check(check.getAction(), mostBytes);
    }
  }

  /**
   * Lets an action pass whose cells are not too large as they are stored.
   *
   * @param mostBytes the most bytes of a cell; 0 or less for no limit
   * @throws IllegalArgumentException if a put has one that is too large with the prefix of its row;
   *     HBase's own error would not say that the prefix counts
   */
  static void checkStored(Row logical, RowMapping rows, int mostBytes) {
    int prefix = rows.layout().spread().width();
    if (prefix == 0 || mostBytes <= 0 || !(logical instanceof Put put)) {
      return;
    }
    for (List<Cell> family : put.getFamilyCellMap().values()) {
      for (Cell cell : family) {
        int bytes = cell.getSerializedSize();
        if (bytes <= mostBytes && bytes + prefix > mostBytes) {
          throw new IllegalArgumentException(
              "KeyValue size too large: bytes="
                  + (bytes + prefix)
                  + " prefix="
                  + prefix
                  + " limit="
                  + mostBytes
                  + "; "
                  + ConnectionConfiguration.MAX_KEYVALUE_SIZE_KEY
                  + " counts the whole cell, the prefix of its row included");
        }
      }
    }
  }

  private static void check(Put put, int mostBytes) {
    if (put.isEmpty()) {
      throw new IllegalArgumentException("No columns to insert");
    }
    for (List<Cell> family : put.getFamilyCellMap().values()) {
      for (Cell cell : family) {
        if (mostBytes > 0 && cell.getSerializedSize() > mostBytes) {
          throw new IllegalArgumentException("KeyValue size too large");
        }
      }
    }
  }
}
