/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code evenkey completion}. */
@Command(
    name = "completion",
    header = "Print the completion script for bash and zsh.",
    description = {
      "",
      "The script completes commands, options and values of options. For names of tables, plans and"
          + " indexes, it asks the cluster that the line or the environment names. The packages"
          + " install it.",
      ""
    },
    footerHeading = "%nExample, in ~/.bashrc or ~/.zshrc:%n",
    footer = "  source <(evenkey completion)")
final class CompletionCommand implements Callable<Integer> {
  // Bash takes a colon for the end of a word: what stands before it is left out. Zsh does not.
  private static final String NAMES =
      """

      # Names in the cluster that may stand at the end of the line.
      function _evenkey_names() {
        local line="${COMP_LINE:0:${COMP_POINT:-${#COMP_LINE}}}"
        local word="${line##* }"
        local before="${word%"${word##*:}"}"
        if [ -n "${ZSH_VERSION-}" ]; then before=; fi
        "${COMP_WORDS[0]}" completion --line "$line" 2>/dev/null \\
          | while IFS= read -r name; do printf '%s\\n' "${name#"$before"}"; done
      }
      """;

  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--line",
      hidden = true,
      paramLabel = "LINE",
      description = "Print what may stand at the end of this line: names of the cluster.")
  private @Nullable String line;

  CompletionCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    if (line == null) {
      console.out().print(script(root));
    } else {
      NameCompletion.of(root, line).names().forEach(console.out()::println);
    }
    return CommandLine.ExitCode.OK;
  }

  // Picocli's script knows no arguments of a command but those with a fixed set of values.
  private static String script(CommandLine root) {
    return AutoComplete.bash(root.getCommandName(), root)
            .replace("positionals=\"\"\n", "positionals=\"$(_evenkey_names)\"\n")
        + NAMES;
  }
}
