/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;

class CommandGroupsTest {
  @Test
  void eachCommandIsInOneGroup() {
    List<String> commands = new ArrayList<>();
    for (Class<?> command : Evenkey.class.getAnnotation(Command.class).subcommands()) {
      commands.add(command.getAnnotation(Command.class).name());
    }
    commands.addAll(List.of("bench", "cluster"));

    assertThat(CommandGroups.COMMANDS.values().stream().flatMap(List::stream))
        .containsExactlyInAnyOrderElementsOf(commands);
  }

  @Test
  void helpListsTheCommandsByGroup() {
    List<String> headings =
        Run.of("--help").out().lines().filter(line -> line.matches("\\w.*:")).toList();

    assertThat(headings)
        .containsSubsequence(
            "Design a key:",
            "Run tables:",
            "Operate a cluster:",
            "Measure and try, from a checkout:");
  }
}
