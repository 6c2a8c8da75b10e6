/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.internal.verify.TableCheck;
import io.evenkey.jobs.guard.OtherWriters;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationPlan;
import io.evenkey.jobs.migration.MigrationSettings;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.index.IndexState;
import io.evenkey.protocol.index.TableIndex;
import io.evenkey.protocol.index.TableIndexes;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Indexes of tables that are restored, migrated, renamed and written to, until they are dropped.
 */
class IndexLifeIT extends IndexedOrders {
  @Test
  void anIndexIsNotReadAfterItsTableWasEmptiedUntilItIsRepaired() throws Exception {
    write(0, 20);
    add(APPEND_ONLY, IndexListener.NONE);
    try (Admin admin = plain.getAdmin()) {
      admin.disableTable(name);
      admin.truncateTable(name, true);
    }
    // As a restored backup is written: without entries.
    Put stored = new Put(LAYOUT.physical(key(30)));
    order(30).getFamilyCellMap().values().stream()
        .flatMap(List::stream)
        .forEach(
            cell ->
                stored.addColumn(
                    CellUtil.cloneFamily(cell),
                    CellUtil.cloneQualifier(cell),
                    CellUtil.cloneValue(cell)));
    try (Table rows = plain.getTable(name)) {
      rows.put(stored);
    }
    write(20, 30);
    assertThatThrownBy(this::read).hasMessageContaining("state=joining");
    assertThatThrownBy(() -> verify(false)).hasMessageContaining("verify and repair the index");
    assertThatThrownBy(() -> add(APPEND_ONLY, IndexListener.NONE))
        .hasMessageContaining("verify and repair the index");
    IndexReport report = verify(true);
    assertThat(report.added()).isEqualTo(1);
    assertThat(report.removed()).isEqualTo(20);
    assertThat(read()).hasSize(11).doesNotContain(1L).contains(30L);
    try (Table rows = plain.getTable(name)) {
      assertThatThrownBy(() -> rows.put(stored)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void anIndexThatWasRestoredFromAnotherClusterIsReadWhenItIsRepaired() throws Exception {
    write(0, 20);
    add(APPEND_ONLY, IndexListener.NONE);
    try (Admin admin = plain.getAdmin()) {
      // Of a moment before that of the rows.
      String snapshot = "entries_" + name.getNameAsString();
      admin.snapshot(snapshot, entries());
      write(20, 50);
      admin.disableTable(entries());
      assertThatThrownBy(() -> admin.restoreSnapshot(snapshot))
          .hasStackTraceContaining("table of an index cannot be restored from a snapshot in place");
      admin.enableTable(entries());
      assertThat(read()).hasSize(50);
      String rows = "rows_" + name.getNameAsString();
      admin.snapshot(rows, name);
      for (TableName of : List.of(name, entries())) {
        admin.disableTable(of);
        admin.deleteTable(of);
      }
      admin.cloneSnapshot(rows, name);
      admin.cloneSnapshot(snapshot, entries());
      registry.indexes().forget(name, "by_customer");
      assertThat(TableLayout.indexes(admin.getDescriptor(name)).list())
          .extracting(TableIndex::state)
          .containsExactly(IndexState.JOINING);
      assertThatThrownBy(this::read).hasMessageContaining("state=joining");
      admin.disableTable(name);
      admin.enableTable(name);
      assertThatThrownBy(this::read).hasMessageContaining("state=joining");
    }
    assertThatThrownBy(() -> verify(false)).hasMessageContaining("take the index over");
    IndexReport report =
        IndexAdoption.run(plain, registry, name, "by_customer", IndexListener.NONE);
    assertThat(report.added()).isEqualTo(30);
    assertThat(read()).hasSize(50);
    assertThat(verify(false).isComplete()).isTrue();
    assertThatThrownBy(
            () -> IndexAdoption.run(plain, registry, name, "by_customer", IndexListener.NONE))
        .hasMessageContaining("registry knows the index already");
  }

  @Test
  void aDisabledTableWithAnIndexIsSaidToBeDisabled() throws Exception {
    add(BY_CUSTOMER, IndexListener.NONE);
    try (Admin admin = plain.getAdmin()) {
      admin.disableTable(name);
      try (SpreadTables own = SpreadTables.on(plain)) {
        assertThatThrownBy(() -> own.open(name).put(order(1)))
            .isInstanceOf(TableNotEnabledException.class);
      }
      admin.enableTable(name);
    }
  }

  @Test
  void aTableTakesRowsAfterItsRenamingWasRolledBack() throws Exception {
    add(BY_CUSTOMER, IndexListener.NONE);
    migrate(Layout.parse("salt(7) + seller:string + id:int64"), false);
    MigrationListener rollsBack =
        new MigrationListener() {
          @Override
          public void stage(Migration now) {
            if (now.stage() == Stage.READY && now.goal() == Stage.FINISHED) {
              throw new IllegalStateException("the clone is there");
            }
          }
        };
    try (Migrator renaming = Migrator.rename(plain, registry, name, settings(), rollsBack)) {
      assertThatThrownBy(renaming::run).hasMessage("the clone is there");
      renaming.aimFor(Stage.ROLLED_BACK);
      assertThat(renaming.run().stage()).isEqualTo(Stage.ROLLED_BACK);
    }
    try (SpreadTables own = SpreadTables.on(plain)) {
      own.open(name).put(order(1));
    }
    isWhole(ids(1, 2));
  }

  private MigrationSettings settings() {
    return new MigrationSettings(new org.apache.hadoop.fs.Path(directory.toUri()), 10_000);
  }

  private Migration migrate(Layout to, boolean rename) throws IOException {
    MigrationSettings settings = settings();
    MigrationPlan plan = MigrationPlan.of(name, to).by(Migration.By.FILES).aimFor(Stage.FINISHED);
    try (Migrator migrator =
        rename
            ? Migrator.rename(plain, registry, name, settings, MigrationListener.NONE)
            : Migrator.begin(plain, registry, plan, settings, MigrationListener.NONE)) {
      return migrator.run();
    }
  }

  /** The index has all rows, entries and rows fit each other, and so it is for clients. */
  private void isWhole(Set<Long> written) throws IOException {
    hasAll(written);
    IndexReport report = verify(false);
    assertThat(report.found().missing()).isZero();
    assertThat(report.found().stale()).isZero();
  }

  /**
   * A table of HBase's own, whose keys are those of the layout, with rows of HBase's own client.
   */
  private void createPlain(long rows) throws IOException {
    name = TableName.valueOf(name + "_plain");
    byte[][] splits = {LAYOUT.logicalKey(Values.of("seller", "s3").and("id", 0L))};
    try (Admin admin = plain.getAdmin();
        Table table = plain.getTable(name)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(D))
              .build(),
          splits);
      for (long id = 0; id < rows; id++) {
        table.put(order(id));
      }
    }
  }

  @Test
  void aTableWhoseRowsStayAsTheyAreHasAnIndex() throws Exception {
    createPlain(100);
    try (Writers writers = new Writers(10_000);
        Table own = plain.getTable(name)) {
      await().atMost(Duration.ofMinutes(1)).until(() -> !writers.acknowledged().isEmpty());
      TableCheck.of(plain, registry, name, 10)
          .adopt(plain, registry, Layout.parse("seller:string + id:int64"));
      try (Admin admin = plain.getAdmin()) {
        admin.modifyTable(
            TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
                .setValue("EVENKEY_RAW_WRITES", "allow")
                .build());
      }
      assertThatThrownBy(() -> add(BY_CUSTOMER, IndexListener.NONE))
          .hasMessageContaining("EVENKEY_RAW_WRITES=allow")
          .hasMessageContaining("say that they have stopped");
      new OtherWriters(plain).stop(name);
      assertThat(add(BY_CUSTOMER, IndexListener.NONE).isComplete()).isTrue();
      assertThatThrownBy(() -> own.put(order(100))).hasMessageContaining("[evenkey:unstamped]");
      assertThat(own.exists(new Get(key(99)))).isTrue();
      Set<Long> written = writers.stop();
      written.addAll(ids(0, 100));
      isWhole(written);
      assertThat(stored()).containsAll(written);
      try (Connection dropIn = ConnectionFactory.createConnection(dropIn(plain));
          Table table = dropIn.getTable(name)) {
        Put order = order(101);
        table.put(order);
        assertThat(order.getAttributesMap()).isEmpty();
        assertThat(table.get(new Get(key(101))).getRow()).isEqualTo(key(101));
        table.delete(new Delete(key(101)));
      }
      assertThat(read()).containsAll(written).doesNotContain(101L);
      IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE);
      own.put(order(100));
    }
    assertThat(stored()).contains(100L).doesNotContain(101L);
  }

  @Tag("long")
  @Test
  void aTableWhoseRowsStayAsTheyAreIsMigratedWithItsIndexToASaltAndBack() throws Exception {
    createPlain(1_000);
    Layout asStored = Layout.parse("seller:string + id:int64");
    TableCheck.of(plain, registry, name, 10).adopt(plain, registry, asStored);
    assertThat(add(BY_CUSTOMER, IndexListener.NONE).isComplete()).isTrue();
    try (Writers writers = new Writers(10_000)) {
      for (Layout to : List.of(LAYOUT, asStored)) {
        assertThat(migrate(to, false).stage()).isEqualTo(Stage.FINISHED);
        Set<Long> written = writers.acknowledged();
        written.addAll(ids(0, 1_000));
        hasAll(written);
      }
      Set<Long> written = writers.stop();
      written.addAll(ids(0, 1_000));
      isWhole(written);
      assertThat(stored()).containsAll(written);
    }
  }

  @Tag("long")
  @Test
  void migrationsAndRenamingsCarryIndexesAlong() throws Exception {
    write(0, 2_000);
    add(BY_CUSTOMER, IndexListener.NONE);
    Layout to = Layout.parse("salt(7) + seller:string + id:int64");
    try (Writers writers = new Writers(10_000)) {
      Migration migrated = migrate(to, false);
      assertThat(migrated.stage()).isEqualTo(Stage.FINISHED);
      assertThat(registry.layouts().get(migrated.target()).orElseThrow().indexes())
          .contains("by_customer");
      hasAll(ids(0, 2_000));
      hasAll(writers.acknowledged());
      TableIndex second = TableIndex.parse("by_id events joining as \"salt(3) + id:int64 desc\"");
      assertThat(add(second, IndexListener.NONE).found().missing()).isZero();
      assertThat(migrate(to, true).generation()).isEqualTo(name);
      Set<Long> written = writers.stop();
      isWhole(written);
      isWhole(ids(0, 2_000));
      assertThat(
              IndexVerification.run(plain, registry, name, "by_id", true, IndexListener.NONE)
                  .found()
                  .missing())
          .isZero();
    }
    IndexRemoval.run(plain, registry, name, "by_id", IndexListener.NONE);
    isWhole(ids(0, 2_000));
  }

  /** A row without its entry is found by either generation. */
  @Test
  void anIndexIsVerifiedWhileAMigrationWaits() throws Exception {
    write(0, 400);
    add(BY_CUSTOMER, IndexListener.NONE);
    MigrationSettings settings =
        new MigrationSettings(new org.apache.hadoop.fs.Path(directory.toUri()), 10_000);
    Layout to = Layout.parse("salt(7) + seller:string + id:int64");
    MigrationPlan plan = MigrationPlan.of(name, to).by(Migration.By.PUTS);
    try (Migrator migrator =
        Migrator.begin(
            plain, registry, plan.aimFor(Stage.READY), settings, MigrationListener.NONE)) {
      assertThat(migrator.run().stage()).isEqualTo(Stage.READY);
    }
    write(400, 450);
    verifiedWhileMigrated(450);
    try (Migrator migrator =
        Migrator.resume(plain, registry, name, settings, MigrationListener.NONE)) {
      migrator.aimFor(Stage.SWITCHED);
      assertThat(migrator.run().stage()).isEqualTo(Stage.SWITCHED);
    }
    write(450, 500);
    Delete lost = new Delete(entryOf(order(499)));
    lost.setAttribute(GuardAttributes.ENTRY, new byte[0]);
    tables.open(entries()).delete(lost);
    assertThat(verifiedWhileMigrated(500).differences())
        .extracting(IndexDifference::kind)
        .containsExactly(IndexDifference.Kind.MISSING);
    try (Migrator migrator =
        Migrator.resume(plain, registry, name, settings, MigrationListener.NONE)) {
      migrator.aimFor(Stage.FINISHED);
      assertThat(migrator.run().stage()).isEqualTo(Stage.FINISHED);
    }
    assertThat(verify(true).added()).isEqualTo(1);
    isWhole(ids(0, 500));
  }

  private IndexReport verifiedWhileMigrated(long rows) throws IOException {
    for (ThrowingCallable change : List.<ThrowingCallable>of(() -> verify(true), this::sweep)) {
      assertThatThrownBy(change)
          .isInstanceOf(IndexLifeException.class)
          .hasMessageContaining("table is being migrated")
          .hasMessageContaining("an index can be verified without repair");
    }
    IndexReport report = verify(false);
    assertThat(report.rows()).isEqualTo(rows);
    return report;
  }

  @Test
  void noIndexIsVerifiedBetweenTwoGenerations() throws Exception {
    write(0, 20);
    add(BY_CUSTOMER, IndexListener.NONE);
    MigrationPlan plan =
        MigrationPlan.of(name, Layout.parse("salt(7) + seller:string + id:int64"))
            .by(Migration.By.PUTS);
    MigrationSettings settings =
        new MigrationSettings(new org.apache.hadoop.fs.Path(directory.toUri()), 10_000);
    Migrator.begin(plain, registry, plan, settings, MigrationListener.NONE).close();
    assertThatThrownBy(() -> verify(false))
        .isInstanceOf(IndexLifeException.class)
        .hasMessageContaining("table is being migrated");
  }

  @Tag("long")
  @Test
  void aMigrationThatIsRolledBackLeavesTheIndexRight() throws Exception {
    write(0, 1_000);
    add(BY_CUSTOMER, IndexListener.NONE);
    MigrationSettings settings =
        new MigrationSettings(new org.apache.hadoop.fs.Path(directory.toUri()), 10_000);
    Layout to = Layout.parse("salt(7) + seller:string + id:int64");
    try (Writers writers = new Writers(10_000);
        Migrator migrator =
            Migrator.begin(
                plain,
                registry,
                MigrationPlan.of(name, to).by(Migration.By.FILES).aimFor(Stage.SWITCHED),
                settings,
                MigrationListener.NONE)) {
      assertThat(migrator.run().stage()).isEqualTo(Stage.SWITCHED);
      hasAll(writers.acknowledged());
      migrator.aimFor(Stage.ROLLED_BACK);
      assertThat(migrator.run().stage()).isEqualTo(Stage.ROLLED_BACK);
      Set<Long> written = writers.stop();
      hasAll(written);
    }
    isWhole(ids(0, 1_000));
  }

  @Tag("long")
  @Test
  void rowsThatChangeStayRightInTheIndexWhileTheirTableIsMigrated() throws Exception {
    name = TableName.valueOf(name + "_mutable");
    tables.create(name, IndexTraffic.LAYOUT, IndexTraffic.LAYOUT.splits(2), List.of("d"));
    SplittableRandom random = new SplittableRandom(20261125);
    try (IndexTraffic traffic = new IndexTraffic(plain, name, IndexTraffic.MUTABLE, random)) {
      await().atMost(Duration.ofMinutes(1)).until(() -> traffic.writes() > 1_000);
      add(IndexTraffic.MUTABLE, IndexListener.NONE);
      Migration migrated = migrate(Layout.parse("salt(7) + id:int64"), false);
      assertThat(migrated.stage()).isEqualTo(Stage.FINISHED);
      int reads = traffic.reads();
      await().atMost(Duration.ofMinutes(1)).until(() -> traffic.reads() > reads + 2);
      traffic.stop();
      traffic.isWell();
      IndexReport swept =
          IndexVerification.sweep(plain, registry, name, "by_customer", IndexListener.NONE);
      assertThat(swept.removed()).isPositive();
      assertThat(traffic.read())
          .hasSize((int) verify(false).entries())
          .isEqualTo(traffic.ofTable());
      assertThat(verify(false).found().missing()).isZero();
      assertThat(traffic.verdict().breaches()).isEmpty();
    }
  }

  @Tag("long")
  @Test
  void aStepOfTheSaltLeavesTheIndexRight() throws Exception {
    write(0, 500);
    add(BY_CUSTOMER, IndexListener.NONE);
    try (Writers writers = new Writers(10_000)) {
      Layout step = LAYOUT.withStep(9, "id", "100000000").orElseThrow();
      assertThat(migrate(step, false).stage()).isEqualTo(Stage.FINISHED);
      write(100_000_000, 100_000_200);
      isWhole(ids(100_000_000, 100_000_200));
      isWhole(writers.stop());
    }
    assertThat(registry.layouts().get(name).orElseThrow().indexes()).contains("by_customer");
  }

  @Test
  void aDropUnderWritersLeavesAllRowsAndNoTable() throws Exception {
    write(0, 200);
    add(BY_CUSTOMER, IndexListener.NONE);
    Set<Long> written;
    try (Writers writers = new Writers(10_000)) {
      IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE);
      written = writers.stop();
    }
    try (Admin admin = plain.getAdmin()) {
      assertThat(admin.tableExists(entries())).isFalse();
      assertThat(TableLayout.indexes(admin.getDescriptor(name)).isEmpty()).isTrue();
    }
    assertThat(stored()).containsAll(written).containsAll(ids(0, 200));
    assertThat(registry.layouts().get(name).orElseThrow().indexes()).isEmpty();
    assertThatThrownBy(
            () -> IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE))
        .hasMessageContaining("no such index");
    assertThat(add(BY_CUSTOMER, IndexListener.NONE).isComplete()).isTrue();
    hasAll(written);
  }

  @Test
  void aDropThatWasKilledBeforeRegionsActByItGoesOn() throws Exception {
    write(0, 10);
    add(BY_CUSTOMER, IndexListener.NONE);
    removeFromDescriptorOnly();
    IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE);
    write(10, 20);
    assertThat(stored()).isEqualTo(ids(0, 20));
    assertThat(registry.layouts().get(name).orElseThrow().indexes()).isEmpty();
  }

  /** As a drop does that is killed when it has changed the descriptor. */
  private void removeFromDescriptorOnly() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      TableDescriptor table = admin.getDescriptor(name);
      GuardState state = TableGuard.state(table);
      GuardState next =
          new GuardState(
              state.revision() + 1, state.mode(), state.pass(), state.turn(), state.other());
      TableIndexes none = TableLayout.indexes(table).without("by_customer");
      TableGuard.store(admin, TableGuard.with(TableLayout.with(table, none), next));
    }
  }

  @Test
  void anApplicationReadsTheTableOfAnIndexAndDoesNotWriteToIt() throws Exception {
    write(0, 10);
    add(BY_CUSTOMER, IndexListener.NONE);
    SpreadTable index = tables.open(entries());
    byte[] first;
    try (ResultScanner all = index.scanStored()) {
      first = all.next().getRow();
    }
    assertThatThrownBy(() -> index.delete(new Delete(first)))
        .hasMessageContaining("table has the entries of an index")
        .hasMessageContaining("indexed_table=" + name);
    assertThatThrownBy(() -> index.put(new Put(first).addColumn(Bytes.toBytes("e"), D, D)))
        .hasMessageContaining("write to that table");
    assertThat(index.get(new Get(first)).isEmpty()).isFalse();
    assertThat(read()).hasSize(10);
  }
}
