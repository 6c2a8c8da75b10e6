/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.steps;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.internal.registry.Stage;
import io.evenkey.jobs.migration.Act;
import io.evenkey.jobs.migration.Transition;
import io.evenkey.protocol.guard.GuardMode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All that can happen while a step is taken, and what goes wrong without each of its rules. */
class StepModelIT {
  private static final World.Bounds GUARDED = new World.Bounds(State.RUNS, 2, 0);

  /** A region opens once on a server without the guard. */
  private static final World.Bounds GAP = new World.Bounds(State.RUNS, 1, 1);

  /** The way to a state: the one before it and the step that was taken. */
  private record From(State state, String what) {}

  private final Map<State, From> before = new HashMap<>();
  private final Deque<State> open = new ArrayDeque<>();
  private final Set<Act.ChangeStep> acted = new HashSet<>();
  private final Set<Stage> stages = EnumSet.noneOf(Stage.class);
  private List<String> trace = List.of();

  /** Looks at all states, the nearest first, until something is wrong. */
  private void search(Set<Rule> rules, World.Bounds bounds) {
    World world = new World(rules, bounds);
    State start = World.start();
    before.put(start, new From(start, ""));
    open.add(start);
    while (!open.isEmpty() && trace.isEmpty()) {
      State state = open.remove();
      for (int region = 0; region < State.REGIONS; region++) {
        acted.add(World.STATES.get(state.region(region)));
      }
      stages.add(World.stage(state));
      world.next(
          state,
          (next, what) -> {
            if (before.putIfAbsent(next, new From(state, what)) == null) {
              open.add(next);
              if (trace.isEmpty() && world.isWrong(next)) {
                trace = trace(next);
              }
            }
          });
    }
  }

  private List<String> trace(State wrong) {
    List<String> steps = new ArrayList<>();
    for (State at = wrong; !at.equals(World.start()); at = before.get(at).state()) {
      steps.add(before.get(at).what());
    }
    Collections.reverse(steps);
    steps.add("a client can read a value that was replaced");
    return steps;
  }

  @Test
  void theProtocolReachesNoErrorState() {
    search(Rule.all(), GUARDED);
    System.out.println("steps: " + before.size() + " states");
    assertThat(trace).isEmpty();
    assertThat(stages)
        .as("stages of the table")
        .isEqualTo(World.LINES.stream().map(Transition::stage).collect(toSet()));
    assertThat(acted).as("states by which a region acted").isEqualTo(Set.copyOf(World.STATES));
    assertThat(World.changes()).as("states of the table").isEqualTo(Set.copyOf(World.STATES));
    assertThat(acted)
        .extracting(Act.ChangeStep::mode)
        .as("modes of a step")
        .containsAll(Arrays.stream(GuardMode.values()).filter(GuardMode::isOfStep).toList());
  }

  @Test
  void oneRunReachesNoErrorStateWithAServerWithoutTheGuard() {
    search(Rule.all(), new World.Bounds(1, 1, 1));
    System.out.println("steps, a server without the guard, one run: " + before.size() + " states");
    assertThat(trace).isEmpty();
  }

  @Tag("ci")
  @Test
  void twoRunsReachNoErrorStateWithAServerWithoutTheGuard() {
    search(Rule.all(), GAP);
    System.out.println("steps, a server without the guard: " + before.size() + " states");
    assertThat(trace).isEmpty();
  }

  @Tag("ci")
  @ParameterizedTest
  @EnumSource(Rule.class)
  void withoutAnyRuleSomethingIsLost(Rule rule) {
    search(rule.others(), rule.isForGaps() ? GAP : GUARDED);
    System.out.println("without " + rule + ", after " + before.size() + " states:");
    trace.forEach(System.out::println);
    assertThat(trace).as("without " + rule).isNotEmpty();
  }
}
