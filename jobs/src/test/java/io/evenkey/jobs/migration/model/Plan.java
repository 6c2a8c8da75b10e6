/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.model;

import static io.evenkey.jobs.migration.model.State.S;
import static io.evenkey.jobs.migration.model.State.T;

import io.evenkey.jobs.migration.model.Act.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The acts of the migrator in each stage. A run that takes over begins its stage from the start.
 */
final class Plan {
  private final Map<Stage, List<Act>> acts = new EnumMap<>(Stage.class);
  private final Set<Rule> rules;

  Plan(Set<Rule> rules) {
    this.rules = rules;
    stage(
        Stage.TAKEOVER,
        when(Rule.TURN_FIRST, Act.of(Kind.SET_TURN, S)),
        when(Rule.TURN_FIRST, Act.of(Kind.SET_TURN, T)),
        List.of(Act.of(Kind.STORE)));
    stage(
        Stage.TAKEOVER_BACK,
        when(Rule.TURN_FIRST, Act.of(Kind.SET_TURN, T)),
        when(Rule.TURN_FIRST, Act.of(Kind.SET_TURN, S)),
        List.of(Act.of(Kind.STORE)));
    stage(Stage.CREATING, List.of(Act.of(Kind.CREATE), Act.of(Kind.STORE)));
    stage(
        Stage.COPYING,
        List.of(Act.set(S, Mode.TRACKED, 1), Act.of(Kind.COPY, T), Act.of(Kind.STORE)));
    stage(
        Stage.PASSES,
        List.of(Act.set(S, Mode.TRACKED, Act.NEXT)),
        unless(Rule.PASS_IS_RECORDED_AFTER, Act.of(Kind.STORE_PASS)),
        List.of(Act.of(Kind.REPAIR, T), Act.of(Kind.STORE)));
    stage(Stage.FENCING, fencing(S, T), List.of(Act.of(Kind.STORE)));
    stage(
        Stage.CLOSING,
        closing(S, T),
        unless(Rule.SWITCH_IS_RECORDED, opening()),
        List.of(Act.of(Kind.STORE)));
    stage(Stage.SWITCHING, when(Rule.SWITCH_IS_RECORDED, opening()), List.of(Act.of(Kind.STORE)));
    stage(Stage.SWITCHED, List.of(Act.of(Kind.STORE)));
    stage(Stage.FINISHING, List.of(Act.set(T, Mode.OPEN, 0), Act.of(Kind.STORE)));
    stage(
        Stage.ABANDONING,
        when(Rule.CLOSED_FIRST_ON_THE_WAY_BACK, Act.set(T, Mode.CLOSED, 0)),
        List.of(Act.set(S, Mode.OPEN, 0), Act.of(Kind.STORE)));
    stage(Stage.RETREATING, retreating(S, T), List.of(Act.of(Kind.STORE)));
    stage(Stage.BACK_RETREATING, retreating(T, S), List.of(Act.of(Kind.STORE)));
    stage(
        Stage.BACK_PASSES,
        when(Rule.TRACKED_AFTER_SWITCH, Act.set(T, Mode.TRACKED, Act.NEXT)),
        List.of(Act.of(Kind.REPAIR, S), Act.of(Kind.STORE)));
    stage(Stage.BACK_FENCING, fencing(T, S), closing(T, S), List.of(Act.of(Kind.STORE)));
    stage(
        Stage.BACK_SWITCHING,
        List.of(Act.set(T, Mode.CLOSED, 0), Act.set(S, Mode.OPEN, 0), Act.of(Kind.STORE)));
  }

  private List<Act> fencing(int primary, int secondary) {
    List<Act> acts = new ArrayList<>();
    if (!rules.contains(Rule.READ_WHEN_REPAIRED)) {
      acts.add(Act.set(secondary, Mode.READ_ONLY, 0));
    }
    acts.addAll(when(Rule.FENCE, Act.set(primary, Mode.FENCED, Act.PRESENT)));
    acts.addAll(when(Rule.LAST_PASS, Act.of(Kind.REPAIR_ALL, secondary)));
    return acts;
  }

  private List<Act> closing(int primary, int secondary) {
    List<Act> acts = new ArrayList<>();
    Act closed = Act.set(primary, Mode.CLOSED, Act.PRESENT);
    Act again = Act.of(Kind.REPAIR_UNLESS_HELD, secondary);
    boolean lasting = rules.contains(Rule.LASTING) && rules.contains(Rule.FENCE);
    if (lasting) {
      acts.add(Act.set(primary, Mode.READ_ONLY, Act.PRESENT));
    }
    if (lasting && rules.contains(Rule.REPAIRED_AGAIN)) {
      acts.add(again);
    }
    acts.add(Act.set(secondary, Mode.READ_ONLY, 0));
    acts.add(closed);
    if (rules.contains(Rule.FENCE) && !rules.contains(Rule.LASTING)) {
      acts.add(again);
    }
    return acts;
  }

  private List<Act> retreating(int primary, int secondary) {
    Act go = Act.set(primary, Mode.TRACKED, Act.PRESENT);
    Act closed = Act.set(secondary, Mode.CLOSED, 0);
    return rules.contains(Rule.CLOSED_FIRST_ON_THE_WAY_BACK) ? List.of(closed, go) : List.of(go);
  }

  private Act opening() {
    return rules.contains(Rule.TRACKED_AFTER_SWITCH)
        ? Act.set(T, Mode.TRACKED, 1)
        : Act.set(T, Mode.OPEN, 0);
  }

  private List<Act> when(Rule rule, Act act) {
    return rules.contains(rule) ? List.of(act) : List.of();
  }

  private List<Act> unless(Rule rule, Act act) {
    return rules.contains(rule) ? List.of() : List.of(act);
  }

  @SafeVarargs
  private void stage(Stage stage, List<Act>... parts) {
    List<Act> all = new ArrayList<>();
    for (List<Act> part : parts) {
      all.addAll(part);
    }
    acts.put(stage, List.copyOf(all));
  }

  /** The acts of a stage; empty for a stage in which the migrator only waits. */
  List<Act> of(Stage stage) {
    return acts.getOrDefault(stage, List.of());
  }

  /** The stages that can follow. */
  static List<Stage> after(Stage stage, Scenario scenario, int passesDone) {
    List<Stage> next = new ArrayList<>();
    switch (stage) {
      case CREATING -> next.add(Stage.COPYING);
      case COPYING -> next.add(scenario.passes() > 0 ? Stage.PASSES : Stage.FENCING);
      case PASSES -> {
        next.add(Stage.FENCING);
        if (passesDone < scenario.passes()) {
          next.add(Stage.PASSES);
        }
      }
      case FENCING -> next.add(Stage.CLOSING);
      case CLOSING -> next.add(Stage.SWITCHING);
      case SWITCHING -> next.add(Stage.SWITCHED);
      case SWITCHED -> {
        next.add(Stage.FINISHING);
        if (scenario.goingBack()) {
          next.add(scenario.passes() > 0 ? Stage.BACK_PASSES : Stage.BACK_FENCING);
        }
      }
      case FINISHING -> next.add(Stage.FINISHED);
      case ABANDONING -> next.add(Stage.ABANDONED);
      case RETREATING -> next.add(scenario.passes() > 0 ? Stage.PASSES : Stage.FENCING);
      case BACK_RETREATING -> next.add(Stage.SWITCHED);
      case BACK_PASSES -> next.add(Stage.BACK_FENCING);
      case BACK_FENCING -> next.add(Stage.BACK_SWITCHING);
      case BACK_SWITCHING -> next.add(Stage.BACK);
      default -> {
        // The end, or no stage of a migration.
      }
    }
    if (scenario.goingBack() && stage.canBeAbandoned()) {
      next.add(Stage.ABANDONING);
    }
    return next;
  }
}
