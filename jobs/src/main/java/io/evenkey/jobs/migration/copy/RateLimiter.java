/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.copy;

import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.internal.registry.Versioned;
import io.evenkey.jobs.migration.MigrationException;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a task to its share of the rows a second that the registry allows now, and to the round
 * that it was begun for: the job of a migrator that was killed must not write what has been deleted
 * since. The registry is asked again every other second. Not thread-safe.
 */
final class RateLimiter implements AutoCloseable {
  private static final String TABLE = "evenkey.migration.table";
  private static final String ROUND = "evenkey.migration.round";
  private static final String ATTEMPT = "evenkey.migration.attempt";

  /** A limit in this process: MapReduce cannot end a task without leaving its buffers behind. */
  private static final Set<String> CALLED_OFF = ConcurrentHashMap.newKeySet();

  private static final long ASK_EVERY_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final int LOOK_EVERY = 64;
  private static final long LONGEST_NAP_MS = 500;

  private final Registry registry;
  private final TableName table;
  private final int turn;
  private final int round;
  private final String attempt;
  private final int tasks;
  private long rowsPerSecond;
  private long askedAt;
  private long begunAt = System.nanoTime();
  private long rows;

  private RateLimiter(
      Registry registry, TableName table, int turn, int round, String attempt, int tasks) {
    this.registry = registry;
    this.table = table;
    this.turn = turn;
    this.round = round;
    this.attempt = attempt;
    this.tasks = tasks;
    this.askedAt = System.nanoTime() - ASK_EVERY_NANOS;
  }

  static void addTo(Configuration configuration, Migration migration, int round, String attempt) {
    configuration.set(TABLE, migration.table().getNameAsString());
    configuration.setInt(ROUND, round);
    configuration.set(ATTEMPT, attempt);
  }

  /**
   * Tasks of an attempt in this process stop as if there were no more rows: their output is not
   * used.
   */
  static void callOff(String attempt) {
    CALLED_OFF.add(attempt);
  }

  static void forget(String attempt) {
    CALLED_OFF.remove(attempt);
  }

  boolean isCalledOff() {
    return !CALLED_OFF.isEmpty() && CALLED_OFF.contains(attempt);
  }

  static RateLimiter in(Configuration configuration) throws IOException {
    return new RateLimiter(
        Registry.open(configuration),
        TableName.valueOf(configuration.get(TABLE, "")),
        configuration.getInt(RateLimitedMapper.TURN, 0),
        configuration.getInt(ROUND, 0),
        configuration.get(ATTEMPT, ""),
        tasks(configuration));
  }

  /** The number of tasks that may run at once: together they must not be faster. */
  private static int tasks(Configuration configuration) {
    int all = configuration.getInt(MRJobConfig.NUM_MAPS, 1);
    int atOnce = configuration.getInt(Copy.AT_ONCE, 0);
    return Math.max(1, atOnce == 0 ? all : Math.min(all, atOnce));
  }

  /**
   * Waits until one more row may be copied.
   *
   * @param alive called while waiting
   * @throws MigrationException if the round is over
   */
  void await(@Nullable Runnable alive) throws IOException {
    if (rows++ % LOOK_EVERY == 0 || rowsPerSecond > 0) {
      ask();
      while (rowsPerSecond > 0 && aheadMs() > 0 && !isCalledOff()) {
        try {
          TimeUnit.MILLISECONDS.sleep(Math.min(LONGEST_NAP_MS, aheadMs()));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IOException("interrupted while the copy is held back", e);
        }
        if (alive != null) {
          alive.run();
        }
        ask();
      }
    }
  }

  private long aheadMs() {
    double share = Math.max(1.0, (double) rowsPerSecond / tasks);
    double due = rows / share * 1e3;
    return (long) due - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunAt);
  }

  private void ask() throws IOException {
    long now = System.nanoTime();
    if (now - askedAt < ASK_EVERY_NANOS) {
      return;
    }
    askedAt = now;
    Migration migration = registry.migrations().get(table).map(Versioned::value).orElse(null);
    if (migration == null || !isPartOf(migration)) {
      throw new MigrationException(
          "round of the copy is over: table=" + table + " round=" + round + " now=" + migration);
    }
    long allowed = migration.pace().allowed();
    if (allowed != rowsPerSecond) {
      rowsPerSecond = allowed;
      begunAt = now;
      rows = 1;
    }
  }

  private boolean isPartOf(Migration migration) {
    return migration.stage() == Stage.COPYING
        && migration.turn() == turn
        && migration.work().copied() == round;
  }

  @Override
  public void close() {
    registry.close();
  }
}
