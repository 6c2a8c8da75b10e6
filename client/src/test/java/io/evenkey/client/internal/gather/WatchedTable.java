/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;

/** A spread table of which {@link Watched} counts the scans, through Evenkey's connection. */
final class WatchedTable implements AutoCloseable {
  static final byte[] FAMILY = Bytes.toBytes("d");

  private final Connection connection;
  private final Table table;

  private WatchedTable(Connection connection, Table table) {
    this.connection = connection;
    this.table = table;
  }

  /**
   * A table of rows with the keys 0 and up.
   *
   * @param configuration of the connection
   * @param buckets of its salt; a region for each of the first eight
   */
  static WatchedTable create(
      Configuration configuration, String name, int buckets, int rows, int valueBytes)
      throws IOException {
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    Connection connection = ConnectionFactory.createConnection(configuration);
    TableName tableName = TableName.valueOf(name);
    Layout layout = Layout.parse("salt(" + buckets + ") + key:bytes");
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableLayout.with(
              TableDescriptorBuilder.newBuilder(tableName)
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                  .setCoprocessor(Watched.class.getName())
                  .build(),
              layout),
          layout.splits(Math.min(8, buckets)).toArray());
    }
    try (BufferedMutator mutator = connection.getBufferedMutator(tableName)) {
      for (int i = 0; i < rows; i++) {
        mutator.mutate(new Put(Bytes.toBytes(i)).addColumn(FAMILY, FAMILY, new byte[valueBytes]));
      }
    }
    return new WatchedTable(connection, connection.getTable(tableName));
  }

  Connection connection() {
    return connection;
  }

  Table table() {
    return table;
  }

  static List<Integer> keys(ResultScanner scanner) throws IOException {
    List<Integer> keys = new ArrayList<>();
    for (Result row = scanner.next(); row != null; row = scanner.next()) {
      keys.add(key(row));
    }
    return keys;
  }

  static int key(Result row) {
    return Bytes.toInt(row.getRow());
  }

  static List<Integer> upTo(int rows) {
    List<Integer> keys = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      keys.add(i);
    }
    return keys;
  }

  static void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(30, TimeUnit.SECONDS).until(condition);
  }

  /** Waits until nothing more has been sent for a while. */
  static long settled() {
    AtomicLong last = new AtomicLong();
    Awaitility.await()
        .atMost(30, TimeUnit.SECONDS)
        .pollInterval(20, TimeUnit.MILLISECONDS)
        .during(500, TimeUnit.MILLISECONDS)
        .until(
            () -> {
              long now = Watched.sent();
              return last.getAndSet(now) == now && now > 0;
            });
    return last.get();
  }

  @Override
  public void close() throws IOException {
    Watched.reset();
    table.close();
    connection.close();
  }
}
