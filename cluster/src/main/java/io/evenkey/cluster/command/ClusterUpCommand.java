/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster.command;

import io.evenkey.cli.Console;
import io.evenkey.cli.UsageErrors;
import io.evenkey.cluster.ClusterOptions;
import io.evenkey.cluster.SeparateCluster;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code evenkey cluster up}. */
@Command(
    name = "up",
    header = "Start a cluster in the background, and return when it is ready.",
    description = {
      "",
      "Starts a NameNode, DataNodes, ZooKeeper, a master and region servers with Evenkey's "
          + "guard, and YARN, on free ports of 127.0.0.1, in about 3 GB of memory. They run until "
          + "'evenkey cluster down'. After 'down --keep', a cluster in the same directory starts "
          + "with its data.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {"  evenkey cluster up", "  evenkey cluster up --dir cluster --servers 5"},
    sortOptions = false)
final class ClusterUpCommand implements Callable<Integer> {
  private static final int MOST_SERVERS = 10;
  private static final int MOST_DATA_NODES = 5;

  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ClusterDirectoryOption directory = new ClusterDirectoryOption();

  @Option(
      names = "--servers",
      paramLabel = "N",
      defaultValue = "3",
      description = "Number of region servers, 1 to 10 (default ${DEFAULT-VALUE}).")
  private int servers = 3;

  @Option(
      names = "--data-nodes",
      paramLabel = "N",
      defaultValue = "1",
      description = "Number of DataNodes, 1 to 5 (default ${DEFAULT-VALUE}).")
  private int dataNodes = 1;

  @Option(names = "--no-yarn", description = "Do not start YARN; jobs run in-process.")
  private boolean noYarn;

  @Option(names = "--no-guard", description = "Start HBase's servers without Evenkey's guard.")
  private boolean noGuard;

  @Option(
      names = "-D",
      paramLabel = "NAME=VALUE",
      description = "An HBase property, for servers and clients.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  ClusterUpCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    if (servers < 1 || servers > MOST_SERVERS) {
      throw UsageErrors.outOfRange(spec, "--servers", servers, "give 1 to " + MOST_SERVERS);
    }
    if (dataNodes < 1 || dataNodes > MOST_DATA_NODES) {
      throw UsageErrors.outOfRange(spec, "--data-nodes", dataNodes, "give 1 to " + MOST_DATA_NODES);
    }
    ClusterOptions options =
        ClusterOptions.defaults()
            .withRegionServers(servers)
            .withDataNodes(dataNodes)
            .withYarn(!noYarn)
            .withSettings(settings)
            .thatStays();
    SeparateCluster cluster =
        SeparateCluster.start(
            directory.path(),
            noGuard ? options.withoutGuard() : options,
            step -> console.note(step + " …"));
    if (json) {
      console.json(ClusterView.document(cluster));
    } else {
      console.out().println("cluster is running; 'evenkey cluster down' stops it");
      ClusterView.showUse(console, cluster);
    }
    return CommandLine.ExitCode.OK;
  }
}
