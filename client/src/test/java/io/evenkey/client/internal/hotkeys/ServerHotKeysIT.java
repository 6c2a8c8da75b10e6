/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.hotkeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.hotkeys.ServerHotKeys.State;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.protocol.hotkeys.HotKeyKind;
import io.evenkey.protocol.hotkeys.HotKeySetting;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** Region servers count the operations of all clients: of Evenkey's, and of HBase's own. */
@ExtendWith(EmbeddedHBaseExtension.class)
class ServerHotKeysIT {
  // Counts follow from rates, of regions whose windows began at slightly different times.
  private static final Percentage NEARLY = Percentage.withPercentage(25);

  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final Layout LAYOUT = Layout.parse("salt(8) + device:string + ts:timestamp desc");
  private static final HotKeySetting ALL = new HotKeySetting(1);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private Connection plain;
  private TableName name;

  @BeforeEach
  void create(Connection connection, TestInfo info) throws IOException {
    plain = connection;
    name = TableName.valueOf(info.getTestMethod().orElseThrow().getName());
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build();
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(TableLayout.with(table, LAYOUT), LAYOUT.splits(4).toArray());
    }
  }

  private static Values values(String device, long ts) {
    return Values.of(Map.of("device", device, "ts", ts));
  }

  private static byte[] key(String device, long ts) {
    return LAYOUT.logicalKey(values(device, ts));
  }

  private static byte[] row(String device, long ts) {
    return LAYOUT.encode(values(device, ts));
  }

  private static Put put(byte[] row) {
    return new Put(row).addColumn(FAMILY, QUALIFIER, Bytes.toBytes(1L));
  }

  private static Connection dropIn(Connection connection) throws IOException {
    Configuration dropIn = new Configuration(connection.getConfiguration());
    dropIn.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    dropIn.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    // It reads rows in the background.
    dropIn.set("evenkey.check", "off");
    return ConnectionFactory.createConnection(dropIn);
  }

  private ServerHotKeys set(HotKeySetting setting) throws IOException {
    return ServerHotKeys.set(plain, name, setting);
  }

  private ServerHotKeys ask() throws IOException {
    return ServerHotKeys.ask(plain, name);
  }

  /** The counts of a kind, where every operation is counted. */
  private static long count(ServerHotKeys hot, HotKeyKind kind) {
    return Math.round(hot.total(kind) * Math.max(1_000, hot.windowMs()) / 1_000);
  }

  /** The counts of a hot key, by label, likewise. */
  private static long count(ServerHotKeys hot, HotKeyKind kind, String label) {
    return hot.top(kind, 100).stream()
        .filter(key -> key.label().equals(label))
        .mapToLong(key -> Math.round(key.perSecond() * Math.max(1_000, hot.windowMs()) / 1_000))
        .sum();
  }

  private static void read(Table table, Scan scan) throws IOException {
    try (ResultScanner rows = table.getScanner(scan)) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        assertThat(row.isEmpty()).isFalse();
      }
    }
  }

  private List<HRegionLocation> regions() throws IOException {
    try (RegionLocator locator = plain.getRegionLocator(name)) {
      return locator.getAllRegionLocations();
    }
  }

  @Test
  void nothingIsCountedUnlessTheTableIsSet() throws Exception {
    try (Table table = plain.getTable(name)) {
      table.get(new Get(row("hot", 1)));
    }
    ServerHotKeys hot = ask();
    assertThat(hot.state()).isEqualTo(State.OFF);
    assertThat(hot.counting()).isZero();
    assertThat(hot.total(HotKeyKind.READ_KEYS)).isZero();
    assertThat(hot.top(HotKeyKind.READ_KEYS, 10)).isEmpty();
  }

  @Test
  void trafficOfBothClientsIsCountedByKeyBucketAndServer() throws Exception {
    assertThat(set(ALL).state()).isEqualTo(State.COUNTED);
    byte[] hotRow = row("hot", 5_000);
    try (Connection dropIn = dropIn(plain);
        Table logical = dropIn.getTable(name);
        Table physical = plain.getTable(name)) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        puts.add(put(key("d" + i, 1_000L * i)));
      }
      logical.put(puts);
      for (int i = 0; i < 40; i++) {
        logical.put(put(key("hot", 5_000)));
        logical.get(new Get(key("hot", 5_000)));
        physical.get(new Get(hotRow));
        assertThat(physical.exists(new Get(hotRow))).isTrue();
      }
    }
    ServerHotKeys hot = ask();
    HotKey written = hot.top(HotKeyKind.WRITE_KEYS, 1).get(0);
    assertThat(written.label()).isEqualTo(LAYOUT.labelLogical(key("hot", 5_000)));
    assertThat(written.item().toArray()).isEqualTo(hotRow);
    assertThat(written.bucket()).hasValue(hotRow[0]);
    HRegionLocation region;
    try (RegionLocator locator = plain.getRegionLocator(name)) {
      region = locator.getRegionLocation(hotRow);
    }
    assertThat(written.region()).isEqualTo(region.getRegion().getEncodedName());
    assertThat(written.server()).isEqualTo(region.getServerName().toString());
    assertThat(count(hot, HotKeyKind.WRITE_KEYS, written.label())).isCloseTo(40, NEARLY);
    assertThat(count(hot, HotKeyKind.READ_KEYS, written.label())).isCloseTo(120, NEARLY);
    assertThat(count(hot, HotKeyKind.WRITE_FIELDS, "device=hot")).isCloseTo(40, NEARLY);
    assertThat(count(hot, HotKeyKind.WRITE_KEYS)).isCloseTo(240, NEARLY);
  }

  @Test
  void rowsOfScansAndTheirStartsAreCounted() throws Exception {
    try (Connection dropIn = dropIn(plain);
        Table logical = dropIn.getTable(name);
        Table physical = plain.getTable(name)) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        puts.add(put(key(i < 20 ? "hot" : "d" + i, 1_000L * i)));
      }
      logical.put(puts);
      set(ALL);
      read(physical, new Scan());
      assertThat(count(ask(), HotKeyKind.READ_KEYS)).isCloseTo(60, NEARLY);
      assertThat(count(ask(), HotKeyKind.READ_FIELDS, "device=hot")).isCloseTo(20, NEARLY);
      // All buckets, read range by range, or gathered by the servers.
      Scan hot = new Scan().setStartStopRowForPrefixScan(Bytes.toBytes("hot\0")).setLimit(5);
      read(logical, hot);
      assertThat(count(ask(), HotKeyKind.READ_FIELDS, "device=hot")).isBetween(25L, 60L);
      for (int i = 0; i < 30; i++) {
        read(physical, new Scan().withStartRow(row("hot", 0)).setLimit(1));
      }
    }
    HotKey start = ask().top(HotKeyKind.SCAN_STARTS, 1).get(0);
    assertThat(start.item().toArray()).isEqualTo(row("hot", 0));
    assertThat(start.label()).isEqualTo(LAYOUT.labelLogical(key("hot", 0)));
  }

  @Test
  void everyKindOfWriteIsCountedOnce() throws Exception {
    set(ALL);
    byte[] row = row("hot", 1);
    try (Connection dropIn = dropIn(plain);
        Table table = dropIn.getTable(name)) {
      byte[] key = key("hot", 1);
      table.put(put(key));
      table.increment(new Increment(key).addColumn(FAMILY, QUALIFIER, 1));
      table.append(new Append(key).addColumn(FAMILY, FAMILY, QUALIFIER));
      table.delete(new Delete(key).addColumns(FAMILY, FAMILY));
      table.mutateRow(
          RowMutations.of(List.of(put(key), new Delete(key).addColumn(FAMILY, FAMILY))));
      assertThat(count(ask(), HotKeyKind.WRITE_KEYS)).isCloseTo(6, NEARLY);
      assertThat(count(ask(), HotKeyKind.READ_KEYS)).isZero();
      table.checkAndMutate(
          CheckAndMutate.newBuilder(key).ifNotExists(FAMILY, QUALIFIER).build(put(key)));
      assertThat(count(ask(), HotKeyKind.WRITE_KEYS)).as("its condition is not met").isEqualTo(6);
      table.checkAndMutate(
          CheckAndMutate.newBuilder(key).ifNotExists(FAMILY, ROW_MISSING).build(put(key)));
    }
    ServerHotKeys hot = ask();
    assertThat(count(hot, HotKeyKind.WRITE_KEYS)).isCloseTo(7, NEARLY);
    assertThat(count(hot, HotKeyKind.READ_KEYS)).isCloseTo(2, NEARLY);
    assertThat(hot.top(HotKeyKind.READ_KEYS, 1).get(0).item().toArray()).isEqualTo(row);
  }

  private static final byte[] ROW_MISSING = Bytes.toBytes("missing");

  @Test
  void aSampleFindsTheHotKeyToo() throws Exception {
    set(new HotKeySetting(64));
    byte[] hot = row("hot", 1);
    try (Table table = plain.getTable(name)) {
      for (int batch = 0; batch < 80; batch++) {
        List<Get> gets = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
          gets.add(new Get(i % 4 == 0 ? hot : row("d" + i, batch)));
        }
        table.get(gets);
      }
    }
    HotKey first = ask().top(HotKeyKind.READ_KEYS, 1).get(0);
    assertThat(first.item().toArray()).isEqualTo(hot);
    assertThat(first.perSecond()).isBetween(first.lower(), first.upper());
  }

  @Test
  void aLiveTableIsSwitchedOnAndOffWithoutClosingItsRegions() throws Exception {
    List<Long> opened = opened();
    set(ALL);
    try (Table table = plain.getTable(name)) {
      table.get(new Get(row("hot", 1)));
      assertThat(count(ask(), HotKeyKind.READ_KEYS)).isCloseTo(1, NEARLY);
      assertThat(set(ALL).total(HotKeyKind.READ_KEYS)).as("counts are kept").isPositive();
      assertThat(set(HotKeySetting.OFF).state()).isEqualTo(State.OFF);
      table.get(new Get(row("hot", 1)));
    }
    assertThat(ask().total(HotKeyKind.READ_KEYS)).isZero();
    assertThat(opened()).isEqualTo(opened);
  }

  private List<Long> opened() throws IOException {
    return regions().stream().map(HRegionLocation::getSeqNum).toList();
  }

  @Test
  void aDescriptorThatIsAlteredByHandIsFollowed() throws Exception {
    for (String text : List.of("1/2", "no number")) {
      try (Admin admin = plain.getAdmin()) {
        admin.modifyTable(
            TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
                .setValue(HotKeySetting.KEY, text)
                .build());
      }
      State wanted = text.equals("1/2") ? State.COUNTED : State.NOT_COUNTED;
      await().atMost(PATIENCE).until(() -> ask().state() == wanted);
      assertThat(ask().setting()).isEqualTo(text);
    }
  }

  @Test
  void regionsThatMoveOrSplitCountAfresh(EmbeddedHBase hbase) throws Exception {
    set(ALL);
    byte[] hot = row("hot", 1);
    try (Table table = plain.getTable(name);
        Admin admin = plain.getAdmin()) {
      table.get(new Get(hot));
      assertThat(count(ask(), HotKeyKind.READ_KEYS)).isCloseTo(1, NEARLY);
      HRegionLocation before = located(hot);
      ServerName other =
          hbase.servers().stream()
              .filter(server -> !server.equals(before.getServerName()))
              .findFirst()
              .orElseThrow();
      admin.move(before.getRegion().getEncodedNameAsBytes(), other);
      await().atMost(PATIENCE).until(() -> located(hot).getServerName().equals(other));
      assertThat(ask().total(HotKeyKind.READ_KEYS)).isZero();
      table.get(new Get(hot));
      HotKey moved = ask().top(HotKeyKind.READ_KEYS, 1).get(0);
      assertThat(moved.server()).isEqualTo(other.toString());
      split(admin, hot);
      table.get(new Get(hot));
      ServerHotKeys split = ask();
      assertThat(split.state()).isEqualTo(State.COUNTED);
      assertThat(split.top(HotKeyKind.READ_KEYS, 10))
          .singleElement()
          .extracting(HotKey::region)
          .isEqualTo(located(hot).getRegion().getEncodedName());
    }
  }

  @Tag("long")
  @Test
  void serversWithoutTheModuleAreNamedAndNothingIsChanged() throws Exception {
    try (EmbeddedHBase bare = EmbeddedHBase.temporary().servers(1).guard(false).start();
        Admin admin = bare.connection().getAdmin()) {
      TableDescriptor table =
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build();
      admin.createTable(table);
      ServerHotKeys hot = ServerHotKeys.ask(bare.connection(), name);
      assertThat(hot.state()).isEqualTo(State.NO_MODULE);
      assertThat(hot.problem()).contains("install the guard");
      assertThatThrownBy(() -> ServerHotKeys.set(bare.connection(), name, HotKeySetting.ON))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("region servers do not have Evenkey's module")
          .hasMessageEndingWith("regions=1; install the guard");
      assertThat(admin.getDescriptor(name).getValue(HotKeySetting.KEY)).isNull();
    }
  }

  @Tag("long")
  @Test
  void aTableWhoseRegionsAreClosedHasNoAnswer() throws Exception {
    set(ALL);
    try (Admin admin = plain.getAdmin()) {
      admin.disableTable(name);
      assertThat(ask().state()).isEqualTo(State.FAILED);
      admin.enableTable(name);
    }
    assertThat(ask().state()).as("set still").isEqualTo(State.COUNTED);
  }

  private void split(Admin admin, byte[] row) throws Exception {
    RegionInfo parent = located(row).getRegion();
    admin.splitRegionAsync(parent.getRegionName(), row).get();
    await().atMost(PATIENCE).until(() -> !located(row).getRegion().equals(parent));
  }

  private HRegionLocation located(byte[] row) throws IOException {
    try (RegionLocator locator = plain.getRegionLocator(name)) {
      return locator.getRegionLocation(row, true);
    }
  }
}
