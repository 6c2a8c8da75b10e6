/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.connectors;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.thrift.generated.Hbase;
import org.apache.hadoop.hbase.thrift.generated.Mutation;
import org.apache.hadoop.hbase.thrift.generated.TRowResult;
import org.apache.hadoop.hbase.thrift2.ThriftServer;
import org.apache.hadoop.hbase.thrift2.generated.TColumnIncrement;
import org.apache.hadoop.hbase.thrift2.generated.TColumnValue;
import org.apache.hadoop.hbase.thrift2.generated.TDelete;
import org.apache.hadoop.hbase.thrift2.generated.TGet;
import org.apache.hadoop.hbase.thrift2.generated.THBaseService;
import org.apache.hadoop.hbase.thrift2.generated.TIncrement;
import org.apache.hadoop.hbase.thrift2.generated.TPut;
import org.apache.hadoop.hbase.thrift2.generated.TResult;
import org.apache.hadoop.hbase.thrift2.generated.TScan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** HBase's Thrift servers, both interfaces, with Evenkey's connections. */
@ExtendWith(EmbeddedHBaseExtension.class)
class ThriftServerIT {
  private static final int ROWS = 40;

  @Test
  void firstInterfaceSeesLogicalKeys(EmbeddedHBase hbase) throws Exception {
    SpreadRows rows = SpreadRows.create(hbase, "thrift");
    ByteBuffer table = bytes("thrift");
    try (RunningThrift server =
        RunningThrift.start(hbase, org.apache.hadoop.hbase.thrift.ThriftServer::new)) {
      Hbase.Client client = new Hbase.Client(server.protocol());
      for (int i = 0; i < ROWS; i++) {
        Mutation put = new Mutation(false, bytes("d:q"), bytes("v" + i), true);
        client.mutateRow(table, bytes(SpreadRows.key(i)), List.of(put), Map.of());
      }

      List<TRowResult> row = client.getRow(table, bytes(SpreadRows.key(7)), Map.of());
      assertThat(new String(row.get(0).getColumns().get(bytes("d:q")).getValue(), UTF_8))
          .isEqualTo("v7");
      assertThat(scanned(client, table, scan())).isEqualTo(SpreadRows.keys(0, ROWS));
      assertThat(
              scanned(
                  client, table, scan().setStartRow(bytes("row-10")).setStopRow(bytes("row-20"))))
          .isEqualTo(SpreadRows.keys(10, 20));
      assertThat(scanned(client, table, scan().setFilterString(bytes("PrefixFilter('row-1')"))))
          .isEqualTo(SpreadRows.keys(10, 20));
      assertThat(scanned(client, table, scan().setReversed(true)))
          .isEqualTo(SpreadRows.reversed(SpreadRows.keys(0, ROWS)));
      client.deleteAllRow(table, bytes(SpreadRows.key(ROWS - 1)), Map.of());
    }
    rows.assertStored(SpreadRows.keys(0, ROWS - 1));
  }

  @Test
  void secondInterfaceSeesLogicalKeys(EmbeddedHBase hbase) throws Exception {
    SpreadRows rows = SpreadRows.create(hbase, "thrift2");
    ByteBuffer table = bytes("thrift2");
    try (RunningThrift server = RunningThrift.start(hbase, ThriftServer::new)) {
      THBaseService.Client client = new THBaseService.Client(server.protocol());
      client.put(table, put(0));
      List<TPut> puts = new ArrayList<>();
      for (int i = 1; i < ROWS; i++) {
        puts.add(put(i));
      }
      client.putMultiple(table, puts);

      TResult row = client.get(table, new TGet(bytes(SpreadRows.key(7))));
      assertThat(new String(row.getColumnValues().get(0).getValue(), UTF_8)).isEqualTo("v7");
      assertThat(keys(client.getScannerResults(table, new TScan(), ROWS)))
          .isEqualTo(SpreadRows.keys(0, ROWS));
      TScan range = new TScan().setStartRow(bytes("row-10")).setStopRow(bytes("row-20"));
      assertThat(keys(client.getScannerResults(table, range, ROWS)))
          .isEqualTo(SpreadRows.keys(10, 20));
      TScan filtered = new TScan().setFilterString(bytes("PrefixFilter('row-3')"));
      assertThat(keys(client.getScannerResults(table, filtered, ROWS)))
          .isEqualTo(SpreadRows.keys(30, ROWS));
      int scanner = client.openScanner(table, new TScan().setReversed(true));
      List<String> seen = new ArrayList<>(keys(client.getScannerRows(scanner, 15)));
      seen.addAll(keys(client.getScannerRows(scanner, ROWS)));
      client.closeScanner(scanner);
      assertThat(seen).isEqualTo(SpreadRows.reversed(SpreadRows.keys(0, ROWS)));

      assertThat(
              client.checkAndPut(
                  table, bytes("row-03"), bytes("d"), bytes("q"), bytes("other"), put(3)))
          .isFalse();
      TIncrement increment =
          new TIncrement(
              bytes("row-04"), List.of(new TColumnIncrement(bytes("d"), bytes("n")).setAmount(5)));
      client.increment(table, increment);
      TResult counted = client.increment(table, increment);
      assertThat(Bytes.toString(counted.getRow())).isEqualTo("row-04");
      assertThat(Bytes.toLong(counted.getColumnValues().get(0).getValue())).isEqualTo(10);
      client.deleteSingle(table, new TDelete(bytes(SpreadRows.key(ROWS - 1))));
    }
    rows.assertStored(SpreadRows.keys(0, ROWS - 1));
  }

  private static org.apache.hadoop.hbase.thrift.generated.TScan scan() {
    return new org.apache.hadoop.hbase.thrift.generated.TScan();
  }

  private static List<String> scanned(
      Hbase.Client client, ByteBuffer table, org.apache.hadoop.hbase.thrift.generated.TScan scan)
      throws Exception {
    int scanner = client.scannerOpenWithScan(table, scan, Map.of());
    List<String> keys = new ArrayList<>();
    for (List<TRowResult> some = client.scannerGetList(scanner, 15);
        !some.isEmpty();
        some = client.scannerGetList(scanner, 15)) {
      some.forEach(row -> keys.add(new String(row.getRow(), UTF_8)));
    }
    client.scannerClose(scanner);
    return keys;
  }

  private static TPut put(int i) {
    return new TPut(
        bytes(SpreadRows.key(i)),
        List.of(new TColumnValue(bytes("d"), bytes("q"), bytes("v" + i))));
  }

  private static List<String> keys(List<TResult> rows) {
    return rows.stream().map(row -> new String(row.getRow(), UTF_8)).toList();
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }
}
