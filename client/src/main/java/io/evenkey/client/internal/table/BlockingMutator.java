/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.route.Route;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AsyncBufferedMutatorBuilder;
import org.apache.hadoop.hbase.client.BlockingFacades;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.MutationLimit;

/**
 * Buffered mutators where HBase has them as façades over asynchronous ones: since 3.0. Stateless.
 *
 * @see LogicalBufferedMutator
 */
public final class BlockingMutator {
  private BlockingMutator() {}

  /**
   * A mutator.
   *
   * @param own makes HBase's façade over an asynchronous mutator
   * @param configuration of the connection, which in a MapReduce job says what the job writes
   * @param builder of the asynchronous mutator by logical keys
   */
  public static BufferedMutator of(
      BlockingFacades own,
      Route route,
      Configuration configuration,
      AsyncBufferedMutatorBuilder builder,
      BufferedMutatorParams params)
      throws IOException {
    if (!route.now().rows().isPlain()) {
      ImportJob.check(configuration, params.getTableName());
    }
    // As HBase: below 0 is what the application has not set.
    if (params.getRpcTimeout() >= 0) {
      builder.setRpcTimeout(params.getRpcTimeout(), TimeUnit.MILLISECONDS);
    }
    if (params.getOperationTimeout() >= 0) {
      builder.setOperationTimeout(params.getOperationTimeout(), TimeUnit.MILLISECONDS);
    }
    if (params.getWriteBufferSize() >= 0) {
      builder.setWriteBufferSize(params.getWriteBufferSize());
    }
    if (params.getWriteBufferPeriodicFlushTimeoutMs() >= 0) {
      builder.setWriteBufferPeriodicFlush(
          params.getWriteBufferPeriodicFlushTimeoutMs(), TimeUnit.MILLISECONDS);
    }
    if (params.getMaxKeyValueSize() >= 0) {
      builder.setMaxKeyValueSize(params.getMaxKeyValueSize());
    }
    MutationLimit.copy(params, builder);
    return own.mutator(builder.build(), params.getListener());
  }
}
