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
 * All that can happen while a replicated table and its peer are migrated, the link stops, runs are
 * killed and the peer takes over; and what goes wrong without each of the rules.
 */
class PeerModelIT {
  private static Search<State> search(Set<Rule> rules, int writes) {
    Search<State> search = new Search<>(new World(rules, writes));
    search.run();
    System.out.println("peers: " + writes + " writes, " + search.states() + " states");
    search.trace().forEach(System.out::println);
    return search;
  }

  private static void check(int writes) {
    Search<State> search = search(Rule.all(), writes);
    assertThat(search.trace()).isEmpty();
    assertThat(search.all())
        .extracting(state -> state.stage(State.B))
        .as("stages of the peer's migration")
        .contains(Stage.SWITCHED, Stage.FINISHED, Stage.RETURNING, Stage.ROLLED_BACK);
  }

  @Test
  void theProtocolReachesNoErrorState() {
    check(2);
  }

  @Tag("deep")
  @Test
  void theProtocolReachesNoErrorStateWithMoreWrites() {
    check(3);
  }

  @Tag("ci")
  @ParameterizedTest
  @EnumSource(Rule.class)
  void withoutAnyRuleSomethingIsLost(Rule rule) {
    Search<State> small = search(rule.others(), 2);
    Search<State> found = small.trace().isEmpty() ? search(rule.others(), 3) : small;
    assertThat(found.trace()).as("without " + rule).isNotEmpty();
  }
}
