/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.internal.registry.Stage;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All that can happen during a migration by names, and what is lost without each of its rules. */
class NameModelIT {
  private static Search searched(Set<Rule> rules, int... calls) {
    Search search = new Search(new World(rules, calls)).run();
    System.out.printf("by names: %,d states%n", search.states());
    return search;
  }

  @Test
  void aSmallWorldReachesNoErrorStateByAllLinesAndStages() {
    Search search = searched(Rule.all(), 1, 0);
    assertThat(search.trace()).isEmpty();
    assertThat(search.programs())
        .as("lines of the table, runs that take over there, and that fail")
        .isEqualTo(Plan.names());
    // With the guard only.
    assertThat(search.stages())
        .isEqualTo(
            EnumSet.complementOf(
                EnumSet.of(Stage.CLOSING, Stage.SWITCHING, Stage.FINISHING, Stage.RETURNING)));
  }

  @Tag("ci")
  @Test
  void theProtocolReachesNoErrorState() {
    assertThat(searched(Rule.all(), 2, 1).trace()).isEmpty();
  }

  @Tag("ci")
  @ParameterizedTest
  @EnumSource(Rule.class)
  void withoutAnyRuleSomethingIsLost(Rule rule) {
    Search search = searched(rule.others(), 2, 1);
    assertThat(search.trace()).as("without " + rule).isNotEmpty();
    System.out.println("without " + rule + ":");
    search.trace().forEach(System.out::println);
  }
}
