/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.guard.GuardMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Reads while clients go over to another generation: none misses a write that was acknowledged
 * before it began, wherever the command that has them go over dies.
 */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class SwitchReadsIT extends MigrationFixture {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Of clients of a table that waits for an operator. */
  private static final Duration IMPATIENCE = Duration.ofMillis(150);

  /** A way from one generation to another one. */
  private enum Way {
    SWITCH(Stage.FENCING, Stage.SWITCHED),
    ROLLBACK(Stage.RETURNING, Stage.ROLLED_BACK),
    RENAMING(Stage.FENCING, Stage.SWITCHED);

    private final Stage pause;
    private final Stage end;

    Way(Stage pause, Stage end) {
      this.pause = pause;
      this.end = end;
    }

    /** The layout of the generation that is left. */
    Layout left() {
      return this == SWITCH ? LoadedTable.FROM : LoadedTable.TO;
    }
  }

  /** Begins what the way begins with. */
  private Migrator begin(
      Way way, Connection connection, TableName table, MigrationListener listener)
      throws IOException {
    MigrationPlan plan = MigrationPlan.of(table, LoadedTable.TO).by(Migration.By.PUTS);
    return switch (way) {
      case SWITCH ->
          Migrator.begin(connection, registry, plan.aimFor(Stage.SWITCHED), settings(), listener);
      case ROLLBACK -> {
        run(plan.aimFor(Stage.SWITCHED));
        Migrator migrator = Migrator.resume(connection, registry, table, settings(), listener);
        migrator.aimFor(Stage.ROLLED_BACK);
        yield migrator;
      }
      case RENAMING -> {
        run(plan.aimFor(Stage.FINISHED));
        Migrator migrator = Migrator.rename(connection, registry, table, settings(), listener);
        migrator.aimFor(Stage.SWITCHED);
        yield migrator;
      }
    };
  }

  private void run(MigrationPlan plan) throws IOException {
    try (Migrator migrator =
        Migrator.begin(plain, registry, plan, settings(), MigrationListener.NONE)) {
      migrator.run();
    }
  }

  /** Watches the pause of writes. */
  private abstract static class PauseListener implements MigrationListener {
    private final Stage pause;
    private boolean isPause;

    PauseListener(Way way) {
      this.pause = way.pause;
    }

    /** All passes but the last one are made. */
    abstract void before() throws IOException;

    /** The last pass is made, or about to begin. */
    void during() throws IOException {}

    @Override
    public void stage(Migration now) {
      isPause = now.stage() == pause;
      if (isPause) {
        call(this::before);
      }
    }

    @Override
    public void pausing(Duration expected) {
      call(this::during);
    }

    @Override
    public void progress(double share, long rows) {
      if (isPause) {
        call(this::during);
      }
    }

    private interface Call {
      void make() throws IOException;
    }

    private static void call(Call call) {
      try {
        call.make();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(names = "SWITCH", mode = EnumSource.Mode.EXCLUDE)
  void readsGoOnByOtherWaysToo(Way way) throws Exception {
    readsGoOnAndMissNoWriteThatTheLastPassHasToRepair(way);
  }

  @ParameterizedTest
  @EnumSource(names = "SWITCH")
  void readsGoOnAndMissNoWriteThatTheLastPassHasToRepair(Way way) throws Exception {
    LoadedTable.create(plain, name);
    int[] during = {0};
    try (AcknowledgedRows rows = new AcknowledgedRows(plain, name, way.left(), PATIENCE)) {
      rows.write();
      rows.idle(2);
      PauseListener listener =
          new PauseListener(way) {
            @Override
            void before() throws IOException {
              rows.write();
            }

            @Override
            void during() throws IOException {
              during[0]++;
              assertThat(rows.read()).isZero();
            }
          };
      try (Migrator migrator = begin(way, plain, name, listener)) {
        assertThat(migrator.run().stage()).isEqualTo(way.end);
      }
      assertThat(during[0]).isGreaterThanOrEqualTo(2);
      rows.write();
      assertThat(rows.read()).isZero();
    }
  }

  /** A process that dies while clients go over, and what they have done. */
  private record Death(TableName table, MortalConnection process, AcknowledgedRows rows) {}

  /** Lets a process change as many descriptors as given in the pause of writes. */
  private Death dying(Way way, int changes) throws IOException {
    TableName table = TableName.valueOf(name + "_" + changes);
    LoadedTable.create(plain, table);
    MortalConnection process = new MortalConnection(plain);
    AcknowledgedRows rows = new AcknowledgedRows(plain, table, way.left(), IMPATIENCE);
    rows.write();
    rows.idle(2);
    PauseListener listener =
        new PauseListener(way) {
          @Override
          void before() throws IOException {
            rows.write();
            process.diesAfter(changes);
          }
        };
    try (Migrator migrator = begin(way, process.connection(), table, listener)) {
      migrator.run();
    } catch (Killed e) {
      // As it should, but for the last one.
    }
    return new Death(table, process, rows);
  }

  /** Has one region act by the state in the descriptor, of which no other one knows. */
  private void reopenFirstRegion(TableName table) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      RegionInfo first = admin.getRegions(table).get(0);
      admin.move(first.getEncodedNameAsBytes());
    }
  }

  @Tag("deep")
  @ParameterizedTest
  @EnumSource
  void noReadMissesAnAcknowledgedWriteWhereverTheCommandDies(Way way) throws Exception {
    List<Death> deaths = new ArrayList<>();
    boolean isOver = false;
    while (!isOver) {
      Death death = dying(way, deaths.size() + 1);
      deaths.add(death);
      Stage stage = registry.migrations().get(death.table).orElseThrow().value().stage();
      isOver = stage == way.end;
      if (!isOver) {
        reopenFirstRegion(death.process.changed());
      }
      death.rows.read();
    }
    // The pause in which all descriptors are changed that have to be.
    assertThat(deaths.size()).isGreaterThanOrEqualTo(5);
    long fenced = System.nanoTime();
    await()
        .atMost(GuardMode.FENCE.multipliedBy(2))
        .until(() -> System.nanoTime() - fenced > GuardMode.FENCE.toNanos());
    for (Death death : deaths) {
      try (AcknowledgedRows rows = death.rows) {
        rows.write();
        rows.read();
        try (Migrator migrator =
            Migrator.resume(plain, registry, death.table, settings(), MigrationListener.NONE)) {
          assertThat(migrator.run().stage()).as("%s", death.table).isEqualTo(way.end);
        }
        await().atMost(Duration.ofMinutes(1)).until(() -> rows.write() == AcknowledgedRows.ROWS);
        await().atMost(Duration.ofMinutes(1)).until(() -> rows.read() == 0);
      }
    }
  }

  @Test
  void aMigrationThatDiedWhileItFinishedIsNotRolledBack() throws Exception {
    LoadedTable.create(plain, name);
    run(MigrationPlan.of(name, LoadedTable.TO).by(Migration.By.PUTS).aimFor(Stage.SWITCHED));
    MortalConnection process = new MortalConnection(plain);
    try (Migrator dying =
        Migrator.resume(process.connection(), registry, name, settings(), MigrationListener.NONE)) {
      dying.aimFor(Stage.FINISHED);
      process.diesAfter(1);
      dying.run();
    } catch (Killed e) {
      // Clients write rows that get no marks.
    }
    try (AcknowledgedRows rows = new AcknowledgedRows(plain, name, Way.ROLLBACK.left(), PATIENCE);
        Migrator next =
            Migrator.resume(plain, registry, name, settings(), MigrationListener.NONE)) {
      rows.write();
      assertThatThrownBy(() -> next.aimFor(Stage.ROLLED_BACK))
          .isInstanceOf(MigrationException.class)
          .hasMessageContaining(
              "migration cannot reach this goal from its stage: table="
                  + name
                  + " stage=finishing");
      assertThat(next.run().stage()).isEqualTo(Stage.FINISHED);
      assertThat(rows.read()).isZero();
    }
  }
}
