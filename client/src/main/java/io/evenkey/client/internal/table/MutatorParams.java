/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import java.io.IOException;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.HBaseLine;
import org.apache.hadoop.hbase.client.MutationLimit;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableBuilder;
import org.apache.hadoop.hbase.client.TableThreads;

/**
 * The parameters of buffered mutators for other tables: HBase's own copies leave some out.
 * Stateless.
 */
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

  /** A table with the timeouts and request attributes of a mutator. */
  static Table table(Connection plain, TableName name, BufferedMutatorParams like)
      throws IOException {
    ExecutorService pool = like.getPool();
    TableBuilder table =
        plain.getTableBuilder(name, pool == null ? TableThreads.of(plain.getTable(name)) : pool);
    if (like.getRpcTimeout() >= 0) {
      table.setRpcTimeout(like.getRpcTimeout());
      table.setReadRpcTimeout(like.getRpcTimeout());
      table.setWriteRpcTimeout(like.getRpcTimeout());
    }
    if (like.getOperationTimeout() >= 0) {
      table.setOperationTimeout(like.getOperationTimeout());
    }
    HBaseLine.present().copyAttributes(like, table);
    return table.build();
  }
}
