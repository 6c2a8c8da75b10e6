/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.cluster.Guards;
import io.evenkey.report.json.GuardRemovalJson;
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
import picocli.CommandLine.Spec;

/** {@code evenkey server remove}. */
@Rights("None; --table: C or A on the table.")
@Command(
    name = "remove",
    header = "Show how to remove the guard from all servers, or remove it from one table.",
    description = {
      "",
      "Without --table: prints the steps, and changes nothing. The steps need no permission in "
          + "HBase, but access to the servers' files and a rolling restart.",
      "",
      "With --table: removes the guard that 'evenkey server install --table' has added, and reopens"
          + " the table's regions. This needs ADMIN or CREATE on the table. Rejected while the"
          + " table is being migrated.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {"  evenkey server remove", "  evenkey server remove --table orders"},
    sortOptions = false)
final class ServerRemoveCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--table", paramLabel = "TABLE", description = "Remove from this table only.")
  private @Nullable String table;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Mixin private ClusterOption cluster = new ClusterOption();

  ServerRemoveCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    String from = table;
    if (from == null) {
      explain();
      return CommandLine.ExitCode.OK;
    }
    TableName name = UsageErrors.tableName(spec, from);
    boolean removed;
    try (Cluster open = cluster.open()) {
      removed = Guards.remove(open.connection(), name);
    }
    if (json) {
      console.json(new GuardRemovalJson(name.getNameAsString(), removed));
    } else {
      console
          .out()
          .println(
              removed
                  ? "guard removed: table=" + name
                  : "guard is not an attribute of the table: table="
                      + name
                      + "; 'evenkey server status' shows where it is");
    }
    return CommandLine.ExitCode.OK;
  }

  private void explain() {
    GuardServerSettings.print(
        console,
        json,
        List.of(
            "1. Finish or roll back the running migrations.",
            "2. Remove these classes from hbase-site.xml of every master and region server:",
            "",
            GuardServerSettings.xml(),
            "",
            "3. Restart the region servers one after the other, then the masters.",
            "4. Remove " + GuardServerSettings.JAR + " from " + GuardServerSettings.DIRECTORY + ".",
            "",
            "From then on, requests with another layout than the table's are accepted. This",
            "needs access to the servers' files and restarts, but no permission in HBase."));
  }
}
