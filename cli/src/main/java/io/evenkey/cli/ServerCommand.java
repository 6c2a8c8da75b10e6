/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code evenkey server}. */
@Command(
    name = "server",
    header = "Show, add or remove the guard in HBase's servers.",
    description = {
      "",
      "The guard is a coprocessor. It rejects requests of clients that use another layout than the"
          + " table's, or another stage of a migration. Only live migrations need it, in every"
          + " region server and in the master.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {"  evenkey server status", "  evenkey server install"},
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ServerStatusCommand.class,
      ServerInstallCommand.class,
      ServerRemoveCommand.class
    })
final class ServerCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  private ServerCommand() {}

  /** Reports the missing subcommand and lists the available ones. */
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return CommandLine.ExitCode.USAGE;
  }
}
