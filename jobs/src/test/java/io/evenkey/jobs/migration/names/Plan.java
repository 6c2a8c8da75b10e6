/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.names;

import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.jobs.migration.Act;
import io.evenkey.jobs.migration.Transition;
import io.evenkey.jobs.migration.Transitions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What a run does: the lines of {@link Transitions}, action by action and without the rules that
 * are left out. A program is a number: a line that is gone through, taken over, or that has failed.
 */
final class Plan {
  /** The lines that are searched. */
  static final List<Transition> LINES =
      Transitions.of(new Kind.AnotherSpread(), Migration.Fence.NAMES);

  /** Not begun. */
  static final int IDLE = 0;

  /** At its end, or dead. */
  static final int OVER = 1;

  private static final int FIRST = 2;

  private static final List<Action> RENAME_TARGET =
      List.of(
          Action.TAKE_TURN,
          Action.DISABLE_TARGET,
          Action.SNAPSHOT_TARGET,
          Action.CLONE_TARGET,
          Action.STORE_TARGET,
          Action.DROP_LEFT);

  private final Set<Rule> rules;
  private final List<List<Action>> programs = new ArrayList<>();

  Plan(Set<Rule> rules) {
    this.rules = rules;
    programs.add(List.of());
    programs.add(List.of());
    LINES.forEach(line -> programs.add(going(line)));
    LINES.forEach(line -> programs.add(line.taking().stream().flatMap(this::actions).toList()));
    LINES.forEach(line -> programs.add(failing(line)));
  }

  private boolean has(Rule rule) {
    return rules.contains(rule);
  }

  List<Action> actions(int program) {
    return programs.get(program);
  }

  static Transition line(int program) {
    return LINES.get((program - FIRST) % LINES.size());
  }

  private static int kind(int program) {
    return program < FIRST ? -1 : (program - FIRST) / LINES.size();
  }

  static boolean isGoing(int program) {
    return kind(program) == 0;
  }

  static boolean isFailing(int program) {
    return kind(program) == 2;
  }

  /** The program that goes on from a stage; over, if there is no line. */
  static int going(Stage stage, Transition.Way way) {
    for (int i = 0; i < LINES.size(); i++) {
      if (LINES.get(i).stage() == stage && LINES.get(i).way() == way) {
        return LINES.get(i).next() == null ? OVER : FIRST + i;
      }
    }
    return OVER;
  }

  static int taking(Stage stage, Transition.Way way) {
    int going = going(stage, way);
    return going == OVER ? OVER : going + LINES.size();
  }

  static int failing(int program) {
    return program + 2 * LINES.size();
  }

  /** A program in words. */
  static String name(int program) {
    return switch (kind(program)) {
      case 0 -> "goes on from " + line(program).stage() + " " + line(program).way();
      case 1 -> "takes over at " + line(program).stage() + " " + line(program).way();
      default -> "fails at " + line(program).stage() + " " + line(program).way();
    };
  }

  /** The names of all programs that the table has. */
  static Set<String> names() {
    Set<String> names = new TreeSet<>();
    for (int i = 0; i < LINES.size(); i++) {
      if (LINES.get(i).next() != null && isSearched(LINES.get(i))) {
        names.add(name(FIRST + i));
        if (!LINES.get(i).taking().isEmpty()) {
          names.add(name(FIRST + i + LINES.size()));
        }
        if (LINES.get(i).afterFailure() != null) {
          names.add(name(failing(FIRST + i)));
        }
      }
    }
    return names;
  }

  // The operator goes back from the switch, not a run; what is abandoned has that goal.
  private static boolean isSearched(Transition line) {
    boolean back = line.way() == Transition.Way.BACK;
    return line.stage() == Stage.SWITCHED ? !back : line.stage() != Stage.ABANDONING || back;
  }

  private List<Action> going(Transition line) {
    List<Action> actions = new ArrayList<>();
    line.acts().stream().flatMap(this::actions).forEach(actions::add);
    if (!line.acts().contains(Act.Work.CHANGE_NAMES)) {
      // That one has stored the stage with the names.
      actions.add(Action.STORE_STAGE);
    }
    return actions;
  }

  private List<Action> failing(Transition line) {
    if (line.afterFailure() == null) {
      return List.of();
    }
    List<Action> actions = new ArrayList<>(List.of(Action.TAKE_TURN));
    actions(Act.Work.CONTINUE_AS_CLONE).forEach(actions::add);
    return actions;
  }

  private Stream<Action> actions(Act act) {
    return (switch ((Act.Work) act) {
          case COPY_ROWS -> List.of(Action.COPY);
          case TAKE_TURN -> List.of(Action.TAKE_TURN);
          case RENAME_TARGET -> has(Rule.RENEW_THE_TARGET) ? RENAME_TARGET : List.<Action>of();
          case COMPARE_FILES ->
              has(Rule.SNAPSHOT_BEFORE_THE_COMPARISON)
                  ? List.of(Action.SNAPSHOT, Action.COMPARE, Action.PASS)
                  : List.of(Action.COMPARE, Action.LATE_SNAPSHOT, Action.PASS);
          case TAKE_SNAPSHOT ->
              has(Rule.SNAPSHOT_BEFORE_THE_SWITCH)
                  ? List.of(Action.SNAPSHOT_BEFORE_SWITCH)
                  : List.<Action>of();
          case CONTINUE_AS_CLONE -> continueAsClone();
          case CHANGE_NAMES -> changeNames();
          // They change no row.
          case KEEP_TOMBSTONES, COPY_RIGHTS -> List.<Action>of();
          default -> throw new IllegalStateException("not modelled: " + act);
        })
        .stream();
  }

  private List<Action> continueAsClone() {
    return has(Rule.NEVER_ENABLE)
        ? List.of(
            Action.DISABLE_SOURCE,
            Action.SNAPSHOT_SOURCE,
            Action.CLONE_SOURCE,
            Action.STORE_SOURCE,
            Action.DROP_LEFT)
        : List.of(Action.ENABLE_SOURCE, Action.STORE_SOURCE);
  }

  private List<Action> changeNames() {
    List<Action> actions =
        new ArrayList<>(
            List.of(Action.DISABLE_SOURCE, Action.SNAPSHOT_SOURCE, Action.CLONE_SOURCE));
    if (has(Rule.LEAVE_BEFORE_THE_LAST_PASS)) {
      actions.add(Action.LAST_PASS);
    } else {
      actions.add(0, Action.PASS);
    }
    actions.add(Action.SWITCH);
    if (!has(Rule.SNAPSHOT_BEFORE_THE_SWITCH)) {
      actions.add(Action.SNAPSHOT_BEFORE_SWITCH);
    }
    if (has(Rule.NEVER_ENABLE)) {
      actions.add(Action.DROP_LEFT);
    }
    return actions;
  }
}
