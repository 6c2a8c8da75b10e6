package io.evenkey.jobs.move;

import io.evenkey.client.registry.Move;
import io.evenkey.client.registry.Registry;
import io.evenkey.client.registry.RegistryException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a task to its share of the rows a second that the registry allows now; it is asked again
 * every other second. Not thread-safe.
 */
final class Pacer implements AutoCloseable {
  private static final String TABLE = "evenkey.move.table";
  private static final String TASKS = "evenkey.move.tasks";
  private static final long ASK_EVERY_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final int LOOK_EVERY = 64;
  private static final long LONGEST_NAP_MS = 500;

  private final Registry registry;
  private final TableName table;
  private final int tasks;
  private long rowsPerSecond;
  private long askedAt;
  private long begunAt = System.nanoTime();
  private long rows;

  private Pacer(Registry registry, TableName table, int tasks) {
    this.registry = registry;
    this.table = table;
    this.tasks = tasks;
    this.askedAt = System.nanoTime() - ASK_EVERY_NANOS;
  }

  static void addTo(Configuration configuration, TableName table, int tasks) {
    configuration.set(TABLE, table.getNameAsString());
    configuration.setInt(TASKS, tasks);
  }

  static Pacer in(Configuration configuration) throws IOException {
    return new Pacer(
        Registry.open(configuration),
        TableName.valueOf(configuration.get(TABLE, "")),
        configuration.getInt(TASKS, 1));
  }

  /**
   * Waits until one more row may be copied.
   *
   * @param alive called while waiting
   */
  void await(@Nullable Runnable alive) throws IOException {
    if (rows++ % LOOK_EVERY == 0 || rowsPerSecond > 0) {
      ask();
      while (rowsPerSecond > 0 && aheadMs() > 0) {
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

  private void ask() throws RegistryException {
    long now = System.nanoTime();
    if (now - askedAt < ASK_EVERY_NANOS) {
      return;
    }
    askedAt = now;
    long allowed =
        registry
            .move(table)
            .map(move -> move.value().pace())
            .orElse(Move.Pace.FREE)
            .rowsPerSecond();
    if (allowed != rowsPerSecond) {
      rowsPerSecond = allowed;
      begunAt = now;
      rows = 1;
    }
  }

  @Override
  public void close() {
    registry.close();
  }
}
