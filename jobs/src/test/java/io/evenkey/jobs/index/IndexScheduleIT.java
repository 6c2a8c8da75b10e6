/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.jobs.Tables;
import io.evenkey.jobs.history.Breach;
import io.evenkey.jobs.history.Verdict;
import io.evenkey.jobs.schedule.Life;
import io.evenkey.jobs.schedule.RegionFaults;
import io.evenkey.jobs.schedule.Seeds;
import io.evenkey.protocol.index.IndexState;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Indexes that are added, verified with repair, and dropped, by commands that are interrupted at
 * any moment, while clients put and delete rows and read the index, processes that write are
 * killed, and regions move, split and lose their servers. See {@link Seeds}. No read of the index
 * misses a row, returns one twice by one value, out of order, or by a value that it did not have.
 */
@Tag("ci")
class IndexScheduleIT {
  private static final int USUAL_COUNT = 1;
  private static final int DEEP_COUNT = 200;
  private static final int COMMANDS = 6;
  private static final int LONGEST_LIFE_MS = 2_500;
  private final LongAdder passed = new LongAdder();
  private final LongAdder interrupted = new LongAdder();
  private final LongAdder killed = new LongAdder();
  private final LongAdder decided = new LongAdder();

  @Test
  void readsOfAnIndexOfEventsAreRightWhateverDies() throws Exception {
    run(IndexTraffic.EVENTS);
  }

  @Test
  void readsOfSettledEntriesAreRightWhateverDies() throws Exception {
    run(IndexTraffic.APPEND_ONLY);
  }

  @Test
  void readsOfAnIndexOfMutableRowsAreRightWhateverDies() throws Exception {
    run(IndexTraffic.MUTABLE);
  }

  private void run(TableIndex index) throws Exception {
    Seeds seeds = Seeds.of(20_261_201, USUAL_COUNT, DEEP_COUNT);
    try (EmbeddedHBase hbase = EmbeddedHBase.temporary().servers(3).start()) {
      seeds.eachAtOnce(1, seed -> run(hbase, index, seed));
    } finally {
      System.out.printf(
          "%d of %d schedules of %s from seed %d passed: %d commands interrupted, %d writers killed,"
              + " %d rows of reads decided%n",
          passed.sum(),
          seeds.count(),
          index.protocol(),
          seeds.first(),
          interrupted.sum(),
          killed.sum(),
          decided.sum());
    }
    assertThat(decided.sum()).isPositive();
    assertThat(killed.sum()).isPositive();
  }

  private void run(EmbeddedHBase hbase, TableIndex index, long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    Connection plain = hbase.connection();
    TableName name = TableName.valueOf("schedule_" + seed);
    TableName entries = TableName.valueOf(name + ".by_customer");
    try (SpreadTables tables = SpreadTables.on(plain)) {
      tables.create(name, IndexTraffic.LAYOUT, IndexTraffic.LAYOUT.splits(4), List.of("d"));
    }
    try (IndexTraffic traffic = new IndexTraffic(plain, name, index, random.split())) {
      for (int command = 0; command < COMMANDS; command++) {
        int kind = random.nextInt(4);
        int lifeMs = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(LONGEST_LIFE_MS);
        live(lifeMs, () -> command(plain, name, index, kind));
        traffic.isWell();
        RegionFaults.one(hbase, List.of(name, entries), random);
      }
      live(0, () -> command(plain, name, index, 0));
      int writes = traffic.writes();
      int reads = traffic.reads();
      await()
          .atMost(Duration.ofMinutes(3))
          .until(
              () -> {
                traffic.isWell();
                return traffic.writes() > writes + 200
                    && traffic.reads() > reads + 2
                    && traffic.killed() > 0;
              });
      traffic.stop();
      traffic.isWell();
      check(plain, name, traffic);
    }
    drop(plain, name);
  }

  /** So that a server that is killed later does not leave the regions of all seeds before. */
  private static void drop(Connection plain, TableName name) throws IOException {
    try (Registry registry = Registry.open(plain.getConfiguration())) {
      IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE);
    }
    Tables.dropGenerations(plain, name);
  }

  private void check(Connection plain, TableName name, IndexTraffic traffic) throws Exception {
    assertThat(traffic.read()).isEqualTo(traffic.ofTable());
    killed.add(traffic.killed());
    try (Registry registry = Registry.open(plain.getConfiguration())) {
      IndexReport found = verify(plain, registry, name, true);
      assertThat(found.found().missing()).isZero();
      IndexReport swept = verify(plain, registry, name, false);
      assertThat(swept.found().stale()).isZero();
      assertThat(swept.entries()).isEqualTo(traffic.read().size());
    }
    Verdict verdict = traffic.verdict();
    List<String> stored = new ArrayList<>();
    for (Breach breach : verdict.breaches()) {
      stored.add(traffic.stored(breach.row()));
    }
    assertThat(verdict.breaches()).as("of rows %s", stored).isEmpty();
    decided.add(verdict.decided());
    passed.increment();
  }

  private static IndexReport verify(
      Connection plain, Registry registry, TableName name, boolean repair) throws IOException {
    return IndexVerification.run(plain, registry, name, "by_customer", repair, IndexListener.NONE);
  }

  @FunctionalInterface
  private interface Command {
    void run() throws Exception;
  }

  /** Runs a command, and interrupts it after a time; 0 for never. */
  private void live(int lifeMs, Command command) throws Exception {
    CompletableFuture<Boolean> end =
        Life.run(
            lifeMs,
            () -> {
              command.run();
              return true;
            });
    if (end.isCompletedExceptionally() && lifeMs > 0) {
      interrupted.increment();
    } else {
      end.get();
    }
  }

  /** Adds the index or goes on with that; or verifies and repairs it, or drops it, as it is now. */
  private static void command(Connection plain, TableName name, TableIndex index, int kind)
      throws IOException {
    try (Registry registry = Registry.open(plain.getConfiguration())) {
      IndexState state = state(plain, name);
      boolean begun = registry.indexes().get(name, "by_customer").isPresent();
      if (kind == 3 && begun || state == IndexState.CLOSING || state == null && begun) {
        IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE);
        state = null;
      }
      if (state == IndexState.PUBLIC) {
        assertThat(verify(plain, registry, name, true).found().missing()).isZero();
      } else if (kind != 3) {
        new IndexAddition(name, index, 0, 0).run(plain, registry, IndexListener.NONE);
      }
    }
  }

  private static IndexState state(Connection plain, TableName name) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return TableLayout.indexes(admin.getDescriptor(name))
          .get("by_customer")
          .map(TableIndex::state)
          .orElse(null);
    }
  }
}
