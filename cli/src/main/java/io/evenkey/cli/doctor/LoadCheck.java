/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.doctor;

import io.evenkey.report.heat.counters.ClusterReadings;
import io.evenkey.report.heat.history.Recorder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Counts the requests of some seconds, and finds tables of which one region has most of them.
 *
 * @param seconds the time of counting; servers report every three seconds
 */
record LoadCheck(Connection connection, int seconds) implements Check {
  @Override
  public List<CheckFinding> findings() throws IOException, InterruptedException {
    List<CheckFinding> findings = new ArrayList<>();
    try (Recorder recorder =
        new Recorder(new ClusterReadings(connection), Duration.ofSeconds(seconds), null, false)) {
      recorder.read();
      // The latch is never counted down.
      new CountDownLatch(1).await(seconds, TimeUnit.SECONDS);
      recorder.read();
      for (var load : recorder.findings()) {
        if (load.severity() > 0) {
          String text = "table=" + load.table() + " load=" + load.kind() + "; " + load.text();
          findings.add(
              new CheckFinding(load.severity() > 1, text, remedy(load.table(), load.remedy())));
        }
      }
    }
    return findings;
  }

  private static String remedy(String table, String kind) {
    return switch (kind) {
      case "advice" -> "evenkey advise ranks layouts for its records and queries";
      case "step" -> "evenkey grow " + table + " --buckets N gives new rows more buckets";
      case "regions" -> "evenkey splits prints the keys between its buckets: split it there";
      case "plan" -> "evenkey heat " + table + " shows its regions; balance them, or plan more";
      default -> "evenkey heat " + table + " shows the region; the portal shows its hot keys";
    };
  }
}
