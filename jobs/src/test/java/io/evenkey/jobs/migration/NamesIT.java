/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static io.evenkey.jobs.migration.LoadedTable.D;
import static io.evenkey.jobs.migration.LoadedTable.FROM;
import static io.evenkey.jobs.migration.LoadedTable.ROWS;
import static io.evenkey.jobs.migration.LoadedTable.TO;
import static io.evenkey.jobs.migration.LoadedTable.key;
import static io.evenkey.jobs.migration.LoadedTable.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.layout.field.Field;
import io.evenkey.protocol.index.TableIndex;
import io.evenkey.protocol.index.TableIndexes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tables are migrated while they are read and written, on region servers without the guard. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class NamesIT {
  @TempDir private static Path home;
  private static EmbeddedHBase hbase;

  @TempDir private Path directory;
  private Connection plain;
  private Registry registry;
  private TableName name;

  @BeforeAll
  static void start() throws Exception {
    hbase = EmbeddedHBase.in(home).servers(2).guard(false).start();
  }

  @AfterAll
  static void stop() throws Exception {
    hbase.close();
  }

  @BeforeEach
  void create(TestInfo info) throws IOException {
    plain = hbase.connection();
    registry = Registry.open(plain.getConfiguration());
    name = TableName.valueOf("names_" + info.getTestMethod().orElseThrow().getName());
    LoadedTable.create(plain, name);
  }

  @AfterEach
  void close() throws IOException {
    registry.close();
  }

  private Connection client() throws IOException {
    return LoadedTable.client(plain);
  }

  private MigrationSettings settings() {
    return new MigrationSettings(new org.apache.hadoop.fs.Path(directory.toUri()), 10_000);
  }

  private MigrationPlan plan(Stage goal) {
    return MigrationPlan.of(name, TO).by(Migration.By.PUTS).aimFor(goal).acceptingPause();
  }

  private Migration migrate(Stage goal) throws IOException {
    try (Migrator migrator =
        Migrator.begin(plain, registry, plan(goal), settings(), MigrationListener.NONE)) {
      return migrator.run();
    }
  }

  private Migration goOn(Stage goal) throws IOException {
    try (Migrator migrator =
        Migrator.resume(plain, registry, name, settings(), MigrationListener.NONE)) {
      migrator.aimFor(goal);
      return migrator.run();
    }
  }

  private int rows() throws IOException {
    int rows = 0;
    try (Connection client = client();
        Table table = client.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan().withStartRow(key(0)))) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        rows += Bytes.startsWith(row.getRow(), Bytes.toBytes("before-")) ? 1 : 0;
      }
    }
    return rows;
  }

  @Test
  void aMigrationStartsOnlyWhenThePauseIsAccepted() {
    MigrationPlan plan = MigrationPlan.of(name, TO);
    assertThatThrownBy(
            () -> Migrator.begin(plain, registry, plan, settings(), MigrationListener.NONE))
        .isInstanceOf(MigrationException.class)
        .hasMessageContaining("without the guard")
        .hasMessageContaining("pause once for about")
        .hasMessageContaining("accept a pause");
  }

  @Test
  void clientsContinueInTheNextGeneration() throws Exception {
    try (Traffic traffic = new Traffic(plain, name)) {
      traffic.start(1);
      traffic.start(2);
      Migration migration = migrate(Stage.FINISHED);
      assertThat(migration.stage()).isEqualTo(Stage.FINISHED);
      long written = traffic.written();
      await().atMost(Duration.ofMinutes(1)).until(() -> traffic.written() > written + 20);
      traffic.check();
      assertThat(rows()).isEqualTo(ROWS);
    }
    try (Table left = plain.getTable(name);
        Admin admin = plain.getAdmin()) {
      assertThatThrownBy(() -> left.put(put(0))).isInstanceOf(TableNotFoundException.class);
      assertThat(admin.listSnapshots()).noneMatch(one -> one.getName().contains(name + "-"));
      Migration last = registry.migrations().get(name).orElseThrow().value();
      assertThat(admin.isTableDisabled(last.source())).isTrue();
      assertThat(admin.getDescriptor(last.target()).getValue("EVENKEY_MIGRATION")).isNull();
    }
  }

  @Tag("long")
  @Test
  void clientsOfEveryKindContinue() throws Exception {
    try (Connection client = client();
        AsyncConnection async =
            FutureUtils.get(ConnectionFactory.createAsyncConnection(client.getConfiguration()));
        Table table = client.getTable(name);
        BufferedMutator mutator = client.getBufferedMutator(name);
        AsyncBufferedMutator later = async.getBufferedMutator(name);
        ResultScanner scanner = table.getScanner(new Scan().setCaching(1));
        ResultScanner laterScanner = async.getTable(name).getScanner(new Scan().setCaching(1))) {
      assertThat(table.exists(new Get(key(0)))).isTrue();
      assertThat(FutureUtils.get(async.getTable(name).exists(new Get(key(0))))).isTrue();
      mutator.mutate(put(ROWS));
      CompletableFuture<Void> buffered = later.mutate(put(ROWS + 1));
      assertThat(scanner.next()).isNotNull();
      assertThat(laterScanner.next()).isNotNull();
      AtomicBoolean over = new AtomicBoolean();
      CompletableFuture<Integer> batches =
          CompletableFuture.supplyAsync(() -> putUntil(over, table));
      migrate(Stage.SWITCHED);
      over.set(true);
      assertThat(batches.get(1, TimeUnit.MINUTES)).isPositive();
      assertThat(rest(scanner)).isEqualTo(ROWS - 1);
      assertThat(rest(laterScanner)).isEqualTo(ROWS - 1);
      mutator.flush();
      later.flush();
      buffered.get(1, TimeUnit.MINUTES);
      assertThat(table.exists(new Get(key(ROWS)))).isTrue();
      assertThat(FutureUtils.get(async.getTable(name).exists(new Get(key(ROWS + 1))))).isTrue();
      FutureUtils.get(async.getTable(name).putAll(List.of(put(ROWS + 2), put(ROWS + 3))));
      table.increment(new Increment(key(0)).addColumn(D, Bytes.toBytes("count"), 1));
    }
    assertThat(rows()).isEqualTo(ROWS + 4);
  }

  // Rows that are there already, in batches without a break.
  private static int putUntil(AtomicBoolean over, Table table) {
    int batches = 0;
    try {
      while (!over.get()) {
        table.put(List.of(put(0), put(1), put(2), put(3)));
        batches++;
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return batches;
  }

  private static int rest(ResultScanner scanner) throws IOException {
    int rows = 0;
    while (scanner.next() != null) {
      rows++;
    }
    return rows;
  }

  @Tag("long")
  @Test
  void rollbackHasTheRowsWrittenSinceTheSwitch() throws Exception {
    try (Traffic traffic = new Traffic(plain, name)) {
      traffic.start(1);
      assertThat(migrate(Stage.SWITCHED).stage()).isEqualTo(Stage.SWITCHED);
      long written = traffic.written();
      await().atMost(Duration.ofMinutes(1)).until(() -> traffic.written() > written + 20);
      Migration back = goOn(Stage.ROLLED_BACK);
      assertThat(back.stage()).isEqualTo(Stage.ROLLED_BACK);
      traffic.check();
      assertThat(rows()).isEqualTo(ROWS);
      try (Admin admin = plain.getAdmin()) {
        assertThat(admin.tableExists(back.target())).isFalse();
        assertThat(admin.getDescriptor(back.generation()).getValue("EVENKEY_LAYOUT"))
            .isEqualTo(FROM.toString());
      }
    }
  }

  @Tag("long")
  @Test
  void rowThatWasDeletedDuringTheCopyStaysDeletedAfterACompaction() throws Exception {
    try (Connection client = client();
        Table table = client.getTable(name)) {
      MigrationListener deleting =
          new MigrationListener() {
            @Override
            public void stage(Migration migration) {
              if (migration.stage() == Stage.READY) {
                deleteAndCompact(table, migration.source());
              }
            }
          };
      try (Migrator migrator =
          Migrator.begin(plain, registry, plan(Stage.SWITCHED), settings(), deleting)) {
        migrator.run();
      }
      assertThat(table.get(new Get(key(7))).isEmpty()).isTrue();
      assertThat(rows()).isEqualTo(ROWS - 1);
    }
  }

  private void deleteAndCompact(Table table, TableName stored) {
    try (Admin admin = plain.getAdmin()) {
      table.delete(new Delete(key(7)));
      admin.flush(stored);
      admin.majorCompact(stored);
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> files(admin, stored) <= admin.getRegions(stored).size());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int files(Admin admin, TableName stored) throws IOException {
    int files = 0;
    for (ServerName server : admin.getRegionServers()) {
      for (RegionMetrics region : admin.getRegionMetrics(server, stored)) {
        files += region.getStoreFileCount();
      }
    }
    return files;
  }

  @Tag("long")
  @Test
  void migrationThatIsKilledInThePauseResumesUnderAnotherName() throws Exception {
    MigrationListener killed =
        new MigrationListener() {
          @Override
          public void stage(Migration migration) {
            if (migration.stage() == Stage.FENCING) {
              throw new Killed();
            }
          }
        };
    try (Traffic traffic = new Traffic(plain, name)) {
      traffic.start(1);
      assertThatThrownBy(
              () -> {
                try (Migrator migrator =
                    Migrator.begin(plain, registry, plan(Stage.SWITCHED), settings(), killed)) {
                  migrator.run();
                }
              })
          .isInstanceOf(Killed.class);
      Migration back = goOn(Stage.ROLLED_BACK);
      assertThat(back.stage()).isEqualTo(Stage.ROLLED_BACK);
      assertThat(back.generation()).isNotEqualTo(name);
      traffic.check();
      assertThat(rows()).isEqualTo(ROWS);
    }
  }

  @Tag("long")
  @Test
  void aRollbackDropsTheSnapshotOfACopyThatWasKilled() throws Exception {
    MigrationListener killing =
        new MigrationListener() {
          @Override
          public void stage(Migration migration) {
            // The copy is what is killed.
          }

          @Override
          public void progress(double share, long rows) {
            throw new Killed();
          }
        };
    MigrationPlan plan = plan(Stage.READY).by(Migration.By.SNAPSHOT);
    try (Admin admin = plain.getAdmin()) {
      Pattern copied = Pattern.compile("evenkey-" + Pattern.quote(name + ".g") + "[0-9]+-.*");
      assertThatThrownBy(
              () -> {
                try (Migrator migrator =
                    Migrator.begin(plain, registry, plan, settings(), killing)) {
                  migrator.run();
                }
              })
          .isInstanceOf(Killed.class);
      assertThat(admin.listSnapshots(copied)).hasSize(1);
      goOn(Stage.ROLLED_BACK);
      assertThat(admin.listSnapshots(copied)).isEmpty();
    }
  }

  @Tag("long")
  @Test
  void tableWithoutALayoutIsMigratedAndBack() throws Exception {
    TableName table = TableName.valueOf("names_plain");
    try (Admin admin = plain.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(table).setColumnFamily(Traffic.FAMILY).build());
    }
    name = table;
    try (Traffic traffic = new Traffic(plain, table)) {
      traffic.start(1);
      long begun = traffic.written();
      await().atMost(Duration.ofMinutes(1)).until(() -> traffic.written() > begun + 20);
      migrate(Stage.SWITCHED);
      goOn(Stage.ROLLED_BACK);
      traffic.check();
    }
  }

  @Test
  void aTableWithAnIndexIsRefused() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      TableDescriptor now = admin.getDescriptor(name);
      Field first = TableLayout.of(now).fields().get(0);
      TableIndex index = TableIndex.parse("by_first events public as \"salt(2) + " + first + "\"");
      admin.modifyTable(TableLayout.with(now, TableIndexes.NONE.with(index)));
    }
    assertThatThrownBy(() -> migrate(Stage.READY))
        .isInstanceOf(MigrationException.class)
        .hasMessageContaining("table has indexes, which need the guard: indexes=by_first");
  }
}
