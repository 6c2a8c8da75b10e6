/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.split.SplitAlgorithm;
import io.evenkey.layout.split.SplitPlan;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of an index is not deleted while clients write entries into it. */
@ExtendWith(EmbeddedHBaseExtension.class)
class EntriesTableIT {
  private static final byte[] D = Bytes.toBytes("d");
  private static final Layout LAYOUT = Layout.parse("salt(4) + id:int64");
  private static final TableIndex BY_CUSTOMER =
      TableIndex.parse(
          "by_customer events joining as \"salt(3) + customer:string\" from customer=d:customer");

  private Connection plain;
  private Admin admin;
  private SpreadTables tables;
  private Registry registry;
  private TableName name;
  private TableName entries;

  @BeforeEach
  void create(Connection shared, TestInfo info) throws IOException {
    plain = shared;
    admin = shared.getAdmin();
    tables = SpreadTables.on(shared);
    registry = Registry.open(shared.getConfiguration());
    name =
        TableName.valueOf(
            "entries_"
                + info.getTestMethod().orElseThrow().getName()
                + Integer.toHexString(info.getDisplayName().hashCode()));
    entries = TableName.valueOf(name + ".by_customer");
    tables.create(name, LAYOUT, LAYOUT.splits(2), List.of("d"));
    new IndexAddition(name, BY_CUSTOMER, 0, 0).run(plain, registry, IndexListener.NONE);
  }

  @AfterEach
  void close() throws IOException {
    registry.close();
    tables.close();
    admin.close();
  }

  private void write(long id) throws IOException {
    tables
        .open(name)
        .put(
            new Put(LAYOUT.logicalKey(Values.of("id", id)))
                .addColumn(D, Bytes.toBytes("customer"), Bytes.toBytes("c" + id)));
  }

  private int rowsOfIndex() throws IOException {
    int count = 0;
    try (KeyedRows rows = tables.open(name).select().by("by_customer").open()) {
      for (KeyedRow row : rows) {
        assertThat(row.getString("customer")).isEqualTo("c" + row.getLong("id"));
        count++;
      }
    }
    return count;
  }

  @Test
  void theTableOfAnIndexIsDeletedOnlyWithTheIndex() throws Exception {
    admin.disableTable(entries);
    assertThatThrownBy(() -> admin.deleteTable(entries))
        .hasMessageContaining("table of an index cannot be deleted: table=" + entries)
        .hasMessageContaining("index_of=" + name + " state=public")
        .hasMessageContaining("index=by_customer")
        .hasMessageContaining("drop the index, or delete the indexed table first");
    admin.enableTable(entries);
    write(1);
    assertThat(rowsOfIndex()).isEqualTo(1);
    IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE);
    assertThat(admin.tableExists(entries)).isFalse();
    write(2);
  }

  @Test
  void theTableOfAnIndexIsDeletedAfterTheIndexedTable() throws Exception {
    for (TableName table : List.of(name, entries)) {
      admin.disableTable(table);
      admin.deleteTable(table);
    }
    assertThat(admin.tableExists(entries)).isFalse();
  }

  /** The copy of an index's table that an operator has made is a table as any other. */
  @Test
  void aCloneOfTheTableOfAnIndexIsDeleted() throws Exception {
    TableName clone = TableName.valueOf(name + "_copy");
    String snapshot = "entries_of_an_index";
    admin.snapshot(snapshot, entries);
    admin.cloneSnapshot(snapshot, clone);
    admin.deleteSnapshot(snapshot);
    admin.disableTable(clone);
    admin.deleteTable(clone);
    assertThat(admin.tableExists(clone)).isFalse();
  }

  /** A command is killed when it has stored its record, or has made the table too. */
  @Tag("ci")
  @ParameterizedTest
  @EnumSource(names = {"CREATE", "JOIN"})
  void anAdditionThatWasKilledBeforeClientsKnowTheIndexGoesOnOrIsDropped(IndexListener.Phase at)
      throws Exception {
    IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE);
    killed(at);
    assertThat(registry.indexes().get(name, "by_customer")).isPresent();
    assertThat(admin.tableExists(entries)).isEqualTo(at == IndexListener.Phase.JOIN);
    write(1);
    assertThatThrownBy(this::rowsOfIndex)
        .isInstanceOf(IndexRefusedException.class)
        .hasMessageContaining("no such index");
    Configuration dropIn = new Configuration(plain.getConfiguration());
    dropIn.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    try (Connection application = ConnectionFactory.createConnection(dropIn);
        Table opened = application.getTable(entries)) {
      assertThatThrownBy(() -> opened.get(new Get(D)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(
              at == IndexListener.Phase.JOIN ? "no such index" : entries.getNameAsString());
    }
    List<ThrowingCallable> commands =
        List.of(
            () ->
                IndexVerification.run(
                    plain, registry, name, "by_customer", false, IndexListener.NONE),
            () ->
                IndexVerification.sweep(plain, registry, name, "by_customer", IndexListener.NONE));
    for (ThrowingCallable command : commands) {
      assertThatThrownBy(command)
          .isInstanceOf(IndexLifeException.class)
          .hasMessageContaining("no such index");
    }
    IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE);
    assertThat(admin.tableExists(entries)).isFalse();
    assertThat(registry.indexes().get(name, "by_customer")).isEmpty();
    write(2);

    killed(at);
    addIndex(BY_CUSTOMER.toString());
    assertThat(rowsOfIndex()).isEqualTo(2);
  }

  private void killed(IndexListener.Phase at) {
    IndexListener killing =
        new IndexListener() {
          @Override
          public void begins(Phase phase) {
            if (phase == at) {
              throw new IllegalStateException("killed");
            }
          }

          @Override
          public void progress(double share, long rows) {}
        };
    IndexAddition addition = new IndexAddition(name, BY_CUSTOMER, 0, 0);
    assertThatThrownBy(() -> addition.run(plain, registry, killing)).hasMessage("killed");
  }

  /** As one that a command of an earlier version has left when it was killed. */
  @Test
  void aTableOfTheIndexWithoutARecordIsDropped() throws Exception {
    IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE);
    killed(IndexListener.Phase.JOIN);
    registry.indexes().forget(name, "by_customer");
    IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE);
    assertThat(admin.tableExists(entries)).isFalse();
  }

  @Test
  void anotherTableOfTheNameIsRefusedAndLeft() throws Exception {
    IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE);
    killed(IndexListener.Phase.CREATE);
    tables.create(entries, LAYOUT, LAYOUT.splits(2), List.of("d"));
    assertThatThrownBy(() -> addIndex(BY_CUSTOMER.toString()))
        .isInstanceOf(IndexLifeException.class)
        .hasMessageContaining("another table has the name of the index's table: table=" + name)
        .hasMessageContaining("index=by_customer other=" + entries)
        .hasMessageContaining("give the index another name, or drop that table");
    IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE);
    assertThat(registry.indexes().get(name, "by_customer")).isEmpty();
    assertThat(admin.tableExists(entries)).isTrue();
    assertThatThrownBy(
            () -> IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE))
        .hasMessageContaining("no such index");
  }

  @Test
  void aCopyOfTheTableOfAnIndexIsNotTakenForThatOfAnotherIndex() throws Exception {
    write(1);
    TableName copy = TableName.valueOf(name + ".copy");
    String snapshot = "copied_entries_of_an_index";
    admin.snapshot(snapshot, entries);
    admin.cloneSnapshot(snapshot, copy);
    admin.deleteSnapshot(snapshot);
    assertThatThrownBy(
            () -> addIndex(BY_CUSTOMER.toString().replace("by_customer events", "copy events")))
        .isInstanceOf(IndexLifeException.class)
        .hasMessageContaining("another table has the name of the index's table")
        .hasMessageContaining("index=copy other=" + copy);
    assertThatThrownBy(() -> IndexRemoval.run(plain, registry, name, "copy", IndexListener.NONE))
        .hasMessageContaining("no such index");
    try (Table stored = plain.getTable(copy);
        ResultScanner rows = stored.getScanner(new Scan())) {
      assertThat(rows).hasSize(1);
    }
  }

  /** As when the master has just created it for a command that was killed. */
  @Test
  void aTableThatIsThereByNowIsRefusedWithTheWayOn() throws Exception {
    try (IndexControl control = IndexControl.open(plain, registry, name, "add by_customer")) {
      EntriesTable table = new EntriesTable(control, control.existing("by_customer"));
      assertThatThrownBy(() -> table.make(new SplitPlan(SplitAlgorithm.BUCKET, List.of())))
          .hasMessage(
              "HBase has just created this table for a run that was killed: table="
                  + entries
                  + "; run the command again, which goes on")
          .hasNoCause();
    }
  }

  @Test
  void aLateCommandEnablesTheTableOfAnIndexThatWasAddedAgain() throws Exception {
    write(1);
    try (IndexControl late = IndexControl.open(plain, registry, name, "drop by_customer")) {
      admin.disableTable(entries);
      assertThatThrownBy(() -> EntriesTable.delete(late, "by_customer", admin, entries))
          .isInstanceOf(IndexLifeException.class)
          .hasMessageContaining("another command has changed the index");
    }
    write(2);
    assertThat(rowsOfIndex()).isEqualTo(2);
  }

  private void alter(TableName table, Durability durability) throws IOException {
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(table))
            .setDurability(durability)
            .build());
  }

  @Tag("ci")
  @Test
  void theTableOfAnIndexIsAsDurableAsAnyRowCanBe() throws Exception {
    Map<Durability, Durability> ofEntries =
        Map.of(
            Durability.SKIP_WAL, Durability.SYNC_WAL,
            Durability.ASYNC_WAL, Durability.SYNC_WAL,
            Durability.USE_DEFAULT, Durability.SYNC_WAL,
            Durability.FSYNC_WAL, Durability.FSYNC_WAL);
    for (Map.Entry<Durability, Durability> each : ofEntries.entrySet()) {
      IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE);
      alter(name, each.getKey());
      new IndexAddition(name, BY_CUSTOMER, 0, 0).run(plain, registry, IndexListener.NONE);
      assertThat(admin.getDescriptor(entries).getDurability())
          .as("%s", each.getKey())
          .isEqualTo(each.getValue());
    }
  }

  @Test
  void entriesDoNotBecomeLessDurableThanTheirRows() throws Exception {
    assertThatThrownBy(() -> alter(name, Durability.FSYNC_WAL))
        .hasMessageContaining("table with indexes cannot be made more durable than SYNC_WAL")
        .hasMessageContaining("now=SYNC_WAL wanted=FSYNC_WAL");
    for (Durability weaker : List.of(Durability.SKIP_WAL, Durability.ASYNC_WAL)) {
      assertThatThrownBy(() -> alter(entries, weaker))
          .hasMessageContaining("table of an index cannot be made less durable: table=" + entries)
          .hasMessageContaining("wanted=" + weaker);
    }
    alter(name, Durability.ASYNC_WAL);
    alter(entries, Durability.FSYNC_WAL);
  }

  private static ColumnFamilyDescriptor family(String family, int seconds, int minVersions) {
    return ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(family))
        .setMaxVersions(3)
        .setMinVersions(minVersions)
        .setTimeToLive(seconds)
        .build();
  }

  private void addIndex(String text) throws IOException {
    new IndexAddition(name, TableIndex.parse(text), 0, 0).run(plain, registry, IndexListener.NONE);
  }

  private int timeToLive(TableName table) throws IOException {
    return admin.getDescriptor(table).getColumnFamilies()[0].getTimeToLive();
  }

  @Test
  void entriesStayADayLongerThanTheirRows() throws Exception {
    IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE);
    admin.modifyColumnFamily(name, family("d", 3_600, 0));
    addIndex(BY_CUSTOMER.toString());
    assertThat(timeToLive(entries)).isEqualTo(3_600 + 86_400);
    for (TableName table : List.of(name, entries)) {
      String own = table.equals(name) ? "d" : "e";
      assertThatThrownBy(() -> admin.modifyColumnFamily(table, family(own, timeToLive(table), 1)))
          .hasMessageContaining("cannot keep versions beyond its time to live: table=" + table)
          .hasMessageContaining("min_versions=1");
      assertThatThrownBy(() -> admin.modifyColumnFamily(table, family(own, 7_200, 0)))
          .hasMessageContaining("time to live of a column of an index cannot be changed");
    }
    admin.addColumnFamily(name, family("longer", 7_200, 1));
  }

  @Test
  void aTableWhoseRowsStayBeyondTheirTimeToLiveHasNoIndex() throws Exception {
    IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE);
    admin.modifyColumnFamily(name, family("d", 3_600, 2));
    assertThatThrownBy(() -> addIndex(BY_CUSTOMER.toString()))
        .hasMessageContaining("rows are kept beyond their time to live")
        .hasMessageContaining("family=d ttl=3600 min_versions=2");
    admin.modifyColumnFamily(name, family("d", HConstants.FOREVER, 2));
    addIndex(BY_CUSTOMER.toString());
  }

  @Test
  void aNewFamilyEndsWithTheOthersIfAnIndexHasAllRows() throws Exception {
    IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE);
    admin.modifyColumnFamily(name, family("d", 3_600, 0));
    addIndex("by_id events joining as \"salt(3) + id:int64 desc\"");
    for (int seconds : new int[] {60, 7_200, HConstants.FOREVER}) {
      assertThatThrownBy(() -> admin.addColumnFamily(name, family("f", seconds, 0)))
          .hasMessageContaining("new family of a table with an index of its key alone")
          .hasMessageContaining("ttl=" + seconds + " shortest=3600 longest=3600");
    }
    assertThatThrownBy(() -> admin.addColumnFamily(name, family("f", 3_600, 1)))
        .hasMessageContaining("cannot keep versions beyond its time to live");
    admin.addColumnFamily(name, family("f", 3_600, 0));
  }

  private static ColumnFamilyDescriptor replicated(String family) {
    return ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(family))
        .setScope(HConstants.REPLICATION_SCOPE_GLOBAL)
        .build();
  }

  @Test
  void aTableWithAnIndexIsReplicatedAndTheIndexIsNot() throws Exception {
    admin.modifyColumnFamily(name, replicated("d"));
    byte[] family = admin.getDescriptor(entries).getColumnFamilyNames().iterator().next();
    assertThatThrownBy(() -> admin.modifyColumnFamily(entries, replicated(Bytes.toString(family))))
        .hasMessageContaining("table of an index cannot be replicated: table=" + entries)
        .hasMessageContaining("replication_scope=1");
  }
}
