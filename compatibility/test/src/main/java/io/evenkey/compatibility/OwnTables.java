/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.compatibility;

import io.evenkey.client.ScanOptions;
import io.evenkey.client.SpreadMutator;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.util.Bytes;

/** Operations of an application that uses Evenkey's own API. */
final class OwnTables {
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final int ROWS = 40;

  private OwnTables() {}

  /**
   * Uses a table on the cluster of the {@code hbase-site.xml} on the class path. The arguments are
   * the name of the table, and addresses of region servers.
   */
  public static void main(String[] arguments) throws IOException {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.client.bootstrap.servers", arguments[1]);
    use(configuration, TableName.valueOf(arguments[0]));
    System.out.println("done");
  }

  /** Creates a table, writes to it and reads it. */
  static void use(Configuration configuration, TableName name) throws IOException {
    Layout layout = Layout.parse("salt(4) + id:digits(6)");
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        SpreadTables tables = SpreadTables.on(connection)) {
      SpreadTable table = tables.create(name, layout, layout.splits(4), List.of("d"));
      try (SpreadMutator mutator = table.mutator()) {
        for (int i = 0; i < ROWS; i++) {
          mutator.put(new Put(key(i)).addColumn(FAMILY, Q, Bytes.toBytes(i)));
        }
      }
      Result row = table.get(new Get(key(7)));
      Expected.equal("own get", 7, Bytes.toInt(row.getValue(FAMILY, Q)));
      List<String> seen = new ArrayList<>();
      try (ResultScanner scanner = table.scan(KeyRange.all(), ScanOptions.all())) {
        scanner.forEach(result -> seen.add(Bytes.toString(result.getRow())));
      }
      List<String> written = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        written.add(Bytes.toString(key(i)));
      }
      Expected.equal("own scan", written, seen);
    }
  }

  private static byte[] key(int i) {
    return Bytes.toBytes("%06d".formatted(i));
  }
}
