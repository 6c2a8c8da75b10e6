/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.embedded;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.hbase.client.Admin;

/** A process that writes, is paused from outside, and reads and writes again after that. */
final class PausedRun {
  /** By then ZooKeeper has ended the sessions that were silent for too long. */
  private static final Duration LATER = Duration.ofSeconds(6);

  private PausedRun() {}

  public static void main(String[] arguments) throws Exception {
    try (EmbeddedHBase hbase = EmbeddedHBase.in(Path.of(arguments[0])).servers(2).start()) {
      EmbeddedHBaseIT.write(hbase.connection(), 100);
      System.out.println("written");
      System.in.read();
      long later = System.currentTimeMillis() + LATER.toMillis();
      await().atMost(Duration.ofSeconds(30)).until(() -> reported(hbase, later) == 2);
      EmbeddedHBaseIT.put(hbase.connection(), 200);
      System.out.println(
          EmbeddedHBaseIT.count(hbase.connection()) + " rows, servers " + reported(hbase, later));
    }
  }

  /** The number of servers that have reported to the master since a moment. */
  private static long reported(EmbeddedHBase hbase, long since) throws IOException {
    try (Admin admin = hbase.connection().getAdmin()) {
      return admin.getClusterMetrics().getLiveServerMetrics().values().stream()
          .filter(server -> server.getReportTimestamp() > since)
          .count();
    }
  }
}
