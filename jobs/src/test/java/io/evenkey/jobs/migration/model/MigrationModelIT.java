/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.model;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.internal.registry.Stage;
import io.evenkey.protocol.guard.GuardMode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** All that can happen during a migration, and what is lost without each rule of the protocol. */
class MigrationModelIT {
  static List<Scenario> scenarios() {
    List<Scenario> scenarios = new ArrayList<>(Scenarios.usual());
    scenarios.addAll(Scenarios.histories());
    if (Boolean.getBoolean("evenkey.deep")) {
      scenarios.addAll(Scenarios.deep());
    }
    return scenarios;
  }

  private static Search.Result search(Scenario scenario) {
    long begun = System.nanoTime();
    Search.Result result = Search.of(scenario, Rule.all());
    System.out.printf(
        "%s: %,d states in %,d ms, ends %s%n",
        scenario, result.states(), (System.nanoTime() - begun) / 1_000_000, result.ends());
    assertThat(String.join("\n", result.violation())).isEmpty();
    assertThat(result.ends()).contains(Stage.FINISHED);
    assertThat(result.ends().contains(Stage.ROLLED_BACK)).isEqualTo(scenario.goingBack());
    return result;
  }

  @Test
  void smallWorldsReachNoErrorStateByAllLinesAndModes() {
    Set<String> programs = new TreeSet<>();
    Set<GuardMode> modes = EnumSet.noneOf(GuardMode.class);
    for (Scenario scenario : Scenarios.small()) {
      Search.Result result = search(scenario);
      programs.addAll(result.programs());
      modes.addAll(result.modes());
    }
    assertThat(programs)
        .as("lines of the table, runs that take over there, and that fail")
        .isEqualTo(Plan.names());
    // A step has a model of its own.
    assertThat(modes)
        .isEqualTo(
            EnumSet.allOf(GuardMode.class).stream()
                .filter(mode -> !mode.isOfStep())
                .collect(toSet()));
  }

  @Tag("ci")
  @ParameterizedTest
  @MethodSource("scenarios")
  void theProtocolReachesNoErrorState(Scenario scenario) {
    search(scenario);
  }

  @Tag("deep")
  @ParameterizedTest
  @EnumSource(
      names = {
        "CREATED_CLOSED",
        "FENCE",
        "LAST_PASS",
        "LASTING",
        "REPAIRED_AGAIN",
        "READ_WHEN_REPAIRED",
        "CLOSED_FIRST_ON_THE_WAY_BACK",
        "DRAIN_PASS",
        "DRAIN_FENCE",
        "DESCRIPTOR_FIRST",
        "CLOSED_REFUSES_READS",
        "CLOSED_BEFORE_OPEN",
        "ANSWER_IS_EXACT",
        "SWITCH_IS_RECORDED",
        "PASS_IS_RECORDED_AFTER",
        "TOMBSTONES_KEPT",
        "FOUND_BY_MARKS",
        "TRACKED_AFTER_SWITCH"
      })
  void withoutARuleAClientMissesItsOwnWriteOrWhatItHadRead(Rule rule) {
    List<String> errors = new ArrayList<>();
    for (Scenario scenario : Scenarios.histories()) {
      List<String> violation = Search.of(scenario, rule.others()).violation();
      errors.addAll(violation.subList(Math.max(0, violation.size() - 1), violation.size()));
    }
    assertThat(errors)
        .as("without " + rule)
        .containsExactly("  => " + Broken.OWN.text(), "  => " + Broken.BACK.text());
  }

  @Tag("ci")
  @ParameterizedTest
  @EnumSource(Rule.class)
  void withoutAnyRuleSomethingIsLost(Rule rule) {
    Search.Result result = Search.of(Scenarios.against(rule), rule.others());
    System.out.println("without " + rule + ", after " + result.states() + " states:");
    result.violation().forEach(System.out::println);
    assertThat(result.violation()).as("without " + rule).isNotEmpty();
  }
}
