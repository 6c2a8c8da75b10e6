/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.cli.doctor.CheckFinding;
import io.evenkey.cli.doctor.CheckResult;
import io.evenkey.cli.doctor.Doctor;
import io.evenkey.cli.doctor.DoctorJson;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code evenkey doctor}. */
@Rights("R, and C or A, on the tables to check; it does not see others.")
@Command(
    name = "doctor",
    header = "Check a cluster and a client's settings.",
    description = {
      "",
      "Checks settings of applications, the registry, versions, servers, the guard, rights,"
          + " layouts, migrations, bucket counts and the current load. Changes nothing. A problem"
          + " makes requests fail, or makes one server do the work of all; advice is worth knowing."
          + " Each finding says what to do.",
      "",
      "Reads the settings of --conf as an application would.",
      "",
      "Exit code 1 if there is a problem.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {"  evenkey doctor --conf /etc/hbase/conf", "  evenkey doctor --json"},
    sortOptions = false)
final class DoctorCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "200",
      description = "Compare N rows of each table with its layout (default ${DEFAULT-VALUE}).")
  private int rows = 200;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "6",
      description =
          "Count the load for N seconds (default ${DEFAULT-VALUE}, two reports of HBase's servers);"
              + " 0: not at all.")
  private int seconds = 6;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Mixin private ClusterOption cluster = new ClusterOption();

  DoctorCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (seconds < 0 || seconds > 3_600) {
      throw UsageErrors.outOfRange(spec, "--seconds", seconds, "give 0 to 3600 seconds");
    }
    if (rows < 1) {
      throw UsageErrors.outOfRange(spec, "--rows", rows, "compare 1 row or more");
    }
    List<CheckResult> results =
        Doctor.examine(
            cluster.ofApplication(),
            cluster.configuration(Patience.QUESTION),
            Objects.requireNonNullElse(Version.number(), ""),
            rows,
            seconds);
    if (json) {
      console.json(DoctorJson.of(results));
    } else {
      results.forEach(this::show);
    }
    return results.stream().anyMatch(CheckResult::hasProblem)
        ? CommandLine.ExitCode.SOFTWARE
        : CommandLine.ExitCode.OK;
  }

  private void show(CheckResult result) {
    if (result.findings().isEmpty()) {
      String why = result.skipped();
      line(result.state(), result.check(), why.isEmpty() ? "" : "not checked: " + why);
    }
    for (CheckFinding finding : result.findings()) {
      line(
          finding.isProblem() ? "PROBLEM" : "advice",
          result.check(),
          CommandWords.in(finding.text()));
      console.out().println(" ".repeat(20) + "→ " + CommandWords.in(finding.remedy()));
    }
  }

  private void line(String state, String check, String text) {
    console.out().println(String.format("%-8s %-11s%s", state, check, text).stripTrailing());
  }
}
