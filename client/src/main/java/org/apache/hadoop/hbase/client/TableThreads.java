/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hbase.client;

import java.util.concurrent.ExecutorService;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * The threads of HBase's blocking tables, for other tables that are opened on behalf of one.
 *
 * <p>It is in HBase's package, because only that sees them. Stateless.
 */
public final class TableThreads {
  private TableThreads() {}

  /** The threads in which a table makes batches; null if it is not HBase's own. */
  public static @Nullable ExecutorService of(Table table) {
    return table instanceof HTable own ? own.getPool() : null;
  }

  /**
   * Gives the parameters of a buffered mutator threads if they have none, as HBase does when it
   * opens the mutator. Tables that are opened for the mutator can then have the same: a
   * connection's threads would grow to their most, since they are begun until then also while
   * others are idle.
   */
  public static BufferedMutatorParams given(BufferedMutatorParams params, Configuration settings) {
    return params.getPool() == null ? params.pool(HTable.getDefaultExecutor(settings)) : params;
  }
}
