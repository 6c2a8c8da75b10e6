/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.internal.registry.Versioned;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.jobs.Tables;
import io.evenkey.jobs.index.IndexAddition;
import io.evenkey.jobs.index.IndexListener;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.jobs.migration.row.NextKeys;
import io.evenkey.jobs.schedule.Life;
import io.evenkey.jobs.schedule.Seeds;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.index.IndexParser;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Migrations of a replicated table, whose commands are interrupted at any moment, while clients put
 * and delete rows and read them on both clusters, and while both clusters lose servers, regions
 * move and split, and replication stops and sends its logs again. See {@link Seeds}. In the end
 * both clusters have all that was acknowledged; or the peer takes over at any moment, and no row of
 * it goes back behind what had arrived.
 */
@Tag("ci")
class PeerScheduleIT {
  private static final String ID = "b";
  private static final int WRITERS = 2;
  private static final int WRITES = 100;
  private static final int MOST_LIVES = 40;
  private static final int MOST_INTERRUPTED = 3;
  private static final int LONGEST_LIFE_MS = 5_000;

  /** Compactions keep tombstones: a log that is sent again would bring the rows back for a time. */
  private static final Map<String, String> SETTINGS =
      Map.of("hbase.hstore.time.to.purge.deletes", "3600000");

  /** What the migration changes, and how many events of its commands there are about. */
  private enum Change {
    SPREAD(60),
    KEY(60),
    STEP_WITH_REWRITING(60),
    STEP(20);

    private final int events;

    Change(int events) {
      this.events = events;
    }

    MigrationPlan plan(TableName name) {
      return switch (this) {
        case SPREAD -> MigrationPlan.of(name, Layout.parse("salt(3) + id:int64"));
        case KEY ->
            MigrationPlan.of(name, KeyChangeTraffic.BY_CUSTOMER)
                .changingKey(IndexParser.columns(KeyChangeTraffic.CUSTOMER_COLUMN));
        case STEP_WITH_REWRITING ->
            MigrationPlan.of(name, Layout.parse("salt(4; 8 from id 50) + id:int64"))
                .rewriting(MigrationPlan.Rewriting.FROM_STEP);
        case STEP ->
            MigrationPlan.of(
                name,
                Layout.parse("salt(4; 8 from id " + KeyChangeTraffic.BEYOND + ") + id:int64"));
      };
    }
  }

  private static final TableIndex BY_AMOUNT =
      TableIndex.parse("by_amount mutable joining as \"salt(2) + a:string\" from a=d:amount");

  /** What an operator does again when the fault is over. */
  private static final List<String> OF_FAULTS =
      List.of("peer is disabled", "replication has not brought all rows");

  @TempDir private static Path directory;
  private PeerCluster source;
  private PeerCluster peer;
  private int interrupted;
  private int refused;
  private int takeovers;
  private int sourceKills;
  private int peerKills;
  private long decided;
  private long arrived;

  @Test
  void noRowIsLostOnEitherCluster() throws Exception {
    Seeds seeds = Seeds.of(105, 1, 200);
    try (PeerCluster b = PeerCluster.start(directory, "b", 2, SETTINGS);
        PeerCluster a = PeerCluster.start(directory, "a", 2, SETTINGS)) {
      peer = b;
      source = a;
      seeds.each(this::run);
    }
    assertThat(arrived).isPositive();
  }

  private void run(long seed) throws Exception {
    long begun = System.nanoTime();
    TableName name = TableName.valueOf("peer_" + seed);
    for (PeerCluster cluster : List.of(peer, source)) {
      cluster.create(name, KeyChangeTraffic.BY_NUMBER);
    }
    source.replicateTo(peer, ID);
    try (Run run = new Run(name, new SplittableRandom(seed))) {
      run.run();
      System.out.printf(
          "seed %d: %s s=%d; up to here %d commands interrupted, %d refused, %d servers of the source"
              + " and %d of the peer killed, %d takeovers; %,d rows of reads at the source decided,"
              + " and %,d at the peer%n",
          seed,
          run,
          (System.nanoTime() - begun) / 1_000_000_000,
          interrupted,
          refused,
          sourceKills,
          peerKills,
          takeovers,
          decided,
          arrived);
    } finally {
      source.endReplication(ID);
      Tables.dropGenerations(source.plain(), name);
      Tables.dropGenerations(peer.plain(), name);
    }
  }

  /** One table. */
  private final class Run implements AutoCloseable {
    private final TableName name;
    private final SplittableRandom random;
    private final Change change;
    private final boolean isIndexed;
    private final boolean switches;
    private final Stage end;
    private final @Nullable Stage endOfRenaming;
    private final int lastEvent;
    private final boolean finishesAlone;
    private final MigrationPlan plan;
    private final KeyChangeTraffic here;
    private final KeyChangeTraffic there;
    private final PeerFaults faults;
    private final PeerApplication application;
    private int events;
    private boolean isLost;
    private @Nullable Throwable last;

    Run(TableName name, SplittableRandom random) throws IOException {
      this.name = name;
      this.random = random;
      // All that decides how the schedule ends is drawn first.
      this.change = List.of(Change.values()).get(random.nextInt(Change.values().length));
      this.isIndexed = random.nextBoolean() && change != Change.KEY;
      this.switches = random.nextInt(4) > 0;
      boolean finishes = switches && (random.nextBoolean() || change == Change.STEP);
      this.end = finishes ? Stage.FINISHED : Stage.ROLLED_BACK;
      boolean renames = random.nextBoolean() && finishes && change != Change.STEP;
      Stage last = random.nextInt(3) == 0 ? Stage.ROLLED_BACK : Stage.FINISHED;
      this.endOfRenaming = renames ? last : null;
      int event = 1 + random.nextInt(change.events);
      this.lastEvent = random.nextBoolean() ? event : Integer.MAX_VALUE;
      this.finishesAlone = random.nextBoolean();
      this.plan = change.plan(name);
      this.here = KeyChangeTraffic.keepingKeys(source.plain(), name);
      this.there = KeyChangeTraffic.byFields(peer.plain(), name);
      this.application = new PeerApplication(here.arrivals(), random.split());
      TableName next = Migration.next(name, name);
      this.faults =
          new PeerFaults(
              source, peer, ID, List.of(name, next, NextKeys.table(next)), random.split());
    }

    void run() throws Exception {
      for (int i = 0; i < WRITERS; i++) {
        here.start(random.nextLong());
      }
      here.startReader();
      there.begin("application", application::readAndWrite);
      here.awaitWrites(WRITES);
      if (isIndexed) {
        new IndexAddition(name, BY_AMOUNT, 2, 0)
            .run(source.plain(), source.registry(), IndexListener.NONE);
      }
      faults.start();
      Stage first = change == Change.STEP ? Stage.FINISHED : Stage.SWITCHED;
      if (switches) {
        aimFor(first, false);
      } else {
        live(1 + random.nextInt(LONGEST_LIFE_MS), () -> command(first, false));
      }
      aimFor(end, false);
      if (endOfRenaming != null) {
        aimFor(Stage.SWITCHED, true);
        aimFor(endOfRenaming, true);
      }
      if (lastEvent == Integer.MAX_VALUE) {
        finish();
      } else {
        takeOver();
      }
      arrived += here.arrivals().decided();
      sourceKills += faults.kills(source);
      peerKills += faults.kills(peer);
    }

    /** All is sent. */
    private void finish() throws Exception {
      faults.close();
      here.goBeyond();
      here.awaitWrites(WRITES);
      here.stop();
      try (SpreadTables ours = KeyChangeTraffic.tablesByFields(source.plain());
          SpreadTables theirs = KeyChangeTraffic.tablesByFields(peer.plain())) {
        decided += here.check(ours.open(name));
        PeerCluster.awaitSame(ours, theirs, name);
        source.awaitAllSent();
        there.stop();
        check(source, ours.open(name));
        check(peer, theirs.open(name));
        assertThat(theirs.open(name).layout()).isEqualTo(ours.open(name).layout());
        if (isIndexed) {
          try (KeyedRows rows = ours.open(name).select().by(BY_AMOUNT.name()).open()) {
            assertThat(rows).hasSameSizeAs(KeyChangeTraffic.found(ours.open(name)));
          }
        }
      }
      assertThat(isMigrated(peer)).isFalse();
    }

    private void check(PeerCluster cluster, SpreadTable table) throws IOException {
      here.arrivals().check(KeyChangeTraffic.found(table));
      Migration migration = cluster.migration(name);
      boolean isNext =
          migration != null
              && (migration.kind() instanceof Kind.Renaming || migration.stage() == Stage.FINISHED);
      assertThat(table.layout()).isEqualTo(isNext ? plan.layout() : KeyChangeTraffic.BY_NUMBER);
    }

    /** The source is lost. */
    private void takeOver() throws Exception {
      takeovers++;
      faults.loseSource();
      here.die();
      source.endReplication(ID);
      application.write();
      for (int number = 0; isMigrated(peer); number++) {
        assertThat(number).as("lives: %s", last).isLessThan(MOST_LIVES);
        live(lifeMs(number), this::endAlone);
      }
      faults.close();
      application.awaitWrites(there, WRITES);
      there.stop();
      try (SpreadTables theirs = KeyChangeTraffic.tablesByFields(peer.plain())) {
        check(peer, theirs.open(name));
      }
    }

    private boolean isMigrated(PeerCluster cluster) throws IOException {
      Stage stage = cluster.stage(name);
      return stage != null && !stage.isOver();
    }

    /** The command that ends the migration on the peer. */
    private boolean endAlone() throws IOException {
      return Life.withRegistry(
          peer.plain().getConfiguration(),
          registry -> {
            Migration migration = registry.migrations().get(name).orElseThrow().value();
            if (finishesAlone || migration.stage().usesTarget()) {
              Migrator.continueAlone(peer.plain(), registry, name);
            }
            try (Migrator migrator = resume(peer, registry, MigrationListener.NONE)) {
              boolean isBack = !finishesAlone || migration.isGoingBack();
              Stage goal = isBack ? Stage.ROLLED_BACK : Stage.FINISHED;
              boolean isPossible = Transitions.find(migrator.migration(), goal).isPresent();
              migrator.aimFor(isPossible ? goal : Stage.FINISHED);
              return migrator.run().stage().isOver();
            }
          });
    }

    /** Commands that are interrupted, until one comes to the goal, or the source is lost. */
    private void aimFor(Stage goal, boolean isRenaming) throws Exception {
      for (int number = 0; !isLost; number++) {
        assertThat(number).as("lives: goal=%s last=%s", goal, last).isLessThan(MOST_LIVES);
        if (live(lifeMs(number), () -> command(goal, isRenaming))) {
          return;
        }
      }
    }

    private int lifeMs(int number) {
      return number < MOST_INTERRUPTED ? 1 + random.nextInt(LONGEST_LIFE_MS) : 0;
    }

    private boolean live(int lifeMs, Callable<Boolean> command) throws Exception {
      CompletableFuture<Boolean> result = Life.run(lifeMs, command);
      here.writes();
      there.writes();
      faults.check();
      try {
        return result.get();
      } catch (ExecutionException e) {
        last = e.getCause();
        if (isOfFault(last)) {
          refused++;
          await().atMost(Duration.ofMinutes(2)).until(source::isLinked);
        } else if (last instanceof Killed || lifeMs > 0 && !(last instanceof MigrationException)) {
          interrupted++;
        } else {
          throw e;
        }
        return false;
      }
    }

    private static boolean isOfFault(Throwable failure) {
      return OF_FAULTS.stream().anyMatch(String.valueOf(failure.getMessage())::contains);
    }

    private boolean command(Stage goal, boolean isRenaming) throws IOException {
      return Life.withRegistry(
          source.plain().getConfiguration(),
          registry -> {
            try (Migrator migrator = migrator(registry, isRenaming)) {
              Migration now = migrator.migration();
              boolean isTaken =
                  now.kind() instanceof Kind.StepInPlace && Transitions.find(now, goal).isEmpty();
              Stage possible = isTaken ? Stage.FINISHED : goal;
              if (!now.stage().isOver() && now.goal() != possible) {
                migrator.aimFor(possible);
              }
              return migrator.run().stage() == possible;
            }
          });
    }

    private Migrator migrator(Registry registry, boolean isRenaming) throws IOException {
      Migration begun = registry.migrations().get(name).map(Versioned::value).orElse(null);
      if (begun != null && (!isRenaming || begun.kind() instanceof Kind.Renaming)) {
        return resume(source, registry, listener);
      }
      return isRenaming
          ? Migrator.rename(source.plain(), registry, name, settings(), listener)
          : Migrator.begin(source.plain(), registry, plan, settings(), listener);
    }

    private Migrator resume(PeerCluster cluster, Registry registry, MigrationListener told)
        throws IOException {
      return Migrator.resume(cluster.plain(), registry, name, settings(), told);
    }

    private static MigrationSettings settings() {
      return new MigrationSettings(new org.apache.hadoop.fs.Path(directory.toUri()), 10_000);
    }

    /** Loses the source when so much has happened. */
    private final MigrationListener listener =
        new MigrationListener() {
          @Override
          public void stage(Migration migration) {
            if (migration.stage() == Stage.CLOSING) {
              here.goBeyond();
            }
            happened();
          }

          @Override
          public void peerStage(String id, Migration migration) {
            happened();
          }

          @Override
          public void progress(double share, long rows) {
            happened();
          }

          private void happened() {
            events++;
            if (events == lastEvent) {
              isLost = true;
              throw new Killed();
            }
          }
        };

    @Override
    public void close() throws IOException {
      try (here;
          there) {
        faults.close();
      }
    }

    @Override
    public String toString() {
      return "%s%s %s end=%s renaming=%s events=%d%s%s"
          .formatted(
              change,
              isIndexed ? " indexed" : "",
              switches ? "switches" : "does not switch",
              end,
              endOfRenaming,
              events,
              isLost ? " taken over" : "",
              lastEvent == Integer.MAX_VALUE ? "" : " last event " + lastEvent);
    }
  }
}
