/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** All that can happen during a migration, and what is lost without each rule of the protocol. */
@Tag("long")
class MigrationModelIT {
  static List<Scenario> scenarios() {
    List<Scenario> scenarios = new ArrayList<>(Scenarios.usual());
    if (Boolean.getBoolean("evenkey.deep")) {
      scenarios.addAll(Scenarios.deep());
    }
    return scenarios;
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void theProtocolReachesNoErrorState(Scenario scenario) {
    Search.Result result = Search.of(scenario, Rule.all());
    System.out.println(scenario + ": " + result.states() + " states, ends " + result.ends());
    assertThat(String.join("\n", result.violation())).isEmpty();
    assertThat(result.ends()).contains(Stage.FINISHED);
    assertThat(result.ends().contains(Stage.BACK)).isEqualTo(scenario.goingBack());
    assertThat(result.ends().contains(Stage.ABANDONED)).isEqualTo(scenario.goingBack());
  }

  @ParameterizedTest
  @EnumSource(Rule.class)
  void withoutAnyRuleSomethingIsLost(Rule rule) {
    Search.Result result = Search.of(Scenarios.against(rule), rule.others());
    System.out.println("without " + rule + ", after " + result.states() + " states:");
    result.violation().forEach(System.out::println);
    assertThat(result.violation()).as("without " + rule).isNotEmpty();
  }
}
