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

/** {@code evenkey cluster down}. */
@Command(
    name = "down",
    header = "Stop a cluster; without --keep, delete its data.",
    footerHeading = "%nExamples:%n",
    footer = {"  evenkey cluster down", "  evenkey cluster down --keep"},
    sortOptions = false)
final class ClusterDownCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private ClusterDirectoryOption directory = new ClusterDirectoryOption();

  @Option(
      names = "--keep",
      description = "Stop the servers cleanly, and keep data and logs for the next 'up'.")
  private boolean keep;

  ClusterDownCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    SeparateCluster cluster = SeparateCluster.attach(directory.path());
    if (keep) {
      cluster.stopAndKeep();
      console.out().println("stopped; data and logs are in " + cluster.directory());
    } else {
      cluster.close();
      console.out().println("stopped and deleted: " + cluster.directory());
    }
    return CommandLine.ExitCode.OK;
  }
}
