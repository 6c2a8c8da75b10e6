/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;

class CommandGroupsTest {
  private static final Pattern GROUP = Pattern.compile("\\| \\*\\*(.+)\\*\\* \\| \\|");
  private static final Pattern COMMAND = Pattern.compile("\\| `([a-z]+)` \\| .+");

  @Test
  void eachCommandIsInOneGroup() {
    List<String> commands = new ArrayList<>();
    for (Class<?> command : Evenkey.class.getAnnotation(Command.class).subcommands()) {
      commands.add(command.getAnnotation(Command.class).name());
    }

    assertThat(CommandGroups.COMMANDS.values().stream().flatMap(List::stream))
        .containsExactlyInAnyOrderElementsOf(commands);
  }

  @Test
  void helpListsTheCommandsByGroup() {
    List<String> headings =
        Run.of("--help").out().lines().filter(line -> line.matches("\\w.*:")).toList();

    assertThat(headings).containsSubsequence("Design a key:", "Run tables:", "Operate a cluster:");
  }

  @Test
  void readmeListsTheSameGroups() throws IOException {
    Map<String, List<String>> inReadme = new LinkedHashMap<>();
    List<String> group = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("..", "README.md"))) {
      Matcher heading = GROUP.matcher(line);
      Matcher command = COMMAND.matcher(line);
      if (heading.matches()) {
        group = new ArrayList<>();
        inReadme.put(heading.group(1), group);
      } else if (line.startsWith("## ")) {
        group = new ArrayList<>();
      } else if (command.matches()) {
        group.add(command.group(1));
      }
    }

    assertThat(inReadme).containsAllEntriesOf(CommandGroups.COMMANDS);
  }
}
