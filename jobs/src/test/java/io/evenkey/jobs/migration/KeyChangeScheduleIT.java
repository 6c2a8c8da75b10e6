/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.jobs.Tables;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.jobs.migration.row.NextKeys;
import io.evenkey.jobs.migration.row.RowRepairs;
import io.evenkey.jobs.schedule.Life;
import io.evenkey.jobs.schedule.RegionFaults;
import io.evenkey.jobs.schedule.Seeds;
import io.evenkey.jobs.schedule.SlowPass;
import io.evenkey.protocol.index.IndexParser;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tables that get another row key, and some of them the one before again, by commands that are
 * interrupted at any moment, while clients put, move and delete rows and read the table, and while
 * regions move, split and lose their servers. See {@link Seeds}. No read misses a row, returns one
 * twice, or by another key than its columns give.
 */
@Tag("ci")
class KeyChangeScheduleIT {
  private static final int WRITERS = 3;
  private static final int WRITES = 200;
  private static final int MOST_LIVES = 30;
  private static final int MOST_INTERRUPTED = 8;
  private static final int LONGEST_LIFE_MS = 6_000;
  private static final int MOST_SLOW = 2;

  @TempDir private Path directory;
  private int interrupted;
  private int refused;
  private int finished;
  private int outlasted;
  private long decided;

  @Test
  void rowsAreThereOnceByTheRightKeyWhateverDies() throws Exception {
    Seeds seeds = Seeds.of(20_261_127, 1, 200);
    try (EmbeddedHBase hbase = EmbeddedHBase.temporary().servers(3).start()) {
      seeds.each(seed -> run(hbase, seed));
    }
    System.out.printf(
        "%d changes of the key from seed %d: %d commands interrupted, %d rollbacks refused, %d"
            + " last passes outlasted a fence; %d changes finished, the others rolled back; %d rows"
            + " of reads decided%n",
        seeds.count(), seeds.first(), interrupted, refused, outlasted, finished, decided);
    assertThat(decided).isPositive();
  }

  private void run(EmbeddedHBase hbase, long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    TableName name = TableName.valueOf("key_" + seed);
    List<Migration.By> ways = List.of(Migration.By.values());
    MigrationPlan plan =
        MigrationPlan.of(name, KeyChangeTraffic.BY_CUSTOMER)
            .changingKey(IndexParser.columns(KeyChangeTraffic.CUSTOMER_COLUMN))
            .by(ways.get(random.nextInt(ways.size())))
            .aimFor(Stage.SWITCHED);
    boolean switches = random.nextInt(4) > 0;
    Stage end = switches && random.nextBoolean() ? Stage.FINISHED : Stage.ROLLED_BACK;
    try (SpreadTables tables = SpreadTables.on(hbase.connection())) {
      tables.create(
          name, KeyChangeTraffic.BY_NUMBER, KeyChangeTraffic.BY_NUMBER.splits(4), List.of("d"));
    }
    try (KeyChangeTraffic traffic = KeyChangeTraffic.byFields(hbase.connection(), name);
        SpreadTables open = KeyChangeTraffic.tablesByFields(hbase.connection())) {
      for (int i = 0; i < WRITERS; i++) {
        traffic.start(random.nextLong());
      }
      traffic.startReader();
      traffic.awaitWrites(WRITES);
      Run run = new Run(hbase, plan, traffic, random);
      if (switches) {
        run.aimFor(Stage.SWITCHED);
        traffic.awaitWrites(WRITES);
      } else {
        run.live(Stage.SWITCHED, 1 + random.nextInt(LONGEST_LIFE_MS), MigrationListener.NONE);
      }
      run.aimFor(end);
      finished += end == Stage.FINISHED ? 1 : 0;
      long since = System.currentTimeMillis();
      traffic.awaitWrites(WRITES);
      traffic.stop();
      SpreadTable table = open.open(name);
      decided += traffic.check(table);
      assertThat(table.layout())
          .isEqualTo(end == Stage.FINISHED ? plan.layout() : KeyChangeTraffic.BY_NUMBER);
      checkNothingIsLeft(hbase.connection(), name, end, since);
    } finally {
      Tables.dropGenerations(hbase.connection(), name);
    }
  }

  private void checkNothingIsLeft(Connection plain, TableName name, Stage end, long since)
      throws IOException {
    TableName target = Migration.next(name, name);
    try (Admin admin = plain.getAdmin()) {
      assertThat(admin.tableExists(NextKeys.table(target))).isFalse();
      assertThat(admin.tableExists(target)).isEqualTo(end == Stage.FINISHED);
      assertThat(admin.listSnapshots()).isEmpty();
    }
    assertThat(directory.resolve(name.getNameAsString()))
        .satisfiesAnyOf(
            none -> assertThat(none).doesNotExist(), empty -> assertThat(empty).isEmptyDirectory());
    try (Table table = plain.getTable(end == Stage.FINISHED ? target : name);
        ResultScanner rows =
            table.getScanner(
                new Scan().setRaw(true).readAllVersions().setTimeRange(since, Long.MAX_VALUE))) {
      for (Result row : rows) {
        for (Cell cell : row.rawCells()) {
          assertThat(RowRepairs.isMark(cell)).as("a mark after the end: " + cell).isFalse();
        }
      }
    }
  }

  /** The commands of one migration. */
  private final class Run {
    private final EmbeddedHBase hbase;
    private final MigrationPlan plan;
    private final KeyChangeTraffic traffic;
    private final SplittableRandom random;
    private final MigrationSettings settings;
    private final List<TableName> tables;

    /** Why the last rollback was refused. */
    private @Nullable Throwable last;

    private int slow;

    Run(
        EmbeddedHBase hbase,
        MigrationPlan plan,
        KeyChangeTraffic traffic,
        SplittableRandom random) {
      this.hbase = hbase;
      this.plan = plan;
      this.traffic = traffic;
      this.random = random;
      TableName target = Migration.next(plan.table(), plan.table());
      this.tables = List.of(plan.table(), target, NextKeys.table(target));
      this.settings =
          new MigrationSettings(
              new org.apache.hadoop.fs.Path(
                  directory.resolve(plan.table().getNameAsString()).toUri()),
              10_000);
    }

    /** Commands that are interrupted, until one comes to the goal. */
    void aimFor(Stage goal) throws Exception {
      for (int number = 0; number < MOST_LIVES; number++) {
        boolean isSlow = slow < MOST_SLOW && random.nextInt(3) == 0;
        slow += isSlow ? 1 : 0;
        int lifeMs = number < MOST_INTERRUPTED && !isSlow ? 1 + random.nextInt(LONGEST_LIFE_MS) : 0;
        if (live(
            goal,
            lifeMs,
            isSlow ? new SlowLastPass(random.nextBoolean()) : MigrationListener.NONE)) {
          return;
        }
      }
      throw new AssertionError(
          "migration did not end: table=" + plan.table() + " goal=" + goal, last);
    }

    /**
     * Runs a command, interrupts it after a time, and has a fault happen.
     *
     * @param lifeMs 0 for never
     * @return whether it came to its goal
     */
    boolean live(Stage goal, int lifeMs, MigrationListener listener) throws Exception {
      CompletableFuture<Stage> end = Life.run(lifeMs, () -> command(goal, listener));
      traffic.writes();
      RegionFaults.one(hbase, tables, random);
      try {
        return end.get() == goal;
      } catch (ExecutionException e) {
        if (isOfTwoRows(e.getCause())) {
          refused++;
          last = e.getCause();
        } else if (lifeMs > 0 || e.getCause() instanceof Killed) {
          interrupted++;
        } else {
          throw e;
        }
        return false;
      }
    }

    // A client was giving a row another key, so that it had both for a moment.
    private static boolean isOfTwoRows(Throwable failure) {
      return failure instanceof MigrationException
          && failure.getMessage().contains("another row has the same old key");
    }

    /** The last pass takes longer than writes pause; the command may be killed then. */
    private final class SlowLastPass implements MigrationListener {
      private final boolean kills;
      private boolean isPaused;

      SlowLastPass(boolean kills) {
        this.kills = kills;
      }

      @Override
      public void stage(Migration migration) {
        // Not of interest.
      }

      @Override
      public void pausing(Duration expected) {
        isPaused = true;
      }

      @Override
      public void paused(Duration pause) {
        isPaused = false;
      }

      @Override
      public void progress(double share, long rows) {
        if (isPaused) {
          isPaused = false;
          SlowPass.outlast(traffic::writes);
          outlasted++;
          if (kills) {
            throw new Killed();
          }
        }
      }
    }

    private Stage command(Stage goal, MigrationListener listener) throws IOException {
      return Life.withRegistry(
          hbase.connection().getConfiguration(),
          registry -> {
            try (Migrator migrator = migrator(registry, listener)) {
              Migration now = migrator.migration();
              if (!now.stage().isOver() && now.goal() != goal) {
                migrator.aimFor(goal);
              }
              return migrator.run().stage();
            }
          });
    }

    private Migrator migrator(Registry registry, MigrationListener listener) throws IOException {
      Connection plain = hbase.connection();
      return registry.migrations().get(plan.table()).isPresent()
          ? Migrator.resume(plain, registry, plan.table(), settings, listener)
          : Migrator.begin(plain, registry, plan, settings, listener);
    }
  }
}
