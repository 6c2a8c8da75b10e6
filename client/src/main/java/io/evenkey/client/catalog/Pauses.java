package io.evenkey.client.catalog;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;

/**
 * Tables that are between two generations: the registry is not asked for one of them again for half
 * a second to a second and a half, however many operations wait for it, so that many clients do not
 * overload ZooKeeper and hbase:meta. Thread-safe.
 */
final class Pauses {
  private static final int SHORTEST_MS = 500;
  private static final int LONGEST_MS = 1_500;

  private final Map<TableName, Long> until = new ConcurrentHashMap<>();

  /** A table was found to be between two generations. */
  void begin(TableName table) {
    int ms = ThreadLocalRandom.current().nextInt(SHORTEST_MS, LONGEST_MS);
    until.put(table, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms));
  }

  /** Whether that was so lately that it is taken to be so still. */
  boolean isOn(TableName table) {
    if (until.isEmpty()) {
      return false;
    }
    Long end = until.get(table);
    if (end == null) {
      return false;
    }
    if (System.nanoTime() - end < 0) {
      return true;
    }
    until.remove(table, end);
    return false;
  }
}
