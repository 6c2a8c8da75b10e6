/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.phoenix;

import io.evenkey.benchmarks.bench.RowScan;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/** The rows of a query, read one by one. Not thread-safe. */
final class PhoenixQuery implements RowScan {
  private final PhoenixConnections connections;
  private final Connection connection;
  private final PreparedStatement statement;
  private final ResultSet rows;
  private final Row row;

  /** Computes a number from the columns of the current row, so that all of them are read. */
  @FunctionalInterface
  interface Row {
    long mixed(ResultSet columns) throws SQLException;
  }

  private PhoenixQuery(
      PhoenixConnections connections, String query, List<String> parameters, Row row)
      throws SQLException {
    this.connections = connections;
    this.connection = connections.take();
    this.statement = connection.prepareStatement(query);
    for (int i = 0; i < parameters.size(); i++) {
      statement.setString(i + 1, parameters.get(i));
    }
    this.rows = statement.executeQuery();
    this.row = row;
  }

  /**
   * Starts a query.
   *
   * @param parameters the values of its question marks
   */
  static PhoenixQuery open(
      PhoenixConnections connections, String query, List<String> parameters, Row row)
      throws IOException {
    try {
      return new PhoenixQuery(connections, query, parameters, row);
    } catch (SQLException e) {
      throw PhoenixConnections.refused(query, e);
    }
  }

  @Override
  public long next() throws IOException {
    try {
      return rows.next() ? row.mixed(rows) : END;
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }

  @Override
  public @Nullable ScanMetrics metrics() {
    return null;
  }

  @Override
  public void close() throws IOException {
    try {
      rows.close();
      statement.close();
      connections.giveBack(connection);
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }
}
