/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code evenkey completion}. */
@Command(
    name = "completion",
    header = "Print the completion script for bash and zsh.",
    description = {
      "",
      "The script completes commands, options and the values of options. The packages install it.",
      ""
    },
    footerHeading = "%nExample, in ~/.bashrc or ~/.zshrc:%n",
    footer = "  source <(evenkey completion)")
final class CompletionCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  CompletionCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    console.out().print(AutoComplete.bash(root.getCommandName(), root));
    return CommandLine.ExitCode.OK;
  }
}
