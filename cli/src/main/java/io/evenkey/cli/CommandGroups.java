/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The commands by what an operator does with them; {@code --help} lists them so. */
final class CommandGroups {
  /** The commands of each group, in the order of the help. */
  static final Map<String, List<String>> COMMANDS = new LinkedHashMap<>();

  static {
    COMMANDS.put(
        "Design a key",
        List.of("demo", "init", "advise", "explain", "decode", "ranges", "splits", "size"));
    COMMANDS.put(
        "Run tables",
        List.of("plan", "create", "adopt", "import", "export", "scan", "get", "put", "count"));
    COMMANDS.put(
        "Operate a cluster",
        List.of(
            "portal",
            "heat",
            "doctor",
            "verify",
            "migrate",
            "grow",
            "regions",
            "index",
            "server",
            "dev",
            "completion"));
    COMMANDS.put("Measure and try, from a checkout", List.of("bench", "cluster"));
  }

  private CommandGroups() {}

  /** Replaces picocli's one list of commands. */
  static void addTo(CommandLine command) {
    command.getHelpSectionMap().remove(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING);
    command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, CommandGroups::list);
  }

  private static String list(Help help) {
    StringBuilder text = new StringBuilder();
    COMMANDS.forEach(
        (group, names) -> {
          Map<String, Help> commands = new LinkedHashMap<>();
          names.forEach(name -> commands.put(name, help.subcommands().get(name)));
          text.append(help.createHeading("%n" + group + ":%n")).append(help.commandList(commands));
        });
    return text.toString();
  }
}
