/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.doctor;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.util.VersionInfo;

/** Checks the versions of HBase on master, region servers and in this client. */
record VersionCheck(Connection connection) implements Check {
  private static final Pattern LINE = Pattern.compile("(\\d+\\.\\d+).*");

  /** The version of a server whose report did not come with one. */
  private static final String UNKNOWN = "0.0.0";

  private static final Set<String> TRIED = new TreeSet<>(List.of("2.4", "2.5", "2.6"));

  @Override
  public List<CheckFinding> findings() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      ClusterMetrics cluster =
          admin.getClusterMetrics(
              EnumSet.of(ClusterMetrics.Option.HBASE_VERSION, ClusterMetrics.Option.LIVE_SERVERS));
      Set<String> servers = new TreeSet<>();
      String master = cluster.getHBaseVersion();
      if (master != null) {
        servers.add(master);
      }
      cluster.getLiveServerMetrics().values().stream()
          .map(ServerMetrics::getVersion)
          .filter(version -> !version.equals(UNKNOWN))
          .forEach(servers::add);
      return of(servers, VersionInfo.getVersion());
    }
  }

  /** The findings about these versions. */
  static List<CheckFinding> of(Set<String> servers, String client) {
    List<CheckFinding> findings = new ArrayList<>();
    if (servers.size() > 1) {
      findings.add(
          CheckFinding.advice(
              "servers of several versions of HBase: versions=" + String.join(",", servers),
              "finish the upgrade of the cluster before a migration"));
    }
    for (String version : servers) {
      if (!TRIED.contains(line(version))) {
        findings.add(
            CheckFinding.advice(
                "version of HBase on which Evenkey is not tested: servers="
                    + version
                    + " client="
                    + client
                    + " tested="
                    + String.join(",", TRIED),
                "try it on a copy first; docs/versions.md has the versions"));
      }
    }
    return findings;
  }

  private static String line(String version) {
    Matcher line = LINE.matcher(version);
    return line.matches() ? line.group(1) : version;
  }
}
