/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadTables;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Numbered rows of a salted table, written and read as by an application without Evenkey. */
final class Rows {
  static final byte[] FAMILY = Bytes.toBytes("d");
  static final byte[] QUALIFIER = Bytes.toBytes("v");
  static final String LAYOUT = "salt(12) + id:digits(8)";

  private Rows() {}

  static TableName create(Connection connection, String name) throws IOException {
    return create(connection, name, 12);
  }

  static TableName create(Connection connection, String name, int regions) throws IOException {
    TableName table = TableName.valueOf(name);
    Layout layout = Layout.parse(LAYOUT);
    try (SpreadTables tables = SpreadTables.on(connection)) {
      tables.create(table, layout, layout.splits(regions), List.of("d"));
    }
    return table;
  }

  /** A connection of the drop-in client. */
  static Connection dropIn(SeparateCluster cluster) throws IOException {
    Configuration configuration = cluster.configuration();
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    return ConnectionFactory.createConnection(configuration);
  }

  static byte[] key(int row) {
    return Bytes.toBytes(String.format("%08d", row));
  }

  static byte[] value(int row) {
    return Bytes.toBytes("value " + row);
  }

  static Put put(int row) {
    return new Put(key(row)).addColumn(FAMILY, QUALIFIER, value(row));
  }

  /** Writes rows in batches, each of which HBase has acknowledged before the next one. */
  static void write(Connection dropIn, TableName table, int from, int to, Progress progress)
      throws IOException {
    try (BufferedMutator mutator = dropIn.getBufferedMutator(table)) {
      for (int row = from; row < to; row++) {
        mutator.mutate(put(row));
        if (row % 1_000 == 999) {
          mutator.flush();
          progress.acknowledged(row + 1);
        }
      }
    }
  }

  /** Is called with how many rows are written. */
  interface Progress {
    void acknowledged(int rows) throws IOException;
  }

  /** All of these rows are there, in order, each with its value, and no other. */
  static void assertAll(Connection dropIn, TableName name, int rows) throws IOException {
    int next = 0;
    try (Table table = dropIn.getTable(name);
        ResultScanner results = table.getScanner(new Scan())) {
      for (Result result : results) {
        // Compared without a message, which would be made for each of many rows.
        if (!Bytes.equals(result.getRow(), key(next))
            || !Bytes.equals(result.getValue(FAMILY, QUALIFIER), value(next))) {
          assertThat(Bytes.toString(result.getRow())).isEqualTo(Bytes.toString(key(next)));
          assertThat(Bytes.toString(result.getValue(FAMILY, QUALIFIER)))
              .isEqualTo(Bytes.toString(value(next)));
        }
        next++;
      }
    }
    assertThat(next).as("rows").isEqualTo(rows);
  }
}
