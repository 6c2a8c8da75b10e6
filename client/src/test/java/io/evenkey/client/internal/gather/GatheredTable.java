/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import static org.awaitility.Awaitility.await;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.metrics.ScanMeters;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/** A table of 16 buckets in 7 regions, the keys of which are the integers from 0 on. */
final class GatheredTable {
  static final Layout LAYOUT = Layout.parse("salt(16) + key:bytes");
  static final byte[] FAMILY = Bytes.toBytes("d");

  private GatheredTable() {}

  static void create(Connection connection, TableDescriptor descriptor) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(TableLayout.with(descriptor, LAYOUT), LAYOUT.splits(7).toArray());
    }
  }

  static void fill(Connection dropIn, TableName name, int rows) throws IOException {
    try (Table table = dropIn.getTable(name)) {
      List<Put> puts = new ArrayList<>();
      for (int key = 0; key < rows; key++) {
        puts.add(new Put(Bytes.toBytes(key)).addColumn(FAMILY, FAMILY, Bytes.toBytes(key)));
      }
      table.put(puts);
    }
  }

  /** A connection of which servers gather short scans, or none. */
  static Connection dropIn(Connection connection, boolean onServers) throws IOException {
    Configuration dropIn = new Configuration(connection.getConfiguration());
    dropIn.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    dropIn.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    dropIn.setBoolean(Gather.ON_SERVERS, onServers);
    return ConnectionFactory.createConnection(dropIn);
  }

  static List<Result> rows(Table table, Scan scan) throws IOException {
    List<Result> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        rows.add(row);
      }
    }
    return rows;
  }

  /** The rows that servers gather. They may be too busy for a moment; the client reads then. */
  static List<Result> gathered(String what, Table table, Callable<Scan> scan) {
    AtomicReference<List<Result>> rows = new AtomicReference<>(List.of());
    await("gathered by servers: " + what)
        .atMost(1, TimeUnit.MINUTES)
        .pollDelay(Duration.ZERO)
        .until(
            () -> {
              long before = ScanMeters.gathered();
              rows.set(rows(table, scan.call()));
              return ScanMeters.gathered() > before;
            });
    return rows.get();
  }

  static List<Integer> keys(Table table, Scan scan) throws IOException {
    return rows(table, scan).stream().map(row -> Bytes.toInt(row.getRow())).toList();
  }
}
