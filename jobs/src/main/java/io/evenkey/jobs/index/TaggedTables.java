/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.client.SpreadTables;
import io.evenkey.jobs.compare.CellTags;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * The tables of a cluster by a connection that reads the tags of cells. To be closed.
 *
 * @param connection the connection, which closing this closes
 * @param tables its tables
 */
record TaggedTables(Connection connection, SpreadTables tables) implements AutoCloseable {
  /** Returns the tables of an index's cluster. */
  static TaggedTables of(IndexControl control) throws IOException {
    Connection connection =
        ConnectionFactory.createConnection(CellTags.read(control.plain().getConfiguration()));
    return new TaggedTables(connection, SpreadTables.on(connection));
  }

  @Override
  public void close() throws IOException {
    try (connection) {
      tables.close();
    }
  }
}
