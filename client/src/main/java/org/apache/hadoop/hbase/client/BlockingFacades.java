/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hbase.client;

import org.jspecify.annotations.Nullable;

/**
 * HBase's blocking interface as façades over its asynchronous one, which HBase has since 3.0. They
 * wait for futures, and translate failures as HBase does. Thread-safe.
 */
public interface BlockingFacades {
  /** The connection over one of HBase's own. */
  Connection connection(AsyncConnection own);

  /** The connection under one of HBase's own. */
  AsyncConnection async(Connection own);

  /**
   * The table over any one, without threads for calls of coprocessors.
   *
   * @param own HBase's own connection
   */
  Table table(AsyncConnection own, AsyncTable<?> table);

  /** The buffered mutator over any one. */
  BufferedMutator mutator(
      AsyncBufferedMutator mutator, BufferedMutator.@Nullable ExceptionListener listener);
}
