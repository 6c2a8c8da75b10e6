/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster.command;

import io.evenkey.cli.Console;
import io.evenkey.cluster.SeparateCluster;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evenkey cluster status}. */
@Command(
    name = "status",
    header = "Show the processes of a cluster, and how to connect to it.",
    description = {
      "",
      "To test failures, send signals to one process: 'kill -9 PID', 'kill -STOP PID' and "
          + "'kill -CONT PID'.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {"  evenkey cluster status", "  evenkey cluster status --json"},
    sortOptions = false)
final class ClusterStatusCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private ClusterDirectoryOption directory = new ClusterDirectoryOption();

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  ClusterStatusCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    // Not closed: close() would stop the cluster.
    SeparateCluster cluster = SeparateCluster.attach(directory.path());
    if (json) {
      console.json(ClusterView.document(cluster));
    } else {
      ClusterView.showProcesses(console, cluster);
      console.out().println();
      ClusterView.showUse(console, cluster);
    }
    return CommandLine.ExitCode.OK;
  }
}
