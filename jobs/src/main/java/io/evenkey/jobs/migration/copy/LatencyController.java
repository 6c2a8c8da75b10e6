/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.copy;

import io.evenkey.client.failure.RegistryException;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Versioned;
import io.evenkey.protocol.guard.GuardAttributes;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;

/**
 * Keeps reads of the source as quick as the migration's pace asks for: the copy is slowed down by
 * half when they are slower, and let go faster by a tenth while they are quicker. Not thread-safe.
 */
final class LatencyController implements AutoCloseable {
  private static final long LOOK_EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int READS = 20;

  private final Registry registry;
  private final Migration migration;
  private final Table source;
  private final byte[][] regions;
  private final long[] nanos = new long[READS];
  private long lookedAt = System.nanoTime();

  private LatencyController(
      Registry registry, Migration migration, Table source, byte[][] regions) {
    this.registry = registry;
    this.migration = migration;
    this.source = source;
    this.regions = regions;
  }

  static LatencyController of(Connection plain, Registry registry, Migration migration)
      throws IOException {
    try (RegionLocator locator = plain.getRegionLocator(migration.source())) {
      return new LatencyController(
          registry, migration, plain.getTable(migration.source()), locator.getStartKeys());
    }
  }

  /** Looks how quick reads are, if it is time to. */
  void look() throws IOException {
    if (System.nanoTime() - lookedAt < LOOK_EVERY_NANOS) {
      return;
    }
    lookedAt = System.nanoTime();
    Optional<Versioned<Migration>> now = registry.migrations().get(migration.table());
    if (now.isEmpty() || now.get().value().pace().latencyMs() == 0) {
      return;
    }
    Migration stored = now.get().value();
    try {
      registry
          .migrations()
          .store(stored.withPace(stored.pace().after(slowestMs())), now.get().version());
    } catch (RegistryException e) {
      // An operator has set another pace just now: that is read next time.
    }
  }

  /** Returns the 99th percentile of reads all over the table, on all its servers. */
  private long slowestMs() throws IOException {
    for (int i = 0; i < READS; i++) {
      byte[] row = regions[ThreadLocalRandom.current().nextInt(regions.length)];
      long begun = System.nanoTime();
      Get get = new Get(row.length == 0 ? new byte[1] : row);
      get.setAttribute(GuardAttributes.MIGRATION, GuardAttributes.number(migration.turn()));
      source.exists(get);
      nanos[i] = System.nanoTime() - begun;
    }
    return TimeUnit.NANOSECONDS.toMillis(Arrays.stream(nanos).max().orElse(0));
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
