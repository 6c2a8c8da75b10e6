/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import io.evenkey.client.internal.registry.Registry;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationPlan;
import io.evenkey.jobs.migration.MigrationSettings;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.layout.Layout;
import io.evenkey.report.cluster.WorkDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;

/**
 * A step that a table took while one client wrote and one read rows before it.
 *
 * @param seconds its duration
 * @param longestWriteMs the longest write, in milliseconds
 * @param longestReadMs the longest read, in milliseconds
 * @param rewrittenCells the cells that HBase rewrote during the step, by its counters
 */
public record GrowthStep(
    double seconds, double longestWriteMs, double longestReadMs, long rewrittenCells) {
  /** Takes it. */
  static GrowthStep take(Connection plain, Table client, GrowingRows rows, Layout after)
      throws IOException {
    TableName name = client.getName();
    long cells = compactedCells(plain, name);
    SplittableRandom random = new SplittableRandom(3);
    try (Clients clients = new Clients(rows.beforeStep(), random);
        Registry registry = Registry.open(plain.getConfiguration());
        WorkDirectory work = WorkDirectory.of(null)) {
      AtomicLong write = clients.loop(n -> client.put(rows.put(n)));
      AtomicLong read = clients.loop(n -> client.get(new Get(rows.key(n))));
      long begun = System.nanoTime();
      try (Migrator migrator =
          Migrator.begin(
              plain,
              registry,
              MigrationPlan.of(name, after),
              MigrationSettings.in(work.path()),
              MigrationListener.NONE)) {
        migrator.run();
      }
      double seconds = (System.nanoTime() - begun) / 1e9;
      clients.end();
      return new GrowthStep(
          seconds, write.get() / 1e6, read.get() / 1e6, compactedCells(plain, name) - cells);
    }
  }

  /** The cells of a table that compactions have written, by the servers' counters. */
  private static long compactedCells(Connection plain, TableName name) throws IOException {
    long cells = 0;
    try (Admin admin = plain.getAdmin()) {
      for (ServerName server : admin.getRegionServers()) {
        for (RegionMetrics region : admin.getRegionMetrics(server, name)) {
          cells += region.getCompactedCellCount();
        }
      }
    }
    return cells;
  }

  /** An operation on a row. */
  @FunctionalInterface
  interface Operation {
    void on(int row) throws IOException;
  }

  /** Clients that repeat an operation on random rows until they are closed. */
  private static final class Clients implements AutoCloseable {
    private final int rows;
    private final SplittableRandom random;
    private final AtomicBoolean over = new AtomicBoolean();
    private CompletableFuture<Void> all = CompletableFuture.completedFuture(null);

    Clients(int rows, SplittableRandom random) {
      this.rows = rows;
      this.random = random;
    }

    /** Starts one; the result is the longest operation so far, in nanoseconds. */
    AtomicLong loop(Operation operation) {
      AtomicLong longest = new AtomicLong();
      SplittableRandom own = random.split();
      CompletableFuture<Void> client =
          CompletableFuture.runAsync(
              () -> {
                while (!over.get()) {
                  long begun = System.nanoTime();
                  try {
                    operation.on(own.nextInt(rows));
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                  longest.accumulateAndGet(System.nanoTime() - begun, Math::max);
                }
              },
              task -> new Thread(task, "bench-client").start());
      all = CompletableFuture.allOf(all, client);
      return longest;
    }

    /** Ends all of them, and waits for their last operations. */
    void end() throws IOException {
      over.set(true);
      try {
        all.join();
      } catch (CompletionException e) {
        if (e.getCause() instanceof UncheckedIOException failure) {
          throw failure.getCause();
        }
        throw e;
      }
    }

    @Override
    public void close() {
      over.set(true);
    }
  }
}
