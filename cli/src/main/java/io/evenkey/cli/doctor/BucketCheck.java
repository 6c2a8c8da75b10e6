/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.doctor;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.layout.Layout;
import io.evenkey.report.heat.history.OwnNamespace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * Checks that each table's buckets can be shared out evenly over the region servers. Evenkey's own
 * tables have too little traffic for that to matter.
 */
record BucketCheck(Connection connection) implements Check {
  @Override
  public List<CheckFinding> findings() throws IOException {
    List<CheckFinding> findings = new ArrayList<>();
    try (Admin admin = connection.getAdmin()) {
      int servers = admin.getRegionServers().size();
      for (TableDescriptor table : SpreadTableList.of(admin)) {
        if (OwnNamespace.has(table.getTableName().getNameAsString())) {
          continue;
        }
        Layout layout = TableLayout.of(table);
        // The buckets of steps are those of several times, which are not written to at once.
        if (layout != null && layout.buckets().isPresent() && layout.steps().isNone()) {
          of(table.getTableName().getNameAsString(), layout.buckets().getAsInt(), servers)
              .ifPresent(findings::add);
        }
      }
    }
    return findings;
  }

  /** The finding about a table, if there is one. */
  static Optional<CheckFinding> of(String table, int buckets, int servers) {
    if (buckets % servers == 0 || buckets == 1) {
      return Optional.empty();
    }
    int most = (buckets + servers - 1) / servers;
    String text =
        String.format(
            Locale.ROOT,
            "table=%s buckets=%d servers=%d skew=%.2f",
            table,
            buckets,
            servers,
            (double) most * servers / buckets);
    String remedy =
        "take a multiple: evenkey grow "
            + table
            + " --buckets "
            + most * servers
            + " for rows from a time or number on, or evenkey migrate "
            + table
            + " --layout … for all rows";
    return Optional.of(
        buckets < servers
            ? CheckFinding.problem("fewer buckets than region servers: " + text, remedy)
            : CheckFinding.advice(
                "buckets are no multiple of the region servers: " + text, remedy));
  }
}
