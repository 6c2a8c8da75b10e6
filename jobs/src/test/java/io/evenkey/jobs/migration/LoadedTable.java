/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadTables;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** A table of 200 rows in four buckets, to be migrated to three. */
final class LoadedTable {
  static final Layout FROM = Layout.parse("salt(4) + key:bytes");
  static final Layout TO = Layout.parse("salt(3) + key:bytes");
  static final byte[] D = Bytes.toBytes("d");
  static final int ROWS = 200;

  private LoadedTable() {}

  static void create(Connection plain, TableName name) throws IOException {
    try (SpreadTables tables = SpreadTables.on(plain);
        Admin admin = plain.getAdmin()) {
      tables.create(name, FROM, FROM.splits(2), List.of("d"));
      admin.modifyColumnFamily(name, Traffic.FAMILY);
    }
    List<Put> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(put(i));
    }
    try (Connection client = client(plain);
        Table table = client.getTable(name)) {
      table.put(rows);
    }
  }

  static byte[] key(int i) {
    return Bytes.toBytes("before-" + i);
  }

  static Put put(int i) {
    return new Put(key(i)).addColumn(D, D, Bytes.toBytes(i));
  }

  /** A new connection with both of Evenkey's plug points. */
  static Connection client(Connection plain) throws IOException {
    Configuration configuration = new Configuration(plain.getConfiguration());
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    configuration.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    return ConnectionFactory.createConnection(configuration);
  }
}
