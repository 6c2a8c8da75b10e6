/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** All that can happen to an index that clients maintain, and what is lost without each rule. */
@Tag("ci")
class IndexModelIT {
  static List<Scenario> scenarios() {
    List<Scenario> scenarios = new ArrayList<>(Scenarios.usual());
    if (Boolean.getBoolean("evenkey.deep")) {
      scenarios.addAll(Scenarios.deep());
    }
    return scenarios;
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void theProtocolsLoseNoRowAndShowNoPhantom(Scenario scenario) {
    Search.Result result = Search.of(scenario, Rule.all(), false);
    System.out.printf("%s: %,d states, %,d ends%n", scenario, result.states(), result.ends());
    assertThat(String.join("\n", result.violation())).isEmpty();
    assertThat(result.ends()).isPositive();
  }

  @ParameterizedTest
  @EnumSource(Rule.class)
  void withoutAnyRuleARowIsLostOrAPhantomIsSeen(Rule rule) {
    Search.Result result = Search.of(Scenarios.against(rule), rule.others(), true);
    System.out.println("without " + rule + ", after " + result.states() + " states:");
    result.violation().forEach(System.out::println);
    assertThat(result.violation()).as("without " + rule).isNotEmpty();
  }
}
