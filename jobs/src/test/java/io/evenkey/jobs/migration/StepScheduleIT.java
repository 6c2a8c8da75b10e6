/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.SpreadTables;
import io.evenkey.client.failure.MigrationConflictException;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.jobs.schedule.Life;
import io.evenkey.jobs.schedule.Seeds;
import io.evenkey.jobs.schedule.SlowPass;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Steps of salts that are interrupted at moments that a seed says, in the middle of whatever they
 * do, and resumed or rolled back, while clients write on both sides of the step and regions move:
 * every client finds what was acknowledged. See {@link Seeds}.
 */
@Tag("ci")
@ExtendWith(EmbeddedHBaseExtension.class)
class StepScheduleIT {
  private static final int MOST_LIVES = 30;
  private static final int LONGEST_LIFE_MS = 3_000;
  private static final int MOST_SLOW = 2;
  private static final List<String> KEYS =
      List.of(
          "salt(4%s) + no:int64 + device:string", "salt(4, device%s) + device:string + no:int64");

  @TempDir private Path directory;
  private int kills;
  private int finished;
  private int outlasted;
  private long decided;

  @Test
  void schedulesKeepAllWrites(Connection plain) {
    Seeds seeds = Seeds.of(20_261_124, 1, 200);
    seeds.each(seed -> run(plain, seed));
    System.out.printf(
        "%d steps from seed %d: %d runs killed, %d scans held rows for long, %d steps taken, the"
            + " others rolled back; %d rows of reads decided%n",
        seeds.count(), seeds.first(), kills, outlasted, finished, decided);
    assertThat(decided).isPositive();
  }

  private void run(Connection plain, long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    TableName name = TableName.valueOf("step_" + seed);
    String keys = KEYS.get(random.nextInt(KEYS.size()));
    Layout before = Layout.parse(keys.formatted(""));
    Layout after = Layout.parse(keys.formatted("; 8 from no " + StepTraffic.STEP));
    boolean back = random.nextBoolean();
    try (SpreadTables tables = SpreadTables.on(plain)) {
      tables.create(name, before, before.splits(4), List.of("d"));
    }
    try (StepTraffic traffic = new StepTraffic(plain, name, before)) {
      traffic.start(random.nextLong());
      traffic.start(random.nextLong());
      traffic.startReader();
      Stage end = lives(plain, name, after, back, traffic, random);
      finished += end == Stage.FINISHED ? 1 : 0;
      // After a rollback too, rows at and after the step are written.
      traffic.goBeyond();
      long writes = traffic.writes();
      await()
          .atMost(Duration.ofMinutes(2))
          .until(
              () -> {
                traffic.isWell();
                return traffic.writes() > writes + 100;
              });
      decided += traffic.check();
      try (Admin admin = plain.getAdmin()) {
        assertThat(TableLayout.of(admin.getDescriptor(name)))
            .isEqualTo(end == Stage.FINISHED ? after : before);
        admin.disableTable(name);
        admin.deleteTable(name);
      }
    }
  }

  /** Runs that are interrupted, until one comes to the end. */
  private Stage lives(
      Connection plain,
      TableName name,
      Layout after,
      boolean back,
      StepTraffic traffic,
      SplittableRandom random)
      throws Exception {
    int slow = 0;
    for (int number = 0; number < MOST_LIVES; number++) {
      boolean isSlow = slow < MOST_SLOW && random.nextInt(3) == 0;
      int lifeMs = number < MOST_LIVES / 2 && !isSlow ? 1 + random.nextInt(LONGEST_LIFE_MS) : 0;
      boolean goesBack = back && number > 0;
      SlowScan scan = isSlow ? new SlowScan(traffic, random.nextBoolean()) : null;
      slow += isSlow ? 1 : 0;
      CompletableFuture<Stage> end =
          Life.run(lifeMs, () -> life(plain, name, after, goesBack, traffic, scan));
      if (!end.isCompletedExceptionally()) {
        return end.get();
      }
      kills++;
      traffic.isWell();
      if (random.nextInt(3) == 0) {
        move(plain, name, random);
      }
    }
    throw new AssertionError("step did not end: table=" + name);
  }

  /** The scan for which rows are held takes longer than a fence would; the run may end then. */
  private final class SlowScan {
    private final StepTraffic traffic;
    private final boolean kills;

    SlowScan(StepTraffic traffic, boolean kills) {
      this.traffic = traffic;
      this.kills = kills;
    }

    void hold() {
      SlowPass.outlast(traffic::writes);
      outlasted++;
      if (kills) {
        throw new IllegalStateException("killed while rows were held");
      }
    }
  }

  private Stage life(
      Connection plain,
      TableName name,
      Layout after,
      boolean back,
      StepTraffic traffic,
      @Nullable SlowScan scan)
      throws IOException {
    MigrationSettings settings =
        new MigrationSettings(new org.apache.hadoop.fs.Path(directory.toUri()), 10_000);
    MigrationListener listener =
        new MigrationListener() {
          private boolean isHeld;

          @Override
          public void stage(Migration migration) {
            isHeld = migration.stage() == Stage.VERIFYING;
            if (migration.stage() == Stage.CLOSING) {
              traffic.goBeyond();
            }
          }

          @Override
          public void progress(double share, long rows) {
            if (scan != null && isHeld) {
              isHeld = false;
              scan.hold();
            }
          }
        };
    try (Registry registry = Registry.open(plain.getConfiguration());
        Migrator migrator = migrator(plain, registry, name, after, settings, listener)) {
      Stage now = migrator.migration().stage();
      if (back && now != Stage.SWITCHING && !now.isOver()) {
        migrator.aimFor(Stage.ROLLED_BACK);
      }
      return migrator.run().stage();
    }
  }

  private static Migrator migrator(
      Connection plain,
      Registry registry,
      TableName name,
      Layout after,
      MigrationSettings settings,
      MigrationListener listener)
      throws IOException {
    try {
      return registry.migrations().get(name).isPresent()
          ? Migrator.resume(plain, registry, name, settings, listener)
          : Migrator.begin(plain, registry, MigrationPlan.of(name, after), settings, listener);
    } catch (MigrationConflictException e) {
      throw new IOException("the run before holds its lock", e);
    }
  }

  private static void move(Connection plain, TableName name, SplittableRandom random)
      throws IOException {
    try (Admin admin = plain.getAdmin()) {
      List<RegionInfo> regions = admin.getRegions(name);
      admin.move(regions.get(random.nextInt(regions.size())).getEncodedNameAsBytes());
    } catch (DoNotRetryIOException refused) {
      // The region is being split: this fault does not happen.
    }
  }
}
