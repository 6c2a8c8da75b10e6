/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static io.evenkey.jobs.migration.LoadedTable.FROM;
import static io.evenkey.jobs.migration.LoadedTable.ROWS;
import static io.evenkey.jobs.migration.LoadedTable.TO;
import static io.evenkey.jobs.migration.LoadedTable.key;
import static io.evenkey.jobs.migration.LoadedTable.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.protocol.guard.GuardState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The next generation gets the table's own name, while it is read and written. */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class RenameIT {
  @TempDir private Path directory;
  private Connection plain;
  private Registry registry;
  private TableName name;
  private TableName next;

  @BeforeEach
  void create(Connection shared, TestInfo info) throws IOException {
    plain = shared;
    registry = Registry.open(shared.getConfiguration());
    name = TableName.valueOf("rename_" + info.getTestMethod().orElseThrow().getName());
    next = Migration.next(name, name);
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

  private void migrate() throws IOException {
    MigrationPlan plan = MigrationPlan.of(name, TO).by(Migration.By.PUTS).aimFor(Stage.FINISHED);
    try (Migrator migrator =
        Migrator.begin(plain, registry, plan, settings(), MigrationListener.NONE)) {
      assertThat(migrator.run().generation()).isEqualTo(next);
    }
  }

  private Migrator renaming(MigrationListener listener) throws IOException {
    boolean begun =
        registry.migrations().get(name).orElseThrow().value().kind() instanceof Kind.Renaming;
    return begun
        ? Migrator.resume(plain, registry, name, settings(), listener)
        : Migrator.rename(plain, registry, name, settings(), listener);
  }

  private Migration rename() throws IOException {
    try (Migrator migrator = renaming(MigrationListener.NONE)) {
      return migrator.run();
    }
  }

  private boolean exists(TableName table) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return admin.tableExists(table);
    }
  }

  /** The rows that a client without Evenkey finds under the table's own name. */
  private int rowsStored() throws IOException {
    int rows = 0;
    try (Table table = plain.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result row : scanner) {
        rows += Bytes.startsWith(TO.logical(row.getRow()), Bytes.toBytes("before-")) ? 1 : 0;
      }
    }
    return rows;
  }

  /** As a run does that is killed while it drops the table that had the name. */
  private void disableLeft() throws IOException {
    Migration now = registry.migrations().get(name).orElseThrow().value();
    if (now.stage() == Stage.COPYING) {
      try (Admin admin = plain.getAdmin()) {
        admin.disableTable(name);
      }
    }
  }

  @Tag("long")
  @Test
  void tableHasItsOwnNameAgainWhereverTheRenamingIsKilled() throws Exception {
    migrate();
    try (Traffic traffic = new Traffic(plain, name)) {
      traffic.start(1);
      traffic.start(2);
      await().atMost(Duration.ofMinutes(1)).until(() -> traffic.written() > 50);
      Migration migration = null;
      int kills = 0;
      while (migration == null) {
        // Each run goes on for one stage longer than the one before it.
        int until = 1 + kills;
        int[] stages = {0};
        MigrationListener listener =
            new MigrationListener() {
              @Override
              public void stage(Migration now) {
                if (++stages[0] > until && !now.stage().isOver()) {
                  throw new Killed();
                }
              }
            };
        try (Migrator migrator = renaming(listener)) {
          migration = migrator.run();
        } catch (Killed e) {
          kills++;
          disableLeft();
        }
      }
      assertThat(kills).isGreaterThan(2);
      assertThat(migration.stage()).isEqualTo(Stage.FINISHED);
      assertThat(migration.generation()).isEqualTo(name);
      long before = traffic.written();
      await().atMost(Duration.ofMinutes(1)).until(() -> traffic.written() > before + 50);
      traffic.check();
    }
    assertThat(exists(next)).isFalse();
    assertThat(rowsStored()).isEqualTo(ROWS);
    try (Admin admin = plain.getAdmin()) {
      assertThat(TableLayout.of(admin.getDescriptor(name))).isEqualTo(TO);
      assertThat(admin.getDescriptor(name).getValue(TableLayout.TABLE)).isNull();
      assertThat(admin.getDescriptor(name).getValue(GuardState.CLONE_KEY)).isNull();
      assertThat(admin.listSnapshots()).noneMatch(one -> one.getName().contains(name + "-"));
    }
  }

  @Test
  void clientsWithAStaleNameContinue() throws Exception {
    migrate();
    try (Connection client = client();
        AsyncConnection async =
            FutureUtils.get(ConnectionFactory.createAsyncConnection(client.getConfiguration()));
        Table table = client.getTable(name);
        BufferedMutator mutator = client.getBufferedMutator(name);
        ResultScanner scanner = table.getScanner(new Scan().setCaching(1))) {
      assertThat(table.exists(new Get(key(0)))).isTrue();
      assertThat(FutureUtils.get(async.getTable(name).exists(new Get(key(0))))).isTrue();
      mutator.mutate(put(ROWS));
      assertThat(scanner.next()).isNotNull();
      rename();
      int rows = 1;
      while (scanner.next() != null) {
        rows++;
      }
      assertThat(rows).isBetween(ROWS, ROWS + 1);
      mutator.flush();
      assertThat(table.exists(new Get(key(ROWS)))).isTrue();
      assertThat(FutureUtils.get(async.getTable(name).exists(new Get(key(1))))).isTrue();
      table.put(List.of(put(ROWS + 1), put(ROWS + 2)));
    }
    try (Connection client = client();
        Table table = client.getTable(name)) {
      assertThat(table.exists(new Get(key(ROWS + 2)))).isTrue();
    }
    assertThat(rowsStored()).isEqualTo(ROWS + 3);
  }

  @Tag("long")
  @Test
  void readsContinueAndThePauseOfWritesIsReported() throws Exception {
    migrate();
    List<Duration> pauses = new ArrayList<>();
    MigrationListener listener =
        new MigrationListener() {
          @Override
          public void pausing(Duration expected) {
            pauses.add(expected);
          }

          @Override
          public void paused(Duration pause) {
            pauses.add(pause);
          }

          @Override
          public void stage(Migration migration) {
            // With a connection that has never used the table before.
            try (Connection client = client();
                Table table = client.getTable(name)) {
              assertThat(table.exists(new Get(key(7)))).as("at " + migration.stage()).isTrue();
            } catch (IOException e) {
              throw new AssertionError("at " + migration.stage(), e);
            }
          }
        };
    try (Migrator migrator = renaming(listener)) {
      migrator.run();
    }
    assertThat(pauses).hasSize(2).allMatch(pause -> pause.toNanos() > 0);
  }

  @Tag("long")
  @Test
  void rollbackKeepsTheGenerationInUse() throws Exception {
    migrate();
    for (Stage last : List.of(Stage.PREPARING, Stage.COPYING, Stage.READY, Stage.SWITCHED)) {
      MigrationListener listener =
          new MigrationListener() {
            @Override
            public void stage(Migration migration) {
              if (migration.stage() == last) {
                throw new Killed();
              }
            }
          };
      try (Migrator migrator = Migrator.rename(plain, registry, name, settings(), listener)) {
        assertThatThrownBy(migrator::run).isInstanceOf(Killed.class);
      }
      try (Migrator migrator = renaming(MigrationListener.NONE)) {
        migrator.aimFor(Stage.ROLLED_BACK);
        assertThat(migrator.run().generation()).isEqualTo(next);
      }
      try (Connection client = client();
          Table table = client.getTable(name)) {
        assertThat(table.exists(new Get(key(3)))).as("after " + last).isTrue();
        table.put(put(3));
      }
      registry
          .migrations()
          .store(finished(), registry.migrations().get(name).orElseThrow().version());
    }
    assertThat(rename().generation()).isEqualTo(name);
    assertThat(rowsStored()).isEqualTo(ROWS);
  }

  /** As the migration left it that the renaming follows. */
  private Migration finished() throws IOException {
    Migration now = registry.migrations().get(name).orElseThrow().value();
    return Migration.begin(name, new Kind.AnotherSpread(), name, next, now.turn(), now.since())
        .aimFor(Stage.FINISHED)
        .enter(Stage.FINISHED)
        .withFence(now.fence())
        .withWork(now.work())
        .withPace(now.pace());
  }

  @Tag("long")
  @Test
  void tableThatWasCreatedUnderTheNameIsNotReplaced() throws Exception {
    migrate();
    try (Admin admin = plain.getAdmin()) {
      admin.disableTable(name);
      admin.deleteTable(name);
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name).setColumnFamily(Traffic.FAMILY).build());
    }
    assertThatThrownBy(this::rename)
        .isInstanceOf(TableLayoutException.class)
        .hasMessageContaining("table=" + name)
        .hasMessageContaining("rows are in " + next);
    assertThat(exists(next)).isTrue();
  }

  @Tag("long")
  @Test
  void tableWithItsOwnNameIsNotRenamed() throws Exception {
    assertThatThrownBy(
            () -> Migrator.rename(plain, registry, name, settings(), MigrationListener.NONE))
        .isInstanceOf(MigrationException.class)
        .hasMessageContaining("no generation to rename");
    migrate();
    rename();
    assertThatThrownBy(
            () -> Migrator.rename(plain, registry, name, settings(), MigrationListener.NONE))
        .hasMessageContaining("has its own name");
    // It can be migrated again.
    MigrationPlan plan = MigrationPlan.of(name, FROM).by(Migration.By.PUTS).aimFor(Stage.FINISHED);
    try (Migrator migrator =
        Migrator.begin(plain, registry, plan, settings(), MigrationListener.NONE)) {
      assertThat(migrator.run().generation()).isEqualTo(next);
    }
    assertThat(rename().generation()).isEqualTo(name);
  }
}
