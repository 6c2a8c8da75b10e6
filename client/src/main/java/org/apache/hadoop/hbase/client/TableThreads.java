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
   * New threads as HBase's buffered mutators have them: as many as there are requests at once. A
   * connection begins another one with each request until it has its most, also while others are
   * idle.
   */
  public static ExecutorService ofBuffer(Configuration configuration) {
    return HTable.getDefaultExecutor(configuration);
  }
}
