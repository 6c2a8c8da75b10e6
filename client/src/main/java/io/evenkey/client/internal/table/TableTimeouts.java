/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Table;

/**
 * The timeouts of tables that no builder has built, which are set on the table: in HBase 3.0 a
 * builder has built every table. Stateless.
 */
@SuppressWarnings("deprecation") // there is no other way
final class TableTimeouts {
  private TableTimeouts() {}

  /** Gives a table the timeouts of another. */
  static void copy(Table from, Table to) {
    to.setOperationTimeout(millis(from.getOperationTimeout(TimeUnit.MILLISECONDS)));
    to.setRpcTimeout(millis(from.getRpcTimeout(TimeUnit.MILLISECONDS)));
    to.setReadRpcTimeout(millis(from.getReadRpcTimeout(TimeUnit.MILLISECONDS)));
    to.setWriteRpcTimeout(millis(from.getWriteRpcTimeout(TimeUnit.MILLISECONDS)));
  }

  private static int millis(long value) {
    return Math.toIntExact(value);
  }

  /** Sets the timeout of operations. */
  static void setOperation(Table table, int ms) {
    table.setOperationTimeout(ms);
  }
}
