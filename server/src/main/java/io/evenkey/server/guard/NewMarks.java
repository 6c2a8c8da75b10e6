/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;

/** The marks of one batch, until they are written. For one thread. */
final class NewMarks {
  private final MarkedRows known;
  private final byte[][] rows;

  NewMarks(MarkedRows known, int size) {
    this.known = known;
    this.rows = new byte[size][];
  }

  void add(int index, byte[] row) {
    rows[index] = row;
  }

  /** The batch is written, but for what other coprocessors have taken out of it. */
  void written(MiniBatchOperationInProgress<Mutation> batch) {
    for (int i = 0; i < rows.length; i++) {
      if (rows[i] != null
          && batch.getOperationStatus(i).getOperationStatusCode() == OperationStatusCode.SUCCESS) {
        known.add(rows[i]);
      }
    }
  }
}
