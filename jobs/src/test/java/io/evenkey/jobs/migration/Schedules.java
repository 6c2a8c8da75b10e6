/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.internal.registry.Migration;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.jobs.schedule.Seeds;
import java.nio.file.Path;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Runs {@link Schedule}s, several at a time, while ZooKeeper is away again and again. See {@link
 * Seeds}; {@code -Devenkey.at.once=N} for how many at a time. A schedule that fails prints its
 * seed.
 */
final class Schedules {
  private static final int DEEP_COUNT = 200;
  private static final int AT_ONCE = 4;

  private final EmbeddedHBase hbase;
  private final Path directory;
  private final Migration.Fence fence;
  private final Seeds seeds;

  /**
   * @param usualFirst the first seed, unless the property says so. One of the usual seeds must end
   *     with a finished migration, and one with a migration that is rolled back, wherever the time
   *     that each step takes puts the faults.
   * @param usualCount their number, unless the property or the profile {@code deep} sets another
   */
  Schedules(
      EmbeddedHBase hbase, Path directory, Migration.Fence fence, long usualFirst, int usualCount) {
    this.hbase = hbase;
    this.directory = directory;
    this.fence = fence;
    this.seeds = Seeds.of(usualFirst, usualCount, DEEP_COUNT);
  }

  /** Runs them; none may lose anything. */
  void run() throws Exception {
    Collection<Schedule.Outcome> ended = new ConcurrentLinkedQueue<>();
    try (Outages outages = new Outages(hbase, seeds.first())) {
      seeds.eachAtOnce(
          AT_ONCE,
          seed -> ended.add(new Schedule(hbase.connection(), seed, directory, fence).run()));
      System.out.printf("%d outages of ZooKeeper%n", outages.count());
    }
    check(ended);
  }

  private void check(Collection<Schedule.Outcome> ended) {
    int kills = ended.stream().mapToInt(Schedule.Outcome::kills).sum();
    int pauses = ended.stream().mapToInt(Schedule.Outcome::pauses).sum();
    long finished = ended.stream().filter(Schedule.Outcome::finished).count();
    long renamed = ended.stream().filter(Schedule.Outcome::renamed).count();
    int outlasted = ended.stream().mapToInt(Schedule.Outcome::outlasted).sum();
    long reads = ended.stream().mapToLong(Schedule.Outcome::reads).sum();
    System.out.printf(
        "%d schedules from seed %d: %d migrators killed, %d last passes longer than the fence, %d"
            + " processes of clients stopped, %,d rows read; %d migrations finished, the others"
            + " rolled back; %d tables renamed%n",
        seeds.count(), seeds.first(), kills, outlasted, pauses, reads, finished, renamed);
    if (seeds.areUsual()) {
      // One seed has its own mixture; the default seeds must not all end alike.
      assertThat(kills).as("migrators killed").isGreaterThan(seeds.count() / 4);
      assertThat(pauses).as("processes of clients stopped").isPositive();
      assertThat(reads).as("rows read").isPositive();
      assertThat(finished).as("migrations finished").isBetween(1L, seeds.count() - 1L);
      if (fence == Migration.Fence.GUARD) {
        assertThat(renamed).as("tables renamed").isPositive();
      }
    }
  }
}
