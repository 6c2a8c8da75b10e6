/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hbase.client;

/**
 * HBase's asynchronous buffered mutators, which write to any table.
 *
 * <p>It is in HBase's package, because it uses package-private classes. Stateless.
 */
public final class AsyncMutators {
  private AsyncMutators() {}

  /**
   * The builder of a mutator, with the settings of HBase's own connection.
   *
   * @param table builds the table to which it writes
   * @throws ClassCastException if the connection is not HBase's own
   */
  public static AsyncBufferedMutatorBuilder builder(
      AsyncConnection connection, AsyncTableBuilder<?> table) {
    return new AsyncBufferedMutatorBuilderImpl(
        ((AsyncConnectionImpl) connection).connConf, table, AsyncConnectionImpl.RETRY_TIMER);
  }
}
