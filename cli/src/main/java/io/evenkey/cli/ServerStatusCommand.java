/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.protocol.guard.GuardAnswer;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.cluster.Guards;
import io.evenkey.report.json.GuardSurveyJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.ServerName;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evenkey server status}. */
@Rights("None; R on a table to ask its regions.")
@Command(
    name = "status",
    header = "Show which servers and tables have the guard.",
    description = {
      "",
      "Shows the servers by their last report, some seconds old, and asks the first region of "
          + "each table with a layout. Shows the tables that the user may see: this needs ADMIN or "
          + "CREATE on them; asking a region needs READ.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {"  evenkey server status", "  evenkey server status --json"},
    sortOptions = false)
final class ServerStatusCommand implements Callable<Integer> {
  private final Console console;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Mixin private ClusterOption cluster = new ClusterOption();

  ServerStatusCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    Guards.Survey survey;
    try (Cluster open = cluster.openBriefly()) {
      survey = Guards.survey(open.connection());
    }
    if (json) {
      console.json(document(survey));
    } else {
      show(survey);
    }
    return CommandLine.ExitCode.OK;
  }

  private void show(Guards.Survey survey) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("SERVER", "REGIONS", "GUARD"));
    rows.add(List.of(name(survey.master()), "master", yes(survey.masterGuard())));
    for (Guards.OfServer server : survey.servers()) {
      rows.add(
          List.of(
              server.server().toString(),
              String.valueOf(server.regions()),
              server.guard() == null ? "not known: no region of a table" : yes(server.guard())));
    }
    console.table(rows);
    if (!survey.tables().isEmpty()) {
      console.out().println();
      List<List<String>> tables = new ArrayList<>();
      tables.add(List.of("TABLE", "GUARD", "MODE", "VERSION", "LAYOUT"));
      survey.tables().forEach(table -> tables.add(line(table)));
      console.table(tables);
    }
    console.out().println();
    console
        .out()
        .println(
            survey.isComplete()
                ? "complete: tables can be migrated live"
                : "incomplete: a table can be migrated live if all of its regions, and the master,"
                    + " have the guard; 'evenkey server install' shows how");
  }

  private static List<String> line(Guards.OfTable table) {
    GuardAnswer answer = table.answer();
    IOException problem = table.problem();
    String guard =
        problem != null
            ? "not known: " + Failure.text(problem)
            : answer == null ? "no" : table.attribute() ? "yes, by the table" : "yes";
    return List.of(
        table.table().getNameAsString(), guard, mode(answer), version(answer), table.layout());
  }

  private static String mode(@Nullable GuardAnswer answer) {
    return answer == null ? "-" : answer.state().mode().name().toLowerCase(Locale.ROOT);
  }

  private static String version(@Nullable GuardAnswer answer) {
    return answer == null || answer.version().isEmpty() ? "-" : answer.version();
  }

  private static String name(@Nullable ServerName server) {
    return server == null ? "none" : server.toString();
  }

  private static String yes(boolean guard) {
    return guard ? "yes" : "no";
  }

  private static GuardSurveyJson document(Guards.Survey survey) {
    ServerName master = survey.master();
    return new GuardSurveyJson(
        survey.isComplete(),
        new GuardSurveyJson.GuardedMaster(
            master == null ? null : master.toString(), survey.masterGuard()),
        survey.servers().stream()
            .map(
                server ->
                    new GuardSurveyJson.GuardedServer(
                        server.server().toString(), server.regions(), server.guard()))
            .toList(),
        survey.tables().stream().map(ServerStatusCommand::json).toList());
  }

  private static GuardSurveyJson.GuardedTable json(Guards.OfTable table) {
    GuardAnswer answer = table.answer();
    IOException problem = table.problem();
    return new GuardSurveyJson.GuardedTable(
        table.table().getNameAsString(),
        table.layout(),
        table.attribute(),
        problem == null ? answer != null : null,
        answer == null ? null : mode(answer),
        answer == null || answer.version().isEmpty() ? null : answer.version(),
        answer == null ? null : answer.server(),
        problem == null ? null : Failure.text(problem));
  }
}
