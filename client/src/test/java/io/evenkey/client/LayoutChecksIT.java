/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.guard.GuardQuestion;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Scope;
import io.evenkey.client.internal.registry.Versioned;
import io.evenkey.client.internal.route.LostAnswer;
import io.evenkey.client.internal.verify.TableCheck;
import io.evenkey.client.plan.Plan;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.guard.GuardState;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tables made as planned, and tables of which two things are said. */
@ExtendWith(EmbeddedHBaseExtension.class)
class LayoutChecksIT {
  private static final String LAYOUT = "salt(4) + key:bytes";
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final byte[] Q = Bytes.toBytes("q");

  private Connection plain;
  private Configuration configuration;
  private Connection dropIn;
  private TableName name;

  @BeforeEach
  void open(Connection shared, TestInfo info) throws IOException {
    plain = shared;
    configuration = new Configuration(shared.getConfiguration());
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    configuration.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    configuration.set(EvenkeyConnection.CHECK, "first");
    dropIn = ConnectionFactory.createConnection(configuration);
    name = TableName.valueOf("truth_" + info.getTestMethod().orElseThrow().getName());
  }

  @AfterEach
  void close() throws IOException {
    dropIn.close();
  }

  private void create(String layout) throws IOException {
    try (SpreadTables tables = SpreadTables.on(plain)) {
      Layout parsed = Layout.parse(layout);
      tables.create(name, parsed, parsed.splits(2), List.of("d"));
    }
    fill(dropIn);
  }

  private void fill(Connection connection) throws IOException {
    try (Table table = connection.getTable(name)) {
      for (int i = 0; i < 40; i++) {
        table.put(new Put(Bytes.toBytes("k" + i)).addColumn(FAMILY, Q, Bytes.toBytes(i)));
      }
    }
  }

  private int rowsOf(TableName table) throws IOException {
    int rows = 0;
    try (Connection fresh = ConnectionFactory.createConnection(configuration);
        Table opened = fresh.getTable(table);
        ResultScanner scanner = opened.getScanner(new Scan())) {
      while (scanner.next() != null) {
        rows++;
      }
    }
    return rows;
  }

  private TableDescriptor descriptor() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return admin.getDescriptor(name);
    }
  }

  private void set(String value) throws IOException {
    describe(TableLayout.LAYOUT, value);
  }

  /** With the next state, without which the master refuses it. */
  private void describe(String key, String value) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      TableDescriptor now = descriptor();
      TableDescriptorBuilder changed =
          TableDescriptorBuilder.newBuilder(TableGuard.with(now, TableGuard.state(now).next()));
      admin.modifyTable(
          (value == null ? changed.removeValue(key) : changed.setValue(key, value)).build());
    }
  }

  @Test
  void anAlterOfTheLayoutIsRefusedByTheMaster() throws IOException {
    create(LAYOUT);
    try (Admin admin = plain.getAdmin()) {
      TableDescriptor altered =
          TableDescriptorBuilder.newBuilder(descriptor())
              .setValue(TableLayout.LAYOUT, "salt(8) + key:bytes")
              .build();
      assertThatThrownBy(() -> admin.modifyTable(altered))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContainingAll(
              "layout of an existing table cannot be changed",
              "table=" + name,
              "migrate the table");
    }
    assertThat(descriptor().getValue(TableLayout.LAYOUT)).isEqualTo(LAYOUT);
    assertThat(rowsOf(name)).isEqualTo(40);
  }

  private void everythingIsRefused(String... message) throws IOException {
    try (Connection fresh = ConnectionFactory.createConnection(configuration);
        Table table = fresh.getTable(name)) {
      Put put = new Put(Bytes.toBytes("new")).addColumn(FAMILY, Q, Q);
      assertThatThrownBy(() -> table.put(put))
          .isInstanceOf(TableLayoutException.class)
          .hasMessageContainingAll(message);
      assertThatThrownBy(() -> table.get(new Get(Q))).isInstanceOf(TableLayoutException.class);
      assertThatThrownBy(() -> fresh.getBufferedMutator(name))
          .isInstanceOf(TableLayoutException.class);
    }
    try (AsyncConnection fresh =
        FutureUtils.get(ConnectionFactory.createAsyncConnection(configuration))) {
      assertThatThrownBy(
              () -> FutureUtils.get(fresh.getTable(name).put(new Put(Q).addColumn(FAMILY, Q, Q))))
          .isInstanceOf(TableLayoutException.class)
          .hasMessageContainingAll(message);
    }
    try (Connection fresh = ConnectionFactory.createConnection(configuration);
        SpreadTables tables = SpreadTables.on(fresh)) {
      assertThatThrownBy(() -> tables.open(name)).isInstanceOf(TableLayoutException.class);
    }
  }

  @Test
  void descriptorThatAnotherClientChangedIsRefused() throws IOException {
    create(LAYOUT);
    set("salt(8) + key:bytes");
    everythingIsRefused(
        "descriptor=salt(8) + key:bytes registry=salt(4) + key:bytes",
        "verify the table",
        "have the other corrected");
    set(LAYOUT);
    assertThat(rowsOf(name)).isEqualTo(40);
  }

  @Test
  void layoutTakenOutOfTheDescriptorIsRefused() throws IOException {
    create(LAYOUT);
    set(null);
    everythingIsRefused("descriptor=none registry=salt(4) + key:bytes");
  }

  @Test
  void rowsOfAnotherLayoutAreRefusedWithoutARegistryToo() throws IOException {
    create(LAYOUT);
    set("salt(8) + key:bytes");
    configuration.set(EvenkeyConnection.REGISTRY, "off");
    everythingIsRefused("rows that were not written under the table's layout", "verify the table");
  }

  @Test
  void layoutOfALaterVersionIsRefused() throws IOException {
    create(LAYOUT);
    describe(TableLayout.FORMAT, "3");
    everythingIsRefused("layout of an unknown version: table=" + name + " found=3 understood=1,2");
  }

  @Test
  void modifyingATableKeepsItsLayout() throws IOException {
    create(LAYOUT);
    try (Admin admin = dropIn.getAdmin()) {
      TableDescriptor fromScratch =
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
              .setMaxFileSize(1L << 30)
              .build();
      admin.modifyTable(fromScratch);
      assertThat(descriptor().getValue(TableLayout.LAYOUT)).isEqualTo(LAYOUT);
      assertThat(descriptor().getMaxFileSize()).isEqualTo(1L << 30);
      assertThatThrownBy(
              () ->
                  admin.modifyTable(
                      TableLayout.with(fromScratch, Layout.parse("salt(8) + key:bytes"))))
          .isInstanceOf(TableLayoutException.class)
          .hasMessageContaining("now=salt(4) + key:bytes wanted=salt(8) + key:bytes");
    }
    assertThat(rowsOf(name)).isEqualTo(40);
  }

  @Test
  void aDescriptorWithItsLayoutKeepsTheStateOfTheGuard() throws IOException {
    create(LAYOUT);
    describe(GuardState.CLONE_KEY, "other " + GuardState.REST);
    try (Admin admin = dropIn.getAdmin()) {
      admin.modifyTable(
          TableLayout.with(
              TableDescriptorBuilder.newBuilder(name)
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
                  .build(),
              Layout.parse(LAYOUT)));
    }
    assertThat(TableGuard.state(descriptor()).revision()).isEqualTo(1);
    assertThat(descriptor().getValue(GuardState.TABLE_KEY)).isEqualTo(name.getNameAsString());
    assertThat(descriptor().getValue(GuardState.CLONE_KEY)).isEqualTo("other " + GuardState.REST);
  }

  @Tag("long")
  @Test
  void layoutOfATableWithCoprocessorsIsStoredAndUsed() throws IOException {
    try (Admin admin = plain.getAdmin();
        Registry registry = Registry.open(plain.getConfiguration())) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
              .setCoprocessor(LostAnswer.class.getName())
              .build());
      TableCheck.of(plain, registry, name, 10).adopt(plain, registry, Layout.parse(LAYOUT));
    }
    assertThat(GuardQuestion.ask(plain, name).orElseThrow().layout()).isEqualTo(LAYOUT);
    fill(dropIn);
    assertThat(rowsOf(name)).isEqualTo(40);
  }

  @Test
  void snapshotsClonesRestoresAndTruncatesKeepTheLayout() throws IOException {
    create(LAYOUT);
    TableName clone = TableName.valueOf(name + "_clone");
    String snapshot = "of_" + name.getQualifierAsString();
    // By HBase's own administration, as its shell does it.
    try (Admin admin = plain.getAdmin()) {
      admin.snapshot(snapshot, name);
      admin.cloneSnapshot(snapshot, clone);
      assertThat(rowsOf(clone)).isEqualTo(40);

      admin.disableTable(name);
      admin.truncateTable(name, true);
      assertThat(rowsOf(name)).isZero();
      assertThat(admin.getRegions(name)).hasSize(2);
      try (Connection fresh = ConnectionFactory.createConnection(configuration)) {
        fill(fresh);
      }
      assertThat(rowsOf(name)).isEqualTo(40);

      admin.disableTable(name);
      admin.restoreSnapshot(snapshot);
      admin.enableTable(name);
      assertThat(rowsOf(name)).isEqualTo(40);

      admin.disableTable(name);
      admin.truncateTable(name, false);
      assertThat(rowsOf(name)).isZero();
      try (Connection fresh = ConnectionFactory.createConnection(configuration)) {
        fill(fresh);
      }
      assertThat(rowsOf(name)).isEqualTo(40);

      admin.disableTable(name);
      admin.deleteTable(name);
      admin.cloneSnapshot(snapshot, name);
      assertThat(rowsOf(name)).isEqualTo(40);
      admin.deleteSnapshot(snapshot);
    }
  }

  @Tag("long")
  @Test
  void tableDeletedAndRecreatedMayHaveAnotherLayout() throws IOException {
    create(LAYOUT);
    try (Admin admin = dropIn.getAdmin()) {
      admin.disableTable(name);
      admin.deleteTable(name);
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
              .build());
      fill(dropIn);
      assertThat(rowsOf(name)).isEqualTo(40);
    }
  }

  @Test
  void applicationsTableIsMadeAsPlanned() throws IOException {
    try (Registry registry = Registry.open(configuration)) {
      registry
          .plans()
          .store(
              Scope.of(name),
              Plan.EMPTY
                  .withLayout(Layout.parse("salt(16, device) + device:int64 + ts:timestamp"))
                  .withRegions(8)
                  .withWholeBuckets(true),
              Versioned.NONE);
    }
    try (Admin admin = dropIn.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
              .build());
      assertThat(admin.getRegions(name)).hasSize(8);
    }
    TableDescriptor made = descriptor();
    assertThat(TableLayout.of(made)).hasToString("salt(16, device) + device:int64 + ts:timestamp");
    assertThat(made.isNormalizationEnabled()).isFalse();
    assertThat(made.getValue("hbase.regionserver.region.split_restriction.type"))
        .isEqualTo("KeyPrefix");
    ColumnFamilyDescriptor family = made.getColumnFamily(FAMILY);
    assertThat(family.getDataBlockEncoding()).isEqualTo(DataBlockEncoding.ROW_INDEX_V1);
    assertThat(family.getBloomFilterType()).isEqualTo(BloomType.ROWPREFIX_FIXED_LENGTH);
    assertThat(family.getConfigurationValue("RowPrefixBloomFilter.prefix_length")).isEqualTo("9");

    try (SpreadTables tables = SpreadTables.on(plain)) {
      assertThatThrownBy(
              () ->
                  tables.create(
                      TableName.valueOf(name + ""),
                      Layout.parse(LAYOUT),
                      Layout.parse(LAYOUT).splits(2),
                      List.of("d")))
          .isInstanceOf(TableLayoutException.class)
          .hasMessageContaining("another layout is planned");
    }
  }
}
