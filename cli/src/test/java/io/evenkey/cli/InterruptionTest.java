/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

class InterruptionTest {
  private final List<String> said = new ArrayList<>();

  @Test
  void whatIsSaidIsTheLatest() {
    try (Interruption interruption = new Interruption(said::add)) {
      interruption.say();
      interruption.says(() -> "go on with: evenkey export t");
      interruption.finished("file=a is written");
      interruption.say();
    }
    assertThat(said).containsExactly("file=a is written; only its report is missing");
  }

  @Test
  void anotherCommandThatGoesOnIsOnTheSameCluster() {
    CommandSpec grow =
        CommandSpec.create()
            .name("grow")
            .addPositional(PositionalParamSpec.builder().type(String.class).build())
            .addOption(OptionSpec.builder("--buckets").type(int.class).build())
            .addOption(OptionSpec.builder("--conf").type(String.class).build());
    new CommandLine(grow).parseArgs("t", "--conf", "a dir", "--buckets", "6");
    assertThat(Interruption.otherCommand(grow, "evenkey migrate t --resume"))
        .isEqualTo("evenkey migrate t --resume --conf 'a dir'");
    assertThat(Interruption.sameCommand(grow)).isEqualTo("grow t --conf 'a dir' --buckets 6");
  }
}
