/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.names;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All that can happen during a migration by names, and what is lost without each of its rules. */
@Tag("long")
class NameModelIT {
  private final Map<State, State> before = new HashMap<>();
  private final Deque<State> open = new ArrayDeque<>();
  private boolean switched;
  private String wrong = "";
  private State last = World.start();

  /** Looks at all states, the nearest first, until something is wrong. */
  private void search(Set<Rule> rules) {
    World world = new World(rules);
    State start = World.start();
    before.put(start, start);
    open.add(start);
    while (!open.isEmpty() && wrong.isEmpty()) {
      State state = open.remove();
      switched |= state.get(State.STAGE) == World.SWITCHED;
      world.next(
          state,
          (next, what) -> {
            if (wrong.isEmpty() && before.putIfAbsent(next, state) == null) {
              wrong = World.wrong(next);
              last = next;
              open.add(next);
            }
          });
    }
  }

  private List<String> trace(Set<Rule> rules) {
    List<State> states = new ArrayList<>();
    for (State at = last; !at.equals(World.start()); at = before.get(at)) {
      states.add(at);
    }
    Collections.reverse(states);
    List<String> trace = new ArrayList<>();
    State[] from = {World.start()};
    for (State to : states) {
      String[] how = {""};
      new World(rules)
          .next(
              from[0],
              (next, what) -> {
                if (next.equals(to)) {
                  how[0] = what;
                }
              });
      trace.add(how[0]);
      from[0] = to;
    }
    trace.add(wrong);
    return trace;
  }

  @Test
  void theProtocolReachesNoErrorState() {
    search(Rule.all());
    System.out.println("by names: " + before.size() + " states");
    assertThat(wrong.isEmpty() ? List.of() : trace(Rule.all())).isEmpty();
    assertThat(switched).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Rule.class)
  void withoutAnyRuleSomethingIsLost(Rule rule) {
    search(rule.others());
    assertThat(wrong).as("without " + rule).isNotEmpty();
    System.out.println("without " + rule + ", after " + before.size() + " states:");
    trace(rule.others()).forEach(System.out::println);
  }
}
