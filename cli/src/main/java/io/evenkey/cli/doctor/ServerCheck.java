/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.doctor;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/** Checks that regions are served and that the balancer runs. */
record ServerCheck(Connection connection) implements Check {
  @Override
  public List<CheckFinding> findings() throws IOException {
    List<CheckFinding> findings = new ArrayList<>();
    try (Admin admin = connection.getAdmin()) {
      ClusterMetrics cluster =
          admin.getClusterMetrics(
              EnumSet.of(
                  ClusterMetrics.Option.LIVE_SERVERS,
                  ClusterMetrics.Option.DEAD_SERVERS,
                  ClusterMetrics.Option.REGIONS_IN_TRANSITION));
      int unserved = cluster.getRegionStatesInTransition().size();
      if (unserved > 0) {
        findings.add(
            CheckFinding.problem(
                "regions that are not served: regions=" + unserved,
                "wait some seconds; if that lasts, see the master's log and hbase hbck"));
      }
      if (!cluster.getDeadServerNames().isEmpty()) {
        findings.add(
            CheckFinding.advice(
                "region servers that have died since the master started: servers="
                    + cluster.getDeadServerNames().size(),
                "see their logs; evenkey plan counts live servers only"));
      }
      if (cluster.getLiveServerMetrics().size() > 1 && !admin.isBalancerEnabled()) {
        findings.add(
            CheckFinding.advice(
                "balancer is off: servers=" + cluster.getLiveServerMetrics().size(),
                "regions stay where they are, also when servers join: balance_switch true in HBase's"
                    + " shell"));
      }
    }
    return findings;
  }
}
