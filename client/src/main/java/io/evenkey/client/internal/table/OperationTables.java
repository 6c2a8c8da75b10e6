/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Table;

/**
 * The tables for the requests of one operation, one after the other: each request has the time that
 * the earlier ones have left of the operation's timeout.
 */
interface OperationTables {
  /**
   * HBase's table of the generation that is read or written, for the next request.
   *
   * @throws IOException if no time is left
   */
  Table stored() throws IOException;

  /**
   * The table of an index, by logical keys, for the next request; closed by the caller.
   *
   * @throws IOException if no time is left
   */
  Table entries(TableName index) throws IOException;
}
