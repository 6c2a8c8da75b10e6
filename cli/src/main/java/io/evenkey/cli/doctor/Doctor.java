/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.doctor;

import io.evenkey.client.internal.registry.Registry;
import io.evenkey.report.cluster.Cluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * Makes all checks. Where HBase or the registry does not answer, the checks that need it are
 * skipped.
 */
public final class Doctor {
  private static final List<String> OF_CLUSTER =
      List.of(
          "versions",
          "servers",
          "guard",
          "rights",
          "layouts",
          "migrations",
          "indexes",
          "names",
          "replication",
          "buckets",
          "load");

  private final List<CheckResult> results = new ArrayList<>();

  private Doctor() {}

  /**
   * Checks a cluster and a client's settings.
   *
   * @param application the settings as an application has them, plug points included
   * @param command the settings to connect with
   * @param version this version of Evenkey; empty if it is not known
   * @param rows the number of rows of each table that are compared with its layout
   * @param seconds the time over which the load is counted; 0 for not at all
   * @return the checks in the order in which they were made
   */
  public static List<CheckResult> examine(
      Configuration application, Configuration command, String version, int rows, int seconds)
      throws InterruptedException {
    Doctor doctor = new Doctor();
    doctor.check("settings", new SettingsCheck(application));
    doctor.check("registry", () -> registry(command));
    if (doctor.results.get(1).hasProblem()) {
      doctor.skip("hbase", "no registry");
      OF_CLUSTER.forEach(check -> doctor.skip(check, "no registry"));
      return doctor.results;
    }
    doctor.cluster(command, version, rows, seconds);
    return doctor.results;
  }

  // An open registry has read the format of its root node.
  private static List<CheckFinding> registry(Configuration command) throws IOException {
    try (Registry registry = Registry.open(command)) {
      registry.plans().all();
      registry.layouts().all();
      registry.migrations().all();
      return List.of();
    }
  }

  private void cluster(Configuration command, String version, int rows, int seconds)
      throws InterruptedException {
    try (Cluster open = Cluster.open(command)) {
      results.add(new CheckResult("hbase", List.of(), ""));
      check("versions", new VersionCheck(open.connection()));
      check("servers", new ServerCheck(open.connection()));
      check("guard", new GuardCheck(open.connection(), version));
      check("rights", new RightsCheck(open.connection()));
      check("layouts", new LayoutCheck(open.connection(), open.registry(), rows));
      check("migrations", new MigrationCheck(open.connection(), open.registry()));
      check("indexes", new IndexCheck(open.connection(), open.registry()));
      check("names", new NameCheck(open.connection()));
      check("replication", new ReplicationCheck(open.connection()));
      check("buckets", new BucketCheck(open.connection()));
      if (seconds == 0) {
        skip("load", "--seconds 0");
      } else {
        check("load", new LoadCheck(open.connection(), seconds));
      }
    } catch (IOException | RuntimeException e) {
      results.add(new CheckResult("hbase", List.of(CheckFinding.of(e)), ""));
      OF_CLUSTER.forEach(check -> skip(check, "no HBase"));
    }
  }

  private void check(String name, Check check) throws InterruptedException {
    List<CheckFinding> findings;
    try {
      findings = check.findings();
    } catch (IOException | RuntimeException e) {
      findings = List.of(CheckFinding.of(e));
    }
    results.add(new CheckResult(name, findings, ""));
  }

  private void skip(String name, String why) {
    if (results.stream().noneMatch(result -> result.check().equals(name))) {
      results.add(new CheckResult(name, List.of(), why));
    }
  }
}
