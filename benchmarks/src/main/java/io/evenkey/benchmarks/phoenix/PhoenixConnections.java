/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.phoenix;

import java.io.Closeable;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** Phoenix's connections to one HBase, kept open. Thread-safe. */
final class PhoenixConnections implements Closeable {
  private final Configuration configuration;
  private final String url;

  // Phoenix reads all files of settings for each new connection, longer than a short scan takes.
  private final Queue<Connection> idle = new ConcurrentLinkedQueue<>();

  private PhoenixConnections(Configuration configuration) {
    this.configuration = configuration;
    this.url =
        "jdbc:phoenix:"
            + configuration.get("hbase.zookeeper.quorum")
            + ":"
            + configuration.get("hbase.zookeeper.property.clientPort");
  }

  /** Connects; the first connection makes Phoenix's own tables. */
  static PhoenixConnections to(Configuration configuration) throws IOException {
    PhoenixConnections connections = new PhoenixConnections(configuration);
    try {
      connections.giveBack(connections.take());
      return connections;
    } catch (SQLException e) {
      throw new IOException("Phoenix did not start: " + e.getMessage(), e);
    }
  }

  Configuration configuration() {
    return configuration;
  }

  /** A connection that no other caller has; to be given back after use. */
  Connection take() throws SQLException {
    Connection open = idle.poll();
    return open == null ? DriverManager.getConnection(url) : open;
  }

  void giveBack(Connection connection) {
    idle.add(connection);
  }

  /** Executes a statement that has no rows for its result. */
  void execute(String statement) throws IOException {
    try {
      Connection connection = take();
      try (Statement sql = connection.createStatement()) {
        sql.execute(statement);
      }
      giveBack(connection);
    } catch (SQLException e) {
      throw refused(statement, e);
    }
  }

  static IOException refused(String statement, SQLException e) {
    return new IOException("Phoenix refused: " + statement + ": " + e.getMessage(), e);
  }

  /** Flushes tables of Phoenix's as HBase's. */
  void flush(List<String> tables) throws IOException {
    try (org.apache.hadoop.hbase.client.Connection hbase =
            ConnectionFactory.createConnection(configuration);
        Admin admin = hbase.getAdmin()) {
      for (String table : tables) {
        admin.flush(TableName.valueOf(table));
      }
    }
  }

  @Override
  public void close() throws IOException {
    try {
      for (Connection open = idle.poll(); open != null; open = idle.poll()) {
        open.close();
      }
    } catch (SQLException e) {
      throw new IOException("Phoenix did not disconnect: " + e.getMessage(), e);
    }
  }
}
