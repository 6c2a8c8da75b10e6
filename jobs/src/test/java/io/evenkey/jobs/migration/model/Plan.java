/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.model;

import static io.evenkey.jobs.migration.Act.Generation.SOURCE;
import static io.evenkey.jobs.migration.Act.Generation.TARGET;

import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.jobs.migration.Act;
import io.evenkey.jobs.migration.Transition;
import io.evenkey.jobs.migration.Transitions;
import io.evenkey.protocol.guard.GuardMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a run does: the lines of {@link Transitions}, without the rules that are left out. A program
 * is a number: a line that is gone through, taken over, or that has failed.
 */
final class Plan {
  /** The lines that are searched. */
  static final List<Transition> LINES =
      Transitions.of(new Kind.AnotherSpread(), Migration.Fence.GUARD);

  /**
   * What changes no row: the copy makes both generations alike here, and {@code PeerModelIT} has
   * the checks of other clusters.
   */
  private static final List<Act.Work> NOT_MODELLED =
      List.of(
          Act.Work.COMPARE_ROWS,
          Act.Work.PREPARE_SWITCH,
          Act.Work.PREPARE_RETURN,
          Act.Work.RETURN_RIGHTS,
          Act.Work.CHECK_CLUSTERS,
          Act.Work.CHECK_ARRIVED,
          Act.Work.TAKE_OWN_NAME);

  /** This run has not begun, or has stopped. */
  static final int NONE = 0;

  /** Makes the target and stores the first stage. */
  static final int BEGIN = 1;

  private static final int FIRST = 2;

  private final Rules rules;
  private final List<List<Act>> programs = new ArrayList<>();

  /** The rules that hold. */
  @FunctionalInterface
  interface Rules {
    boolean has(Rule rule);
  }

  Plan(Rules rules) {
    this.rules = rules;
    programs.add(List.of());
    programs.add(List.of());
    LINES.forEach(line -> programs.add(acts(line)));
    LINES.forEach(line -> programs.add(rules.has(Rule.TURN_FIRST) ? line.taking() : List.of()));
    LINES.forEach(line -> programs.add(failing(line)));
  }

  /** The acts of a program. */
  List<Act> acts(int program) {
    return programs.get(program);
  }

  static Transition line(int program) {
    return LINES.get((program - FIRST) % LINES.size());
  }

  /** Whether a run goes through a line. */
  static boolean isLine(int program) {
    return program >= FIRST && program < FIRST + LINES.size();
  }

  static boolean isTaking(int program) {
    return program >= FIRST && (program - FIRST) / LINES.size() == 1;
  }

  static boolean isFailing(int program) {
    return program >= FIRST && (program - FIRST) / LINES.size() == 2;
  }

  static int taking(Stage stage) {
    return lines(stage, true).get(0) + LINES.size();
  }

  static int failing(int program) {
    return program + 2 * LINES.size();
  }

  /** The programs that go on from a stage. */
  static List<Integer> lines(Stage stage, boolean goingBack) {
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < LINES.size(); i++) {
      Transition line = LINES.get(i);
      if (line.stage() == stage
          && line.next() != null
          && isSearched(line)
          && (goingBack || line.way() == Transition.Way.FORWARD)) {
        found.add(FIRST + i);
      }
    }
    return found;
  }

  /** Whether a line is for more than a source that was dropped past Evenkey. */
  static boolean isSearched(Transition line) {
    return line.stage() != Stage.RETURNING || line.way() == Transition.Way.BACK;
  }

  /** A program in words. */
  static String name(int program) {
    Transition line = line(program);
    if (isTaking(program)) {
      return "takes over at " + line.stage();
    }
    return (isFailing(program) ? "fails at " : "goes on from ") + line.stage() + " " + line.way();
  }

  /** The names of all programs that the table has. */
  static Set<String> names() {
    Set<String> names = new TreeSet<>();
    for (Transition line : LINES) {
      if (line.next() != null && isSearched(line)) {
        int program = FIRST + LINES.indexOf(line);
        names.add(name(program));
        names.add(name(taking(line.stage())));
        if (line.afterFailure() != null) {
          names.add(name(failing(program)));
        }
      }
    }
    return names;
  }

  static boolean isEnd(@Nullable Stage stage) {
    return stage != null && stage.isOver();
  }

  private List<Act> failing(Transition line) {
    if (line.afterFailure() == null) {
      return List.of();
    }
    List<Act> acts = new ArrayList<>(line(taking(line.afterFailure())).taking());
    if (!rules.has(Rule.CLOSED_FIRST_ON_THE_WAY_BACK)) {
      acts.remove(0);
    }
    return acts;
  }

  private List<Act> acts(Transition line) {
    List<Act> acts = new ArrayList<>();
    for (Act act : line.acts()) {
      if (act instanceof Act.Passes passes) {
        acts.addAll(passes.acts());
      } else {
        acts.add(act);
      }
    }
    acts.removeAll(NOT_MODELLED);
    leaveOut(line, acts);
    return List.copyOf(acts);
  }

  private void leaveOut(Transition line, List<Act> acts) {
    Act.Generation primary = line.primary();
    int fenced = acts.indexOf(change(primary, GuardMode.FENCED));
    if (fenced >= 0 && !rules.has(Rule.READ_WHEN_REPAIRED)) {
      acts.add(fenced, change(primary.other(), GuardMode.READ_ONLY));
    }
    if (!rules.has(Rule.TURN_FIRST)) {
      acts.remove(new Act.Change(primary.other(), null, Act.Marks.SAME_PASS));
      if (fenced >= 0) {
        acts.remove(change(primary.other(), GuardMode.CLOSED));
      }
    }
    if (!rules.has(Rule.FENCE)) {
      acts.remove(change(primary, GuardMode.FENCED));
    }
    if (!rules.has(Rule.LAST_PASS)) {
      acts.remove(Act.Work.REPAIR_LAST);
    }
    int closed = acts.indexOf(change(primary, GuardMode.CLOSED));
    if (closed >= 0 && line.afterFailure() != null) {
      leaveOutLasting(primary, acts);
    }
    if (line.stage() == Stage.ABANDONING && !rules.has(Rule.CLOSED_FIRST_ON_THE_WAY_BACK)) {
      acts.remove(change(TARGET, GuardMode.CLOSED));
    }
    if (!rules.has(Rule.PASS_IS_RECORDED_AFTER) && acts.contains(Act.Work.REPAIR_MARKED)) {
      acts.remove(Act.Work.RECORD_PASS);
      acts.add(acts.indexOf(Act.Work.REPAIR_MARKED), Act.Work.RECORD_PASS);
    }
    if (!rules.has(Rule.TRACKED_AFTER_SWITCH)) {
      acts.replaceAll(
          act ->
              act instanceof Act.Change change
                      && change.generation() == TARGET
                      && change.mode() == GuardMode.TRACKED
                  ? change(TARGET, GuardMode.OPEN)
                  : act);
      if (line.stage() == Stage.SWITCHED) {
        acts.remove(new Act.Change(TARGET, null, Act.Marks.NEXT_PASS));
      }
    }
    if (!rules.has(Rule.SWITCH_IS_RECORDED)) {
      join(line, Stage.CLOSING, Stage.SWITCHING, acts);
    }
    if (!rules.has(Rule.FINISH_IS_RECORDED)) {
      join(line, Stage.SWITCHED, Stage.FINISHING, acts);
    }
  }

  // Does the acts of a stage before it is recorded.
  private static void join(Transition line, Stage stage, Stage after, List<Act> acts) {
    if (line.stage() == after) {
      acts.clear();
    } else if (line.stage() == stage && line.way() == Transition.Way.FORWARD) {
      acts.addAll(line(lines(after, false).get(0)).acts());
      acts.removeAll(NOT_MODELLED);
    }
  }

  private void leaveOutLasting(Act.Generation primary, List<Act> acts) {
    if (!rules.has(Rule.LASTING) || !rules.has(Rule.FENCE)) {
      acts.remove(change(primary, GuardMode.READ_ONLY));
      acts.remove(Act.Work.REPAIR_UNLESS_FENCE_HELD);
      if (rules.has(Rule.FENCE)) {
        acts.add(
            acts.indexOf(change(primary, GuardMode.CLOSED)) + 1, Act.Work.REPAIR_UNLESS_FENCE_HELD);
      }
    } else if (!rules.has(Rule.REPAIRED_AGAIN)) {
      acts.remove(Act.Work.REPAIR_UNLESS_FENCE_HELD);
    }
  }

  private static Act change(Act.Generation generation, GuardMode mode) {
    return new Act.Change(generation, mode, Act.Marks.SAME_PASS);
  }

  /** The number of a generation in a {@link State}. */
  static int index(Act.Generation generation) {
    return generation == SOURCE ? State.S : State.T;
  }
}
