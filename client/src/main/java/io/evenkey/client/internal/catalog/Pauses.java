/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.catalog;

import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.protocol.guard.Refusal;
import java.io.IOException;
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

  /**
   * Begins a pause: the table was found to be between two generations.
   *
   * @return the failure of the operation, which clients repeat after a pause
   */
  IOException begin(TableName table) {
    int ms = ThreadLocalRandom.current().nextInt(SHORTEST_MS, LONGEST_MS);
    until.put(table, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms));
    return betweenGenerations(table);
  }

  /** The failure of an operation on a table during a pause; clients repeat it after a pause. */
  static IOException betweenGenerations(TableName table) {
    return new EvenkeyException(
        "table is between two generations for a moment: table="
            + table
            + " "
            + Refusal.FENCED.mark());
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
