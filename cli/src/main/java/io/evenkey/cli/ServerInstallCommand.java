/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.internal.guard.GuardQuestion;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.protocol.guard.GuardAnswer;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.cluster.Guards;
import io.evenkey.report.json.GuardInstallationJson;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code evenkey server install}. */
@Rights("None; --table: C or A on the table.")
@Command(
    name = "install",
    header = "Show how to install the guard in all servers, or add it to one table.",
    description = {
      "",
      "Without --table: prints the steps, and changes nothing. The steps need no permission in "
          + "HBase, but access to the servers' files and a rolling restart.",
      "",
      "With --table: sets the guard, from a jar on HDFS, in one table's descriptor, or replaces "
          + "the guard that is set, and reopens the table's regions. This needs ADMIN or CREATE on the "
          + "table; the servers' user must be able to read the jar.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenkey server install",
      "  evenkey server install --table orders --jar hdfs:///evenkey/evenkey-server-all.jar"
    },
    sortOptions = false)
final class ServerInstallCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--table", paramLabel = "TABLE", description = "Install in this table only.")
  private @Nullable String table;

  @Option(
      names = "--jar",
      paramLabel = "PATH",
      description = "Path of evenkey-server-…-all.jar, readable by region servers and the master.")
  private @Nullable String jar;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Mixin private ClusterOption cluster = new ClusterOption();

  ServerInstallCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    String to = table;
    String from = jar;
    if (to == null && from == null) {
      explain();
    } else if (to == null || from == null) {
      throw new ParameterException(spec.commandLine(), "--table and --jar belong together");
    } else {
      add(UsageErrors.tableName(spec, to), from);
    }
    return CommandLine.ExitCode.OK;
  }

  private void explain() {
    GuardServerSettings.print(
        console,
        json,
        List.of(
            "1. Copy " + GuardServerSettings.JAR + " into " + GuardServerSettings.DIRECTORY,
            "   of every master and region server.",
            "2. Add these properties to hbase-site.xml of each of them; if a property exists,",
            "   append the class to its value, after a comma:",
            "",
            GuardServerSettings.xml(),
            "",
            "3. Restart the masters, then the region servers one after the other. Applications",
            "   keep running: see \"The guard\" in docs/guard.md.",
            "4. evenkey server status shows which servers have it.",
            "",
            "This needs access to the servers' files and restarts, but no permission in HBase."));
  }

  private void add(TableName to, String from) throws IOException {
    GuardAnswer answer;
    try (Cluster open = cluster.open()) {
      Guards.install(open.connection(), to, from);
      answer =
          GuardQuestion.ask(open.connection(), to)
              .orElseThrow(
                  () ->
                      new EvenkeyException(
                          "guard was added, but the table's first region did not load it: table="
                              + to
                              + " jar="
                              + from
                              + "; the region server's log says why"));
    }
    if (json) {
      console.json(
          new GuardInstallationJson(
              to.getNameAsString(),
              from,
              answer.version().isEmpty() ? null : answer.version(),
              answer.server()));
      return;
    }
    console.out().println("guard added: table=" + to + " jar=" + from);
    console
        .out()
        .println(
            "A migration reopens the table's regions at each change of its state, because HBase can"
                + " change a table with a coprocessor attribute in no other way. It also needs the"
                + " master's guard: 'evenkey server install' shows how to add it.");
  }
}
