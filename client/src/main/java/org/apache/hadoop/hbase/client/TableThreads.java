/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hbase.client;

import java.util.concurrent.ExecutorService;
import org.apache.hadoop.conf.Configuration;

/**
 * The threads of HBase's buffered mutators in 2.x.
 *
 * <p>It is in HBase's package, because only there they can be made. Stateless.
 */
public final class TableThreads {
  private TableThreads() {}

  /**
   * New threads as HBase's buffered mutators have them: as many as there are requests at once. A
   * connection begins another one with each request until it has its most, also while others are
   * idle.
   */
  public static ExecutorService ofBuffer(Configuration configuration) {
    return HTable.getDefaultExecutor(configuration);
  }
}
