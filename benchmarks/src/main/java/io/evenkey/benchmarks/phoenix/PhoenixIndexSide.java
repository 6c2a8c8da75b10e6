/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.phoenix;

import io.evenkey.benchmarks.bench.IndexKind;
import io.evenkey.benchmarks.bench.IndexSide;
import io.evenkey.benchmarks.bench.IndexTask;
import io.evenkey.benchmarks.bench.Order;
import io.evenkey.benchmarks.bench.OrderRead;
import io.evenkey.benchmarks.bench.RowScan;
import io.evenkey.layout.failure.EvenkeyException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** A table of orders with SALT_BUCKETS and a global index by customer, by SQL. */
final class PhoenixIndexSide implements IndexSide {
  private static final String TABLE = "BENCH_PHOENIX";
  private static final String INDEX = "BENCH_PHOENIX_BY_CUSTOMER";
  private static final String PUT =
      "UPSERT INTO " + TABLE + " (ID, CUSTOMER, SHOP, STATE) VALUES (?, ?, ?, ?)";
  private static final String CHANGE = "UPSERT INTO " + TABLE + " (ID, CUSTOMER) VALUES (?, ?)";

  /** Rows that are committed at once in the background. */
  private static final int COMMIT = 1_000;

  private final PhoenixConnections connections;
  private final IndexKind kind;
  private final Connection writer;
  private final PreparedStatement put;
  private final PreparedStatement change;

  private PhoenixIndexSide(PhoenixConnections connections, IndexKind kind) throws SQLException {
    this.connections = connections;
    this.kind = kind;
    this.writer = connections.take();
    this.writer.setAutoCommit(false);
    this.put = writer.prepareStatement(PUT);
    this.change = writer.prepareStatement(CHANGE);
  }

  /** Creates the tables. */
  static PhoenixIndexSide create(PhoenixConnections connections, IndexKind kind, int buckets)
      throws IOException {
    connections.execute(
        "CREATE TABLE "
            + TABLE
            + " (ID BIGINT NOT NULL PRIMARY KEY, CUSTOMER VARCHAR, SHOP VARCHAR, STATE VARCHAR)"
            + " IMMUTABLE_ROWS="
            + !kind.isMutable()
            + (buckets == 1 ? "" : ", SALT_BUCKETS=" + buckets));
    connections.execute(
        "CREATE INDEX "
            + INDEX
            + " ON "
            + TABLE
            + (kind.isMutable() ? " (CUSTOMER, SHOP)" : " (CUSTOMER)")
            + (kind == IndexKind.COVERED ? " INCLUDE (STATE)" : ""));
    try {
      return new PhoenixIndexSide(connections, kind);
    } catch (SQLException e) {
      throw PhoenixConnections.refused(PUT, e);
    }
  }

  @Override
  public String name() {
    return "phoenix";
  }

  @Override
  public boolean can(IndexTask task) {
    return !task.needsFiles();
  }

  @Override
  public void put(List<Order> orders) throws IOException {
    try {
      for (Order order : orders) {
        put.setLong(1, order.id());
        put.setString(2, order.customer());
        put.setString(3, order.shop());
        put.setString(4, order.state());
        put.executeUpdate();
      }
      writer.commit();
    } catch (SQLException e) {
      throw PhoenixConnections.refused(PUT, e);
    }
  }

  @Override
  public void buffer(List<Order> orders) throws IOException {
    for (int from = 0; from < orders.size(); from += COMMIT) {
      put(orders.subList(from, Math.min(from + COMMIT, orders.size())));
    }
  }

  /** Does nothing: orders are committed before {@link #buffer} returns. */
  @Override
  public void flush() {}

  @Override
  public void change(List<Order> orders) throws IOException {
    try {
      for (Order order : orders) {
        change.setLong(1, order.id());
        change.setString(2, order.customer());
        change.executeUpdate();
      }
      writer.commit();
    } catch (SQLException e) {
      throw PhoenixConnections.refused(CHANGE, e);
    }
  }

  @Override
  public void load(Path csv) {
    throw new UnsupportedOperationException("Phoenix loads files by a tool of its own");
  }

  /** Also makes sure that the index is what is read. */
  @Override
  public void settle() throws IOException {
    connections.flush(List.of(TABLE, INDEX));
    if (kind.isRead()) {
      String plan = plan("EXPLAIN " + query(false, 0));
      if (!plan.contains(INDEX)) {
        throw new EvenkeyException("Phoenix does not read the index: plan=" + plan);
      }
    }
  }

  private String plan(String query) throws IOException {
    StringBuilder plan = new StringBuilder();
    try {
      Connection connection = connections.take();
      try (PreparedStatement statement = connection.prepareStatement(query);
          ResultSet lines = statement.executeQuery()) {
        while (lines.next()) {
          plan.append(lines.getString(1)).append('\n');
        }
      }
      connections.giveBack(connection);
      return plan.toString();
    } catch (SQLException e) {
      throw PhoenixConnections.refused(query, e);
    }
  }

  private String query(boolean bounded, int limit) {
    return "SELECT /*+ INDEX("
        + TABLE
        + " "
        + INDEX
        + ") */ CUSTOMER, ID, STATE"
        + (kind == IndexKind.COVERED ? "" : ", SHOP")
        + " FROM "
        + TABLE
        + (bounded ? " WHERE CUSTOMER BETWEEN ? AND ?" : "")
        + " ORDER BY CUSTOMER, ID"
        + (limit > 0 ? " LIMIT " + limit : "");
  }

  @Override
  public RowScan scan(OrderRead read) throws IOException {
    return PhoenixQuery.open(
        connections,
        query(!read.isOfAll(), read.limit()),
        read.isOfAll() ? List.of() : List.of(read.from(), read.to()),
        columns ->
            Order.mixed(columns.getString(1), columns.getLong(2), columns.getString(3).length()));
  }

  @Override
  public void close() throws IOException {
    try (connections) {
      put.close();
      change.close();
      writer.close();
      connections.execute("DROP TABLE IF EXISTS " + TABLE);
    } catch (SQLException e) {
      throw new IOException("Phoenix did not drop its tables: " + e.getMessage(), e);
    }
  }
}
