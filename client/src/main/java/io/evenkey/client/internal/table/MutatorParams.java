/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.HBaseLine;
import org.apache.hadoop.hbase.client.MutationLimit;

/** Copies of the parameters of buffered mutators: HBase's own leave some out. Stateless. */
final class MutatorParams {
  private MutatorParams() {}

  /** The same parameters for a table. */
  static BufferedMutatorParams of(TableName table, BufferedMutatorParams like) {
    BufferedMutatorParams copy =
        new BufferedMutatorParams(table)
            .writeBufferSize(like.getWriteBufferSize())
            .maxKeyValueSize(like.getMaxKeyValueSize())
            .rpcTimeout(like.getRpcTimeout())
            .operationTimeout(like.getOperationTimeout())
            .implementationClassName(like.getImplementationClassName())
            .pool(like.getPool())
            .listener(like.getListener());
    copy.setWriteBufferPeriodicFlushTimeoutMs(like.getWriteBufferPeriodicFlushTimeoutMs());
    copy.setWriteBufferPeriodicFlushTimerTickMs(like.getWriteBufferPeriodicFlushTimerTickMs());
    HBaseLine.present().copyAttributes(like, copy);
    MutationLimit.copy(like, copy);
    return copy;
  }
}
