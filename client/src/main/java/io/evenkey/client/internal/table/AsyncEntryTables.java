/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.route.TimeLimit;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;

/** Opens the tables of indexes, by logical keys, for the entries of rows that are written. */
@FunctionalInterface
public interface AsyncEntryTables {
  /**
   * The table of an index, with the settings of the table whose entries it has.
   *
   * @throws IOException if the operation that they are part of has no time left
   */
  AsyncTable<?> open(TableName index, TimeLimit limit) throws IOException;
}
