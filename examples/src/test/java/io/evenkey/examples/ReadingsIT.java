/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadTables;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The application as it is, and spread by configuration alone: it cannot tell the difference. */
@ExtendWith(EmbeddedHBaseExtension.class)
class ReadingsIT {
  private static final List<String> DEVICES =
      IntStream.range(0, 40).mapToObj(i -> "pump-" + i).toList();

  private static List<String> run(Configuration configuration, TableName table) throws IOException {
    List<String> seen = new ArrayList<>();
    try (Readings readings = new Readings(configuration, table)) {
      readings.write(DEVICES, 1_000, 2_000, 3_000);
      for (String device : DEVICES) {
        seen.addAll(readings.newest(device, 2));
        seen.add(readings.read(device, 2_000));
        seen.add(readings.read(device, 2_000));
      }
    }
    return seen;
  }

  @Test
  void theSameClassWritesToAPlainTableAndToASpreadOne(Connection connection) throws IOException {
    TableName plain = TableName.valueOf("readings");
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(plain)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
              .build());
    }
    TableName spread = TableName.valueOf("readings_spread");
    Layout layout = Layout.parse("salt(16, device) + device:string + ts:timestamp desc");
    try (SpreadTables tables = SpreadTables.on(connection)) {
      tables.create(spread, layout, layout.splits(4), List.of("d"));
    }
    Configuration configured = new Configuration(connection.getConfiguration());
    configured.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());

    List<String> expected = run(connection.getConfiguration(), plain);
    assertThat(run(configured, spread)).isEqualTo(expected);
    assertThat(expected).contains("pump-7@3000", "pump-7@2000", "pump-7@2000 read 2");
    assertThat(buckets(connection, spread)).as("buckets that have rows").hasSizeGreaterThan(8);
  }

  private static Set<Integer> buckets(Connection connection, TableName name) throws IOException {
    Set<Integer> buckets = new TreeSet<>();
    try (Table table = connection.getTable(name);
        ResultScanner rows = table.getScanner(Bytes.toBytes("d"))) {
      for (Result row : rows) {
        buckets.add(row.getRow()[0] & 0xff);
      }
    }
    return buckets;
  }
}
