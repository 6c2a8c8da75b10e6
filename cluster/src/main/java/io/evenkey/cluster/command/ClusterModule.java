/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster.command;

import io.evenkey.cli.CheckoutCommand;
import io.evenkey.cli.Console;
import picocli.CommandLine;

/** Adds {@code cluster} to the command line. */
public final class ClusterModule implements CheckoutCommand {
  @Override
  public CommandLine create(Console console) {
    return new CommandLine(new ClusterCommand())
        .addSubcommand(new ClusterUpCommand(console))
        .addSubcommand(new ClusterStatusCommand(console))
        .addSubcommand(new ClusterDownCommand(console));
  }
}
