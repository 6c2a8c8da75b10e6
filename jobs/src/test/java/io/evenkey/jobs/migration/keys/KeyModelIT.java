/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All that can happen while rows get another key, and what is wrong without each of the rules. */
@Tag("ci")
class KeyModelIT {
  private static Search searched(World world) {
    Search search = new Search(world);
    search.run();
    return search;
  }

  private static List<World> worlds(Set<Rule> rules) {
    return List.of(new WayThere(rules), new WayBack(rules));
  }

  @Test
  void theProtocolReachesNoErrorState() {
    for (World world : worlds(Rule.all())) {
      Search search = searched(world);
      System.out.println(world.getClass().getSimpleName() + ": " + search.states() + " states");
      assertThat(search.trace()).isEmpty();
      assertThat(search.ended()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(Rule.class)
  void withoutAnyRuleSomethingIsWrong(Rule rule) {
    Search search = searched(worlds(rule.others()).get(rule.isOfTheWayBack() ? 1 : 0));
    System.out.println("without " + rule + ", after " + search.states() + " states:");
    search.trace().forEach(System.out::println);
    assertThat(search.trace()).as("without " + rule).isNotEmpty();
  }
}
