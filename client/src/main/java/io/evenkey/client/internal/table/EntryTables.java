/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Table;

/** Opens the tables of indexes, by logical keys, for the entries of rows that are written. */
@FunctionalInterface
public interface EntryTables {
  /** The table of an index; closed by the caller. */
  Table open(TableName index) throws IOException;
}
