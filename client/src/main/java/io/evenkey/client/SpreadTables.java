package io.evenkey.client;

import io.evenkey.layout.Layout;
import io.evenkey.layout.split.SplitPlan;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.jspecify.annotations.Nullable;

/** The spread tables of one HBase cluster, on a connection that stays its owner's. Thread-safe. */
public final class SpreadTables implements AutoCloseable {
  private final Connection connection;
  private @Nullable AsyncConnection scans;

  private SpreadTables(Connection connection) {
    this.connection = connection;
  }

  /** The tables that this connection reaches. Closing them leaves the connection open. */
  public static SpreadTables on(Connection connection) {
    return new SpreadTables(connection);
  }

  /**
   * Creates a table, cut into regions, with its layout in its descriptor: both in one step of the
   * master's, so there is never a table without its layout.
   *
   * @param families column families, at least one
   * @throws org.apache.hadoop.hbase.TableExistsException if there is a table of this name
   */
  public SpreadTable create(TableName name, Layout layout, SplitPlan splits, List<String> families)
      throws IOException {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name);
    families.forEach(family -> table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(family)));
    try (Admin admin = connection.getAdmin()) {
      // HBase takes an empty array of split keys for a mistake.
      byte[][] keys = splits.keys().isEmpty() ? null : splits.toArray();
      admin.createTable(TableLayout.with(table.build(), layout), keys);
    }
    return new SpreadTable(this, name, layout);
  }

  /**
   * Opens a table by the layout in its descriptor.
   *
   * @throws org.apache.hadoop.hbase.TableNotFoundException if there is no such table
   * @throws TableLayoutException if it has no layout, or one that this version does not understand
   */
  public SpreadTable open(TableName name) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      Layout layout = TableLayout.of(admin.getDescriptor(name));
      if (layout == null) {
        throw new TableLayoutException(
            name, "table without a layout", "create it with one, or use HBase's own client");
      }
      return new SpreadTable(this, name, layout);
    }
  }

  Connection connection() {
    return connection;
  }

  /** Opened at the first scan: only scans need it, to read ahead on many ranges at once. */
  synchronized AsyncConnection scans() throws IOException {
    AsyncConnection open = scans;
    if (open == null) {
      open =
          FutureUtils.get(ConnectionFactory.createAsyncConnection(connection.getConfiguration()));
      scans = open;
    }
    return open;
  }

  @Override
  public synchronized void close() throws IOException {
    if (scans != null) {
      scans.close();
      scans = null;
    }
  }
}
