/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static io.evenkey.jobs.migration.LoadedTable.ROWS;
import static io.evenkey.jobs.migration.LoadedTable.TO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.internal.verify.LastMigration;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.index.UnguardedWrites;
import io.evenkey.jobs.migration.protocol.Migrator;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables that HBase's own Admin drops and creates again after a migration. */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class RecreatedTableIT extends MigrationFixture {
  private Migration migrate() throws IOException {
    MigrationPlan plan = MigrationPlan.of(name, TO).by(Migration.By.PUTS).aimFor(Stage.FINISHED);
    try (Migrator migrator =
        Migrator.begin(plain, registry, plan, settings(), MigrationListener.NONE)) {
      return migrator.run();
    }
  }

  private static void drop(Admin admin, TableName table) throws IOException {
    admin.disableTable(table);
    admin.deleteTable(table);
  }

  @Test
  void theRecordOfATableThatWasCreatedAgainIsReplaced() throws Exception {
    LoadedTable.create(plain, name);
    assertThat(registry.layouts().get(name)).isPresent();
    assertThat(LastMigration.of(plain, registry, name)).isEmpty();
    assertThat(registry.layouts().get(name)).isPresent();
    try (Admin admin = plain.getAdmin()) {
      drop(admin, name);
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(LoadedTable.D))
              .build());
    }
    assertThat(LastMigration.of(plain, registry, name)).isEmpty();
    assertThat(registry.layouts().get(name)).isEmpty();
  }

  /** A migration that was killed before a stage. */
  private void migrateTo(Stage last) throws IOException {
    MigrationListener killing =
        new MigrationListener() {
          @Override
          public void stage(Migration at) {
            if (at.stage() == last) {
              throw new Killed();
            }
          }
        };
    MigrationPlan plan = MigrationPlan.of(name, TO).by(Migration.By.PUTS).aimFor(Stage.SWITCHED);
    try (Migrator migrator = Migrator.begin(plain, registry, plan, settings(), killing)) {
      migrator.run();
    } catch (Killed killed) {
      assertThat(killed).isNotNull();
    }
    assertThat(registry.migrations().get(name).orElseThrow().value().stage()).isEqualTo(last);
  }

  private int rows() throws IOException {
    int rows = 0;
    try (Connection client = LoadedTable.client(plain);
        Table table = client.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result row : scanner) {
        rows += row.size();
      }
    }
    return rows;
  }

  private void isWritten() throws IOException {
    put(0);
  }

  private void run(Stage goal) throws IOException {
    try (Migrator migrator =
        Migrator.resume(plain, registry, name, settings(), MigrationListener.NONE)) {
      migrator.aimFor(goal);
      migrator.run();
    }
  }

  private TableName next() {
    return Migration.next(name, name);
  }

  @Tag("deep")
  @ParameterizedTest
  @EnumSource(names = {"COPYING", "READY", "FENCING", "CLOSING"})
  void aMigrationWhoseNextGenerationWasDroppedIsTakenBackByTheNextOne(Stage stage)
      throws Exception {
    LoadedTable.create(plain, name);
    migrateTo(stage);
    try (Admin admin = plain.getAdmin()) {
      drop(admin, next());
    }
    Migration record = registry.migrations().get(name).orElseThrow().value();
    assertThat(LastMigration.problem(plain, record).orElseThrow())
        .contains("migration cannot go on", "generation=" + next(), "roll the migration back");
    assertThatThrownBy(() -> run(Stage.SWITCHED))
        .isInstanceOf(MigrationException.class)
        .hasMessageContaining("next generation was dropped: table=" + name)
        .hasMessageContaining("roll the migration back");
    assertThat(migrate().stage()).isEqualTo(Stage.FINISHED);
    assertThat(rows()).isEqualTo(ROWS);
    isWritten();
  }

  @Test
  void aMigrationWhoseSourceWasDroppedIsForgotten() throws Exception {
    LoadedTable.create(plain, name);
    migrateTo(Stage.READY);
    try (Admin admin = plain.getAdmin()) {
      drop(admin, name);
      Migration record = registry.migrations().get(name).orElseThrow().value();
      assertThat(LastMigration.problem(plain, record).orElseThrow())
          .contains("migration of a table that was dropped", "generation=" + name);
      LoadedTable.create(plain, name);
      assertThat(rows()).isEqualTo(ROWS);
      assertThat(LastMigration.of(plain, registry, name)).isEmpty();
      assertThat(registry.migrations().get(name)).isEmpty();
    }
    assertThat(migrate().stage()).isEqualTo(Stage.FINISHED);
    assertThat(rows()).isEqualTo(ROWS);
    isWritten();
  }

  @Tag("long")
  @Test
  void aMigrationWhoseSourceWasDroppedAfterTheSwitchIsFinished() throws Exception {
    LoadedTable.create(plain, name);
    migrateTo(Stage.SWITCHED);
    try (Admin admin = plain.getAdmin()) {
      drop(admin, name);
    }
    assertThatThrownBy(() -> run(Stage.ROLLED_BACK))
        .isInstanceOf(MigrationException.class)
        .hasMessageContaining("rollback needs a generation that was dropped: table=" + name);
    isWritten();
    MigrationPlan back =
        MigrationPlan.of(name, LoadedTable.FROM).by(Migration.By.PUTS).aimFor(Stage.FINISHED);
    try (Migrator migrator =
        Migrator.begin(plain, registry, back, settings(), MigrationListener.NONE)) {
      assertThat(migrator.migration().source()).isEqualTo(next());
      migrator.run();
    }
    assertThat(rows()).isEqualTo(ROWS);
  }

  @Tag("long")
  @Test
  void rowsOfBeforeTheSwitchAreUsedAgainIfTheGenerationInUseWasDropped() throws Exception {
    LoadedTable.create(plain, name);
    migrateTo(Stage.SWITCHED);
    try (Admin admin = plain.getAdmin()) {
      drop(admin, next());
    }
    assertThatThrownBy(this::migrate)
        .isInstanceOf(TableLayoutException.class)
        .hasMessageContaining("generation in use was dropped outside of Evenkey")
        .hasMessageContaining("drop " + name + " too")
        .hasMessageContaining("roll the migration back");
    run(Stage.ROLLED_BACK);
    assertThat(rows()).isEqualTo(ROWS);
    isWritten();
    assertThat(migrate().stage()).isEqualTo(Stage.FINISHED);
  }

  @Tag("long")
  @Test
  void aTableThatWasDroppedWithBothGenerationsIsCreatedAgain() throws Exception {
    LoadedTable.create(plain, name);
    migrateTo(Stage.SWITCHED);
    try (Admin admin = plain.getAdmin()) {
      drop(admin, next());
      drop(admin, name);
    }
    LoadedTable.create(plain, name);
    assertThat(rows()).isEqualTo(ROWS);
    assertThat(migrate().stage()).isEqualTo(Stage.FINISHED);
    assertThat(rows()).isEqualTo(ROWS);
  }

  /** The clone has the marks of the snapshot's time, and the next generation has later rows. */
  @Test
  void aMigrationDoesNotGoOnWithACloneOfItsTable() throws Exception {
    LoadedTable.create(plain, name);
    migrateTo(Stage.COPYING);
    String snapshot = "of_" + name.getNameAsString();
    try (Admin admin = plain.getAdmin()) {
      admin.snapshot(snapshot, name);
      put(ROWS);
      run(Stage.READY);
      drop(admin, name);
      admin.cloneSnapshot(snapshot, name);
      admin.deleteSnapshot(snapshot);
    }
    assertThat(rows()).isEqualTo(ROWS);
    put(ROWS + 1);
    assertThat(UnguardedWrites.problems(plain, registry, name))
        .singleElement(STRING)
        .contains("table was dropped and cloned from a snapshot under its name")
        .contains("the migration cannot go on: roll the migration back");
    assertThatThrownBy(() -> run(Stage.FINISHED))
        .isInstanceOf(MigrationException.class)
        .hasMessageContaining("table was dropped and cloned from a snapshot under its name")
        .hasMessageContaining("roll the migration back");
    run(Stage.ROLLED_BACK);
    assertThat(migrate().stage()).isEqualTo(Stage.FINISHED);
    assertThat(rows()).isEqualTo(ROWS + 1);
    isWritten();
  }

  private void put(int row) throws IOException {
    try (Connection client = LoadedTable.client(plain);
        Table table = client.getTable(name)) {
      table.put(LoadedTable.put(row));
    }
  }

  @Tag("long")
  @Test
  void aGenerationThatIsNotInUseStaysSoWhenItIsClonedUnderItsName() throws Exception {
    LoadedTable.create(plain, name);
    migrateTo(Stage.SWITCHED);
    String snapshot = "closed-" + name.getNameAsString();
    try (Admin admin = plain.getAdmin()) {
      admin.snapshot(snapshot, name);
      try (Connection client = LoadedTable.client(plain);
          Table table = client.getTable(name)) {
        table.put(LoadedTable.put(ROWS));
      }
      drop(admin, name);
      try {
        admin.cloneSnapshot(snapshot, name);
      } finally {
        admin.deleteSnapshot(snapshot);
      }
    }
    assertThat(rows()).isEqualTo(ROWS + 1);
    isWritten();
  }

  @Test
  void aTableThatWasCreatedAgainIsMigrated() throws Exception {
    LoadedTable.create(plain, name);
    TableName generation = migrate().generation();
    try (Admin admin = plain.getAdmin()) {
      assertThatThrownBy(() -> admin.snapshot("of_" + name.getNameAsString(), name))
          .hasStackTraceContaining("generation that is not in use: table=" + name)
          .hasStackTraceContaining("take the snapshot of " + generation);
      drop(admin, name);
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(LoadedTable.D))
              .build());
      assertThatThrownBy(this::migrate)
          .isInstanceOf(TableLayoutException.class)
          .hasMessageContaining("rows are in " + generation)
          .hasMessageContaining("drop " + generation);
      assertThat(admin.tableExists(generation)).isTrue();
      drop(admin, generation);
    }
    try (Table table = plain.getTable(name)) {
      for (int i = 0; i < ROWS; i++) {
        table.put(new Put(LoadedTable.key(i)).addColumn(LoadedTable.D, LoadedTable.D, new byte[1]));
      }
    }
    assertThat(migrate().generation()).isEqualTo(generation);
    int rows = 0;
    try (Connection client = LoadedTable.client(plain);
        Table table = client.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result row : scanner) {
        rows += row.size();
      }
    }
    assertThat(rows).isEqualTo(ROWS);
  }
}
