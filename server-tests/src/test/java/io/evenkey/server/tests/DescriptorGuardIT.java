/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.tests;

import static io.evenkey.server.tests.GuardedTable.put;
import static io.evenkey.server.tests.GuardedTable.stamped;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.protocol.guard.DescribedIndexes;
import io.evenkey.protocol.guard.GuardAnswer;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.guard.KeyHistory;
import io.evenkey.protocol.guard.Refusal;
import io.evenkey.protocol.hotkeys.HotKeySetting;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The changes that operators may make to a table while it is migrated. */
@ExtendWith(EmbeddedHBaseExtension.class)
class DescriptorGuardIT {
  private static final byte[] ROW = {1};

  /** All keys that servers read in descriptors. */
  private static final List<String> KEYS =
      List.of(
          "EVENKEY_LAYOUT",
          "EVENKEY_FORMAT",
          "EVENKEY_RAW_READS",
          "EVENKEY_RAW_WRITES",
          HotKeySetting.KEY,
          KeyHistory.DESCRIPTOR_KEY,
          GuardState.DESCRIPTOR_KEY,
          GuardState.TABLE_KEY,
          GuardState.CLONE_KEY,
          GuardState.STEP_KEY,
          DescribedIndexes.DESCRIPTOR_KEY,
          DescribedIndexes.INDEXED_TABLE_KEY,
          DescribedIndexes.ENTRIES_TABLE_KEY);

  private final EmbeddedHBase hbase;
  private final Connection connection;
  private Admin admin;
  private GuardedTable table;

  DescriptorGuardIT(EmbeddedHBase hbase, Connection connection) {
    this.hbase = hbase;
    this.connection = connection;
  }

  @BeforeEach
  void create() throws IOException {
    admin = connection.getAdmin();
    table = GuardedTable.withLayout(connection);
    table.write(stamped(put("a")));
  }

  @AfterEach
  void close() throws IOException {
    admin.close();
  }

  private static GuardState state(long turn, long revision, GuardMode mode) {
    return new GuardState(revision, mode, 1, turn, "other");
  }

  private String described() throws IOException {
    return admin.getDescriptor(table.name()).getValue(GuardState.DESCRIPTOR_KEY);
  }

  @Test
  void aStateGoesOnByRevisionAndByTurn() throws Exception {
    table.set(state(2, 5, GuardMode.TRACKED));
    table.set(state(2, 6, GuardMode.FENCED));
    table.set(state(3, 1, GuardMode.OPEN));
    assertThat(described()).isEqualTo(state(3, 1, GuardMode.OPEN).toString());
    assertThat(admin.getDescriptor(table.name()).getValue(GuardState.TABLE_KEY))
        .isEqualTo(table.name().getNameAsString());
  }

  @Test
  void anAlterWithAnOutdatedStateIsRefusedAndTheDescriptorStays() throws Exception {
    TableDescriptor before = admin.getDescriptor(table.name());
    table.set(state(2, 5, GuardMode.TRACKED));
    TableDescriptor outdated = admin.getDescriptor(table.name());
    table.set(state(2, 6, GuardMode.FENCED));
    for (TableDescriptor read : List.of(before, outdated)) {
      // An operator's alter of something else, begun before the state changed.
      TableDescriptor altered =
          TableDescriptorBuilder.newBuilder(read).setValue("OWNER", "operator").build();
      for (boolean reopen : new boolean[] {true, false}) {
        assertThatThrownBy(() -> admin.modifyTable(altered, reopen))
            .hasMessageContaining("outdated state of a migration")
            .hasMessageContaining("table=" + table.name())
            .hasMessageContaining("now=" + state(2, 6, GuardMode.FENCED));
      }
    }
    assertThat(described()).isEqualTo(state(2, 6, GuardMode.FENCED).toString());
    assertThat(admin.getDescriptor(table.name()).getValue("OWNER")).isNull();
    assertThatThrownBy(() -> table.set(state(1, 9, GuardMode.OPEN)))
        .hasMessageContaining("outdated");
    assertThatThrownBy(() -> table.describe(GuardState.DESCRIPTOR_KEY, "mode=melting"))
        .hasMessageContaining("not understood");
    // With the present state it passes.
    table.describe("OWNER", "operator");
    assertThat(admin.getDescriptor(table.name()).getValue("OWNER")).isEqualTo("operator");
    assertThat(table.ask(ROW, 0).state().mode()).isEqualTo(GuardMode.FENCED);
  }

  @Test
  void anAlterOfTheLayoutByHandIsRefused() throws Exception {
    String before = admin.getDescriptor(table.name()).getValue("EVENKEY_LAYOUT");
    for (String other : new String[] {"salt(8) + id:string", null}) {
      TableDescriptorBuilder altered =
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(table.name()));
      altered.setValue("EVENKEY_LAYOUT", other);
      for (boolean reopen : new boolean[] {true, false}) {
        assertThatThrownBy(() -> admin.modifyTable(altered.build(), reopen))
            .hasMessageContaining("layout of an existing table cannot be changed")
            .hasMessageContaining("now=" + before)
            .hasMessageContaining("wanted=" + (other == null ? "none" : other));
      }
    }
    assertThat(admin.getDescriptor(table.name()).getValue("EVENKEY_LAYOUT")).isEqualTo(before);
    table.write(stamped(put("b")));
    table.layout("salt(8) + id:string", GuardState.REST.next());
    assertThat(Refusal.of(catchThrowable(() -> table.write(stamped(put("c"))))))
        .contains(Refusal.LAYOUT);
  }

  @Test
  void aColumnFamilyIsAddedWithTheStateAsItIs() throws Exception {
    table.set(state(2, 5, GuardMode.OPEN));
    admin.addColumnFamily(table.name(), ColumnFamilyDescriptorBuilder.of("more"));
    assertThat(described()).isEqualTo(state(2, 5, GuardMode.OPEN).toString());
    assertThat(table.ask(ROW, 0).state()).isEqualTo(state(2, 5, GuardMode.OPEN));
  }

  @Test
  void theFamiliesOfATableThatIsBeingMigratedStay() throws Exception {
    admin.addColumnFamily(table.name(), ColumnFamilyDescriptorBuilder.of("more"));
    table.set(state(2, 5, GuardMode.TRACKED));
    List<ThrowingCallable> changes =
        List.of(
            () -> admin.addColumnFamily(table.name(), ColumnFamilyDescriptorBuilder.of("x")),
            () -> admin.deleteColumnFamily(table.name(), Bytes.toBytes("more")),
            () ->
                admin.modifyColumnFamily(
                    table.name(),
                    ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("more"))
                        .setTimeToLive(86_400)
                        .build()));
    for (ThrowingCallable change : changes) {
      assertThatThrownBy(change)
          .hasMessageContaining("families of a table that is being migrated cannot be changed")
          .hasMessageContaining("state=" + state(2, 5, GuardMode.TRACKED));
    }
    table.set(state(2, 6, GuardMode.CLOSED));
    for (ThrowingCallable change : changes) {
      assertThatThrownBy(change)
          .hasMessageContaining("families of a generation that is not in use cannot be changed");
    }
    assertThat(admin.getDescriptor(table.name()).getColumnFamilyCount()).isEqualTo(2);
  }

  @Test
  void theHistoryOfTheRowKeyIsNotChangedByHand() throws Exception {
    table.describe(KeyHistory.DESCRIPTOR_KEY, "true");
    for (String other : new String[] {"false", null}) {
      assertThatThrownBy(() -> table.describe(KeyHistory.DESCRIPTOR_KEY, other))
          .hasMessageContaining("history of the row key cannot be changed")
          .hasMessageContaining("now=true");
    }
  }

  @Test
  void tablesWithoutAStateAreNotAffected() throws Exception {
    GuardedTable plain = GuardedTable.plain(connection);
    plain.write(put("a"));
    plain.describe("OWNER", "operator");
    assertThat(admin.getDescriptor(plain.name()).getValue(GuardState.TABLE_KEY)).isNull();
    admin.snapshot("s" + plain.name(), plain.name());
    admin.disableTable(plain.name());
    admin.truncateTable(plain.name(), true);
    admin.disableTable(plain.name());
    admin.restoreSnapshot("s" + plain.name());
    admin.enableTable(plain.name());
    assertThat(plain.stored(0)).containsExactly("a/q/Put");
  }

  @Test
  void aTableThatIsBeingMigratedIsNotTruncated() throws Exception {
    table.set(state(2, 5, GuardMode.TRACKED));
    admin.disableTable(table.name());
    assertThatThrownBy(() -> admin.truncateTable(table.name(), true))
        .hasMessageContaining("cannot be truncated")
        .hasMessageContaining("mode=tracked")
        .hasMessageContaining("finish the migration or roll it back")
        .hasMessageContaining("the table is enabled again");
    await().atMost(1, TimeUnit.MINUTES).until(() -> admin.isTableAvailable(table.name()));
    assertThat(table.stored(2)).containsExactly("a/q/Put");
    admin.disableTable(table.name());
    try (Connection other = ConnectionFactory.createConnection(connection.getConfiguration());
        Admin another = other.getAdmin()) {
      assertThatThrownBy(() -> another.truncateTable(table.name(), true))
          .hasMessageContaining("cannot be truncated")
          .message()
          .doesNotContain("enabled again");
    }
    assertThat(admin.isTableDisabled(table.name())).isTrue();
    admin.enableTable(table.name());
    table.set(state(2, 6, GuardMode.OPEN));
    admin.disableTable(table.name());
    admin.truncateTable(table.name(), true);
    assertThat(table.stored(2)).isEmpty();
    // The state outlives it, and with it what the next one is compared with.
    assertThat(table.ask(ROW, 0).state()).isEqualTo(state(2, 6, GuardMode.OPEN));
  }

  @Test
  void aTableThatIsBeingMigratedIsNotRestored() throws Exception {
    String snapshot = "before" + table.name();
    admin.snapshot(snapshot, table.name());
    table.set(state(2, 5, GuardMode.TRACKED));
    admin.disableTable(table.name());
    assertThatThrownBy(() -> admin.restoreSnapshot(snapshot))
        .hasStackTraceContaining("being migrated cannot be restored from a snapshot")
        .hasStackTraceContaining("mode=tracked");
    assertThat(described()).isEqualTo(state(2, 5, GuardMode.TRACKED).toString());
    admin.enableTable(table.name());
    table.set(state(2, 6, GuardMode.OPEN));
    admin.disableTable(table.name());
    admin.restoreSnapshot(snapshot);
    admin.enableTable(table.name());
    assertThat(described()).isNull();
  }

  @Test
  void aSnapshotOfAMigrationIsNotRestoredInPlaceButClonedAndOpen() throws Exception {
    table.set(state(2, 5, GuardMode.CLOSED));
    String snapshot = "closed-" + table.name();
    assertThatThrownBy(() -> admin.snapshot("during" + table.name(), table.name()))
        .hasStackTraceContaining("generation that is not in use: table=" + table.name())
        .hasStackTraceContaining("in_use=other; take the snapshot of other");
    admin.snapshot(snapshot, table.name());
    table.set(state(2, 6, GuardMode.OPEN));
    admin.disableTable(table.name());
    assertThatThrownBy(() -> admin.restoreSnapshot(snapshot))
        .hasStackTraceContaining("taken during a migration")
        .hasStackTraceContaining("clone it under another name");
    admin.enableTable(table.name());
    assertThat(described()).isEqualTo(state(2, 6, GuardMode.OPEN).toString());

    GuardedTable clone =
        new GuardedTable(connection, TableName.valueOf("clone" + table.name().getNameAsString()));
    admin.cloneSnapshot(snapshot, clone.name());
    GuardAnswer answer = clone.ask(ROW, 0);
    assertThat(answer.state()).isEqualTo(GuardState.REST);
    assertThat(answer.layout()).isEqualTo(GuardedTable.LAYOUT);
    clone.write(stamped(put("b")));
    assertThat(Refusal.of(catchThrowable(() -> clone.write(put("c"))))).contains(Refusal.UNSTAMPED);
    assertThat(clone.stored(0)).containsExactly("a/q/Put", "b/q/Put");
    // An alter leaves it so; a migration of the clone sets a state of its own.
    clone.describe("OWNER", "operator");
    assertThat(clone.ask(ROW, Long.MAX_VALUE).state()).isEqualTo(GuardState.REST);
    clone.set(state(1, 1, GuardMode.TRACKED));
    assertThat(clone.ask(ROW, 0).state()).isEqualTo(state(1, 1, GuardMode.TRACKED));
  }

  @Test
  void aTableThatIsCreatedWithAStateHasItAsItsOwn() throws Exception {
    table.set(state(2, 5, GuardMode.TRACKED));
    TableName next = TableName.valueOf(table.name() + ".g2");
    admin.createTable(
        TableDescriptorBuilder.newBuilder(
                TableDescriptorBuilder.copy(next, admin.getDescriptor(table.name())))
            .setValue(GuardState.DESCRIPTOR_KEY, state(2, 1, GuardMode.CLOSED).toString())
            .build());
    assertThat(new GuardedTable(connection, next).ask(ROW, 0).state())
        .isEqualTo(state(2, 1, GuardMode.CLOSED));
  }

  @Test
  void aStateThatNoVersionUnderstandsStopsNoServer() throws Exception {
    GuardedTable strange =
        GuardedTable.create(connection, Map.of(GuardState.DESCRIPTOR_KEY, "mode=melting"));
    strange.describe("OWNER", Bytes.toString(ROW));
    strange.set(state(1, 1, GuardMode.OPEN));
    assertThat(strange.ask(ROW, 0).state()).isEqualTo(state(1, 1, GuardMode.OPEN));
  }

  /** An index of another table, as the value of the key in the descriptor says. */
  @ParameterizedTest
  @ValueSource(strings = {"not a table name", "gone:orders"})
  void aTableThatIsOfNoIndexCanBeEmptiedAndDropped(String indexed) throws Exception {
    GuardedTable strange =
        GuardedTable.create(connection, Map.of(DescribedIndexes.INDEXED_TABLE_KEY, indexed));
    strange.describe("OWNER", "operator");
    admin.disableTable(strange.name());
    admin.truncateTable(strange.name(), true);
    admin.disableTable(strange.name());
    // The master does not end: it would take a minute until another one has its place.
    admin.deleteTableAsync(strange.name()).get(20, TimeUnit.SECONDS);
    assertThat(admin.tableExists(strange.name())).isFalse();
  }

  /** Values that no version writes stop neither the master nor the server of the region. */
  @ParameterizedTest
  @ValueSource(strings = {"", "not understood"})
  void aTableWithDamagedValuesCanBeDropped(String value) throws Exception {
    List<ServerName> servers = hbase.servers();
    Map<String, String> values = new HashMap<>();
    for (String key : KEYS) {
      values.put(key, value);
    }
    GuardedTable strange = GuardedTable.create(connection, values);
    strange.describe("OWNER", "operator");
    for (Throwable thrown :
        Arrays.asList(
            catchThrowable(() -> strange.write(put("a"))),
            catchThrowable(() -> strange.stored(0)),
            catchThrowable(() -> strange.ask(ROW, 1)))) {
      if (thrown != null) {
        assertThat(thrown).isInstanceOf(IOException.class);
      }
    }
    String snapshot = "damaged" + strange.name();
    admin.snapshot(snapshot, strange.name());
    TableName clone = TableName.valueOf("clone" + strange.name());
    admin.cloneSnapshot(snapshot, clone);
    for (TableName name : List.of(strange.name(), clone)) {
      admin.disableTable(name);
      admin.deleteTableAsync(name).get(20, TimeUnit.SECONDS);
      assertThat(admin.tableExists(name)).isFalse();
    }
    assertThat(hbase.servers()).containsExactlyInAnyOrderElementsOf(servers);
  }
}
