/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.internal.registry.Stage;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * All that can happen while a replicated table and its peer take a step in place, the link stops,
 * runs are killed and the peer takes over; and what goes wrong without each of the rules.
 */
class PeerStepModelIT {
  /** Of clients at the source. */
  private static final int WRITES = 2;

  private static Search<StepState> search(Set<StepRule> rules) {
    Search<StepState> search = new Search<>(new StepWorld(rules, WRITES));
    search.run();
    System.out.println("step on a peer: " + search.states() + " states");
    search.trace().forEach(System.out::println);
    return search;
  }

  @Test
  void theProtocolReachesNoErrorState() {
    Search<StepState> search = search(StepRule.all());
    assertThat(search.trace()).isEmpty();
    assertThat(search.all())
        .extracting(state -> state.peer().stage())
        .as("stages of the peer's migration")
        .contains(Stage.VERIFYING, Stage.CLOSING, Stage.SWITCHING, Stage.ABANDONING);
    assertThat(search.all()).anyMatch(state -> StepWorld.hasTaken(state.peer()));
  }

  @Tag("ci")
  @ParameterizedTest
  @EnumSource(StepRule.class)
  void withoutAnyRuleSomethingIsLost(StepRule rule) {
    assertThat(search(rule.others()).trace()).as("without " + rule).isNotEmpty();
  }
}
