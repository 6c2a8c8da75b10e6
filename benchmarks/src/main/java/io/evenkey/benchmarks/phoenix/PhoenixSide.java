/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.phoenix;

import io.evenkey.benchmarks.bench.BenchRows;
import io.evenkey.benchmarks.bench.ComparedStore;
import io.evenkey.benchmarks.bench.RowScan;
import io.evenkey.benchmarks.bench.Task;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/** A table with SALT_BUCKETS, read by SQL in the order of its key. */
final class PhoenixSide implements ComparedStore {
  private static final String TABLE = "BENCH_PHOENIX";
  private static final byte[] FAMILY = Bytes.toBytes("D");
  private static final byte[] VALUE = Bytes.toBytes("V");

  /** Every row of Phoenix's has this cell, by which it knows that there is a row. */
  private static final byte[] EXISTS = Bytes.toBytes("_0");

  private final PhoenixConnections connections;

  PhoenixSide(PhoenixConnections connections) {
    this.connections = connections;
  }

  @Override
  public String name() {
    return "phoenix";
  }

  @Override
  public boolean can(Task task) {
    return !task.affine();
  }

  /**
   * Phoenix makes the table; the rows are written by HBase's own client, with Phoenix's bytes: it
   * takes a fifth of the time that UPSERT takes, and leaves the same.
   */
  @Override
  public void fill(BenchRows rows, int buckets) throws IOException {
    connections.execute(
        "CREATE TABLE "
            + TABLE
            + " (K VARCHAR PRIMARY KEY, D.V VARBINARY) COLUMN_ENCODED_BYTES=0"
            + (buckets == 1 ? "" : ", SALT_BUCKETS=" + buckets));
    Layout layout =
        Layout.parse(buckets == 1 ? "k:string" : "phoenix_salt(" + buckets + ") + k:string");
    try (org.apache.hadoop.hbase.client.Connection hbase =
            ConnectionFactory.createConnection(connections.configuration());
        BufferedMutator mutator = hbase.getBufferedMutator(TableName.valueOf(TABLE))) {
      for (int row = 0; row < rows.count(); row++) {
        mutator.mutate(
            new Put(layout.physical(rows.key(row)))
                .addColumn(FAMILY, VALUE, rows.value(row))
                .addColumn(FAMILY, EXISTS, Bytes.toBytes("x")));
      }
    }
    connections.flush(List.of(TABLE));
  }

  @Override
  public RowScan scan(Task task, KeyRange range, boolean measured) throws IOException {
    List<String> conditions = new ArrayList<>();
    List<String> bounds = new ArrayList<>();
    if (range.start().length > 0) {
      conditions.add("K >= ?");
      bounds.add(new String(range.start(), StandardCharsets.US_ASCII));
    }
    if (range.stop().length > 0) {
      conditions.add("K < ?");
      bounds.add(new String(range.stop(), StandardCharsets.US_ASCII));
    }
    String query =
        "SELECT K, V FROM "
            + TABLE
            + (conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions))
            + " ORDER BY K"
            + (task.reversed() ? " DESC" : "")
            + (task.limit() > 0 ? " LIMIT " + task.limit() : "");
    return PhoenixQuery.open(connections, query, bounds, PhoenixSide::mixed);
  }

  private static long mixed(ResultSet columns) throws SQLException {
    byte[] key = columns.getBytes(1);
    return RowScan.mixed(key, 0, key.length, columns.getBytes(2).length);
  }

  @Override
  public void drop() throws IOException {
    connections.execute("DROP TABLE IF EXISTS " + TABLE);
  }

  @Override
  public void close() throws IOException {
    connections.close();
  }
}
