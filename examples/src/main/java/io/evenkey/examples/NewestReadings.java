/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.examples;

import io.evenkey.client.SpreadMutator;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/** Creates a spread table, writes readings of two devices, and prints the newest of one. */
public final class NewestReadings {
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final byte[] CELSIUS = Bytes.toBytes("celsius");

  private NewestReadings() {}

  /** Runs on the cluster of {@code hbase-site.xml} on the class path. */
  public static void main(String[] arguments) throws IOException {
    run(HBaseConfiguration.create());
  }

  static void run(Configuration cluster) throws IOException {
    Layout layout = Layout.parse("salt(16, device) + device:string + ts:timestamp desc");
    TableName name = TableName.valueOf("newest_readings");
    try (Connection connection = ConnectionFactory.createConnection(cluster);
        SpreadTables tables = SpreadTables.on(connection)) {
      SpreadTable readings = tables.create(name, layout, layout.splits(4), List.of("d"));

      try (SpreadMutator mutator = readings.mutator()) {
        for (int minute = 0; minute < 60; minute++) {
          for (String device : List.of("d1", "d2")) {
            Values key =
                Values.of("device", device).and("ts", 1_769_848_200_000L + minute * 60_000L);
            byte[] value = Bytes.toBytes(device + " " + (20 + minute % 7));
            mutator.put(new Put(layout.logicalKey(key)).addColumn(FAMILY, CELSIUS, value));
          }
        }
      }

      try (KeyedRows newest = readings.select().where("device = 'd1'").limit(3).open()) {
        for (KeyedRow row : newest) {
          System.out.println(row.get("ts") + "  " + Bytes.toString(row.value(FAMILY, CELSIUS)));
        }
      }
    }
  }
}
