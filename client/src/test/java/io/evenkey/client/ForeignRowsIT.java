/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.catalog.CheckSettings;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.guard.GuardAttributes;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tables with rows that their layout cannot have written. */
@ExtendWith(EmbeddedHBaseExtension.class)
class ForeignRowsIT {
  private static final byte[] D = Bytes.toBytes("d");

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private Connection plain;
  private Configuration configuration;
  private TableName name;

  @BeforeEach
  void open(Connection shared, TestInfo info) {
    Metrics.addRegistry(meters);
    plain = shared;
    configuration = new Configuration(shared.getConfiguration());
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    configuration.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    configuration.set(EvenkeyConnection.CHECK, "first");
    name = TableName.valueOf("foreign_" + info.getTestMethod().orElseThrow().getName());
  }

  @AfterEach
  void close() {
    Metrics.removeRegistry(meters);
  }

  private void create(String line, List<byte[]> keys) throws IOException {
    Layout layout = Layout.parse(line);
    try (Admin admin = plain.getAdmin()) {
      admin.createTable(
          TableLayout.with(
              TableDescriptorBuilder.newBuilder(name)
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
                  .build(),
              layout));
    }
    for (byte[] key : keys) {
      store(layout.physical(key));
    }
  }

  private static List<byte[]> keys(int count) {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add(Bytes.toBytes("k" + i));
    }
    return keys;
  }

  /** Past the layout, as HBase's own client does it. */
  private void store(byte[] row) throws IOException {
    try (Table table = plain.getTable(name)) {
      Put put = new Put(row).addColumn(D, D, D);
      put.setAttribute(GuardAttributes.RAW, D);
      table.put(put);
    }
  }

  private double counted() {
    return meters
        .get("evenkey.rows.foreign")
        .tag("table", name.getNameAsString())
        .functionCounter()
        .count();
  }

  private int rowsScanned() throws IOException {
    int rows = 0;
    try (Connection fresh = ConnectionFactory.createConnection(configuration);
        Table table = fresh.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        rows++;
      }
    }
    return rows;
  }

  @Test
  void oneForeignRowDoesNotTakeTheTableDown() throws Exception {
    create("salt(4) + key:bytes", keys(40));
    // The first row of the table, and of the bucket that is looked at first.
    store(new byte[] {0});
    assertThat(rowsScanned()).isGreaterThanOrEqualTo(40);
    assertThat(counted()).isPositive();
    try (AsyncConnection async =
        FutureUtils.get(ConnectionFactory.createAsyncConnection(configuration))) {
      Result row = FutureUtils.get(async.getTable(name).get(new Get(Bytes.toBytes("k1"))));
      assertThat(row.isEmpty()).isFalse();
    }
    try (SpreadTables tables = SpreadTables.on(plain)) {
      assertThat(tables.open(name).get(new Get(Bytes.toBytes("k1"))).isEmpty()).isFalse();
    }
  }

  private void isRefused() throws IOException {
    try (Connection fresh = ConnectionFactory.createConnection(configuration);
        Table table = fresh.getTable(name)) {
      assertThatThrownBy(() -> table.get(new Get(D)))
          .isInstanceOf(TableLayoutException.class)
          .hasMessageContainingAll("foreign=", "row=", "evenkey.check.refuse.share");
    }
  }

  @Test
  void shareOfForeignRowsThatRefusesIsASetting() throws Exception {
    create("salt(4) + key:bytes", keys(10));
    for (int i = 0; i < 6; i++) {
      store(new byte[] {0, 0, (byte) i});
    }
    Layout layout = Layout.parse("salt(4) + key:bytes");
    long foreign = 0;
    for (int i = 0; i < 6; i++) {
      byte[] key = {0, (byte) i};
      foreign += layout.physical(key)[0] == 0 ? 0 : 1;
    }
    double share = foreign / 16.0;
    configuration.setDouble(CheckSettings.REFUSE_SHARE, share - 0.01);
    isRefused();
    configuration.setDouble(CheckSettings.REFUSE_SHARE, share + 0.01);
    assertThat(rowsScanned()).isEqualTo(16);
  }

  @Test
  void tableWhoseOnlyRowIsForeignIsRefused() throws Exception {
    create("salt(4) + key:bytes", List.of());
    store(Bytes.toBytes("zebra"));
    isRefused();
    configuration.setInt(CheckSettings.BUCKETS, 0);
    assertThat(rowsScanned()).isZero();
  }

  @Test
  void checkInTheBackgroundRefusesLaterOperations() throws Exception {
    create("salt(4) + key:bytes", List.of());
    store(Bytes.toBytes("zebra"));
    configuration.set(EvenkeyConnection.CHECK, "background");
    try (Connection fresh = ConnectionFactory.createConnection(configuration);
        AsyncConnection async =
            FutureUtils.get(ConnectionFactory.createAsyncConnection(configuration));
        Table table = fresh.getTable(name)) {
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> table.get(new Get(D)))
                      .isInstanceOf(TableLayoutException.class)
                      .hasMessageContaining("foreign=1"));
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> FutureUtils.get(async.getTable(name).get(new Get(D))))
                      .isInstanceOf(TableLayoutException.class));
    }
    configuration.set(EvenkeyConnection.CHECK, "off");
    assertThat(rowsScanned()).isZero();
  }

  @Test
  void selectionLeavesOutWhatItCannotTakeApart() throws Exception {
    create("salt(2) + id:int64", List.of());
    Layout layout = Layout.parse("salt(2) + id:int64");
    for (long id = 0; id < 50; id++) {
      store(layout.physical(Bytes.toBytes(id ^ Long.MIN_VALUE)));
    }
    store(new byte[] {1, 5});
    try (SpreadTables tables = SpreadTables.on(plain)) {
      SpreadTable table = tables.open(name);
      double before = counted();
      int rows = 0;
      try (KeyedRows all = table.select().open()) {
        for (KeyedRow row = all.next(); row != null; row = all.next()) {
          assertThat(row.get("id")).isEqualTo((long) rows++);
        }
      }
      assertThat(rows).isEqualTo(50);
      assertThat(counted()).isGreaterThan(before);
    }
  }

  @Test
  void scanInStoredOrderLeavesOutWhatHasNoLogicalKey() throws Exception {
    create("reverse(id:int64) + name:string", List.of());
    Layout layout = Layout.parse("reverse(id:int64) + name:string");
    for (long id = 0; id < 20; id++) {
      store(layout.physical(Bytes.add(Bytes.toBytes(id ^ Long.MIN_VALUE), Bytes.toBytes("n"))));
    }
    store(new byte[] {0, 0, 7});
    try (SpreadTables tables = SpreadTables.on(plain)) {
      SpreadTable table = tables.open(name);
      int rows = 0;
      try (ResultScanner stored = table.scanStored()) {
        for (Result row = stored.next(); row != null; row = stored.next()) {
          rows++;
        }
      }
      assertThat(rows).isEqualTo(20);
    }
  }

  @Test
  void rowShorterThanItsPrefixDoesNotEndAScanInStoredOrder() throws Exception {
    create("salt(4; as=digits(2)) + key:bytes", keys(20));
    store(Bytes.toBytes("0"));
    try (SpreadTables tables = SpreadTables.on(plain)) {
      int rows = 0;
      try (ResultScanner stored = tables.open(name).scanStored()) {
        while (stored.next() != null) {
          rows++;
        }
      }
      assertThat(rows).isEqualTo(20);
      assertThat(counted()).isPositive();
    }
  }
}
