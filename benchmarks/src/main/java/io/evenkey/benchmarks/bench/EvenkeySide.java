/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Table;

/**
 * Tables with a layout, through the drop-in connection: one is salted by the whole key, one by the
 * device.
 */
final class EvenkeySide implements ComparedStore {
  static final TableName WHOLE = TableName.valueOf("bench_evenkey");

  /** A key is one number here: of the reading in its last ten digits, and of the device. */
  private static final String SLICE = "10000000000";

  private static final TableName AFFINE = TableName.valueOf("bench_evenkey_affine");

  private final BenchSettings settings;
  private final Connection connection;
  private final CreatedTables created;

  EvenkeySide(Configuration configuration, BenchSettings settings) throws IOException {
    this.settings = settings;
    this.connection = ConnectionFactory.createConnection(dropIn(configuration));
    this.created = new CreatedTables(connection);
  }

  /** A configuration that makes HBase create Evenkey's connections. */
  static Configuration dropIn(Configuration configuration) {
    Configuration dropIn = new Configuration(configuration);
    dropIn.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    return dropIn;
  }

  /** The layout with a salt of the whole key, or of slices of a thousand rows. */
  static Layout layout(int buckets, int over) {
    return Layout.parse(
        over == 0
            ? "salt(" + buckets + ") + " + BenchRows.FIELDS
            : "salt(" + buckets + ", n / " + SLICE + "; over=" + over + ") + n:digits(16)");
  }

  @Override
  public String name() {
    return "evenkey";
  }

  @Override
  public boolean can(Task task) {
    return true;
  }

  @Override
  public void fill(BenchRows rows, int buckets) throws IOException {
    fill(WHOLE, layout(buckets, Math.min(buckets, settings.over())), rows, buckets);
    fill(
        AFFINE, Layout.parse("salt(" + buckets + ", device) + " + BenchRows.FIELDS), rows, buckets);
  }

  private void fill(TableName table, Layout layout, BenchRows rows, int buckets)
      throws IOException {
    created.create(
        TableLayout.with(HBaseTables.table(table.getNameAsString(), settings.encoding()), layout),
        HBaseTables.splits(layout, buckets));
    HBaseTables.fill(connection, table, rows);
  }

  @Override
  public RowScan scan(Task task, KeyRange range, boolean measured) throws IOException {
    try (Table table = connection.getTable(task.affine() ? AFFINE : WHOLE)) {
      return new ResultScan(table.getScanner(HBaseTables.scan(task, range, measured)));
    }
  }

  @Override
  public void drop() throws IOException {
    created.drop();
  }

  @Override
  public void close() throws IOException {
    try (connection) {
      created.drop();
    }
  }
}
