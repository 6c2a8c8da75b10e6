/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.tests;

import static io.evenkey.server.tests.GuardedTable.get;
import static io.evenkey.server.tests.GuardedTable.put;
import static io.evenkey.server.tests.GuardedTable.stamped;

import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.protocol.guard.GuardMode;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The time of a Get of a row that has been written 15,000 times; see docs/testing.md. */
@ExtendWith(EmbeddedHBaseExtension.class)
@EnabledIfSystemProperty(named = "evenkey.measure", matches = "true")
class HotRowIT {
  private static final Logger LOG = LoggerFactory.getLogger(HotRowIT.class);
  private static final int PUTS = 15_000;
  private static final int GETS = 3_000;

  @Test
  void logsTheTimeOfAGetOfAHotRow(Connection connection) throws Exception {
    for (int round = 1; round <= 3; round++) {
      measure(connection, "open", GuardMode.OPEN, Durability.USE_DEFAULT);
      measure(connection, "tracked", GuardMode.TRACKED, Durability.USE_DEFAULT);
      // Their marks are not relied upon, so that each write leaves one.
      measure(connection, "tracked, a mark a write", GuardMode.TRACKED, Durability.ASYNC_WAL);
    }
  }

  private static void measure(
      Connection connection, String name, GuardMode mode, Durability durability)
      throws IOException {
    GuardedTable guarded = GuardedTable.withLayout(connection);
    guarded.set(1, mode);
    try (Table table = guarded.open();
        Admin admin = connection.getAdmin()) {
      for (int i = 0; i < PUTS; i++) {
        table.put(stamped(put("hot")).setDurability(durability));
      }
      double inMemory = medianMs(table);
      admin.flush(guarded.name());
      LOG.warn(
          "{}: get {} ms, after a flush {} ms (medians of {})",
          name,
          inMemory,
          medianMs(table),
          GETS);
    }
  }

  private static double medianMs(Table table) throws IOException {
    long[] nanos = new long[GETS];
    for (int i = 0; i < GETS; i++) {
      long begun = System.nanoTime();
      table.get(stamped(get("hot")));
      nanos[i] = System.nanoTime() - begun;
    }
    Arrays.sort(nanos);
    return Math.round(nanos[GETS / 2] / 1_000.0) / 1_000.0;
  }
}
