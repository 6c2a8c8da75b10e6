/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.internal.remedy.Remedy;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CommandWordsTest {
  @Test
  void stepsAreNamedWithTheTableAndTheIndexOfTheMessage() {
    assertThat(
            CommandWords.in(
                "copy failed: table=t job=1; its log has the details; " + Remedy.RESUME_MIGRATION))
        .isEqualTo(
            "copy failed: table=t job=1; its log has the details; resume the migration ('evenkey"
                + " migrate t --resume')");
    assertThat(CommandWords.in("index is not read: table=t index=by_a; " + Remedy.REPAIR_INDEX))
        .endsWith("; verify and repair the index ('evenkey index verify t by_a --repair')");
    assertThat(CommandWords.in("load stopped: records_written=5; " + Remedy.RESUME_LOAD))
        .isEqualTo("load stopped: records_written=5; resume the load (--resume)");
    assertThat(
            CommandWords.in(
                "generation is gone: table=t.g2; " + Remedy.ROLL_BACK, "t", all -> true))
        .endsWith("; roll the migration back ('evenkey migrate t --rollback')");
    assertThat(
            CommandWords.in(
                "no header; " + Remedy.NAME_COLUMNS + " or " + Remedy.NAME_FORMAT,
                null,
                option -> option.equals("--format")))
        .as("a command that does not have the other option")
        .isEqualTo("no header; name the columns or name the format (--format)");
    assertThat(CommandWords.in("no such file: path=a")).isEqualTo("no such file: path=a");
  }

  @ParameterizedTest
  @EnumSource
  void stepsHaveWordsOfTheirOwnAndGetTheCommandOnce(Remedy step) {
    assertThat(Arrays.stream(Remedy.values()).filter(one -> one != step))
        .noneMatch(one -> one.toString().contains(step.toString()));
    assertThat(step.toString()).doesNotContain("--", "evenkey");
    String once = CommandWords.in("rule: table=t; " + step);
    assertThat(once).matches(".*; [a-z ]+ \\(('evenkey .*'|--.*)\\)");
    assertThat(CommandWords.in(once)).isEqualTo(once);
  }
}
