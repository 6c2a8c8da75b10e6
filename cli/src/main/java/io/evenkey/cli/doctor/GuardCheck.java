/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.doctor;

import io.evenkey.protocol.guard.GuardAnswer;
import io.evenkey.report.cluster.Guards;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Checks that the guard is on all servers or on none, and loaded where a table names it.
 *
 * @param version this version of Evenkey; empty if it is not known
 */
record GuardCheck(Connection connection, String version) implements Check {
  private static final String BACKUPS = "hbase.backup.enable";
  private static final String SET =
      "evenkey server install shows the settings of each server; restart it with them";

  @Override
  public List<CheckFinding> findings() throws IOException {
    Guards.Survey survey = Guards.survey(connection);
    List<CheckFinding> findings = new ArrayList<>(of(survey, version));
    boolean enabled = connection.getConfiguration().getBoolean(BACKUPS, false);
    if (survey.masterGuard() && enabled) {
      try (Admin admin = connection.getAdmin()) {
        ofBackups(
                admin
                    .getClusterMetrics(EnumSet.of(ClusterMetrics.Option.LIVE_SERVERS))
                    .getLiveServerMetrics()
                    .values()
                    .stream()
                    .flatMap(server -> server.getCoprocessorNames().stream())
                    .toList())
            .ifPresent(findings::add);
      }
    }
    return findings;
  }

  /**
   * The finding about backups that are enabled for a client.
   *
   * @param coprocessors those of the region servers; HBase's backups need one there
   */
  static Optional<CheckFinding> ofBackups(Collection<String> coprocessors) {
    return coprocessors.stream().anyMatch(name -> name.endsWith("BackupObserver"))
        ? Optional.empty()
        : Optional.of(
            CheckFinding.advice(
                "backups are enabled for this client, and seem not to be on the servers: "
                    + BACKUPS
                    + "=true, and no region server has BackupObserver",
                "set "
                    + BACKUPS
                    + " on the master too: its guard then compares layouts before hbase restore -o"
                    + " empties a table"));
  }

  /** The findings about a survey. */
  static List<CheckFinding> of(Guards.Survey survey, String version) {
    List<CheckFinding> findings = new ArrayList<>();
    boolean onServers = survey.servers().stream().anyMatch(s -> Boolean.TRUE.equals(s.guard()));
    boolean somewhere = survey.masterGuard() || onServers;
    if (!somewhere && survey.tables().stream().noneMatch(t -> t.attribute())) {
      findings.add(
          CheckFinding.advice(
              "no server has the guard: servers=" + survey.servers().size(),
              "nothing needs it but migrations without a pause of reads, and short scans by one"
                  + " request a server; "
                  + SET));
    }
    if (somewhere && !survey.masterGuard()) {
      findings.add(
          CheckFinding.problem("master without the guard: master=" + survey.master(), SET));
    }
    for (Guards.OfServer server : survey.servers()) {
      if (somewhere && Boolean.FALSE.equals(server.guard())) {
        findings.add(
            CheckFinding.problem(
                "region server without the guard: server=" + server.server(), SET));
      }
    }
    survey.tables().forEach(table -> table(table, version, findings));
    return findings;
  }

  // Classes that are not in a jar have no version.
  private static boolean isOther(String guard, String version) {
    return !guard.isEmpty() && !version.isEmpty() && !guard.equals(version);
  }

  private static void table(Guards.OfTable table, String version, List<CheckFinding> findings) {
    GuardAnswer answer = table.answer();
    if (table.problem() != null) {
      findings.add(CheckFinding.of(table.problem()));
    } else if (table.attribute() && answer == null) {
      findings.add(
          CheckFinding.problem(
              "guard of a table is not loaded: table=" + table.table(),
              "allow coprocessors of tables on region servers (hbase.coprocessor.enabled,"
                  + " hbase.coprocessor.user.enabled), and check the path of the jar"));
    } else if (answer != null && isOther(answer.version(), version)) {
      findings.add(
          CheckFinding.advice(
              "guard of another version: table="
                  + table.table()
                  + " server="
                  + answer.server()
                  + " guard="
                  + answer.version()
                  + " evenkey="
                  + version,
              "update servers before clients, and not during a migration"));
    }
  }
}
