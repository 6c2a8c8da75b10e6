/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.HBaseLine;
import org.apache.hadoop.hbase.client.MutationLimit;

/**
 * The parameters of buffered mutators for other tables: HBase's own copies leave some out.
 * Stateless.
 */
final class MutatorParams {
  private MutatorParams() {}

  /** Copies parameters for a table. */
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

  /** The timeouts and request attributes of a mutator, as they are now. */
  static CallSettings settings(BufferedMutatorParams like) {
    int rpc = like.getRpcTimeout();
    int operation = like.getOperationTimeout();
    return builder -> {
      if (rpc >= 0) {
        builder
            .setRpcTimeout(rpc, TimeUnit.MILLISECONDS)
            .setReadRpcTimeout(rpc, TimeUnit.MILLISECONDS)
            .setWriteRpcTimeout(rpc, TimeUnit.MILLISECONDS);
      }
      if (operation >= 0) {
        builder.setOperationTimeout(operation, TimeUnit.MILLISECONDS);
      }
      HBaseLine.present().copyAttributes(like, builder);
    };
  }
}
