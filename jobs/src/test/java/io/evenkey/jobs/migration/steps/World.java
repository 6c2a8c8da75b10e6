/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.steps;

import static java.util.stream.Collectors.toSet;

import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.jobs.migration.Act;
import io.evenkey.jobs.migration.Transition;
import io.evenkey.jobs.migration.Transitions;
import io.evenkey.protocol.guard.GuardMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** The possible next steps. */
final class World {
  /** The lines that are searched. */
  static final List<Transition> LINES =
      Transitions.of(new Kind.StepInPlace("", ""), Migration.Fence.GUARD);

  private static final Stage[] STAGES = Stage.values();

  /** The states of the table, or of a region of it, in their order on the way there. */
  static final List<Act.ChangeStep> STATES =
      List.of(
          new Act.ChangeStep(GuardMode.OPEN, Act.Layouts.BEFORE),
          new Act.ChangeStep(GuardMode.HELD, Act.Layouts.BEFORE_AND_AFTER),
          new Act.ChangeStep(GuardMode.SHARED, Act.Layouts.BEFORE_AND_AFTER),
          new Act.ChangeStep(GuardMode.SHARED, Act.Layouts.AFTER_AND_BEFORE),
          new Act.ChangeStep(GuardMode.HELD, Act.Layouts.AFTER_AND_BEFORE),
          new Act.ChangeStep(GuardMode.OPEN, Act.Layouts.AFTER));

  /** The states that the lines set. */
  static Set<Act.ChangeStep> changes() {
    return LINES.stream()
        .flatMap(line -> Stream.concat(line.taking().stream(), line.acts().stream()))
        .filter(Act.ChangeStep.class::isInstance)
        .map(Act.ChangeStep.class::cast)
        .collect(toSet());
  }

  /**
   * Ways of a run: 0 before it begins, and else the number of the line that it begins with, twice
   * if it takes over there.
   */
  private static final int OVER = 1 + 2 * LINES.size();

  /** One step of a run: its name, and what it does. */
  private record Move(String name, Doing doing) {}

  /** Changes the state; false if the run cannot go on yet. */
  @FunctionalInterface
  private interface Doing {
    boolean of(State state, int run);
  }

  /** Takes what can happen. */
  @FunctionalInterface
  interface Next {
    void accept(State next, String what);
  }

  private final Set<Rule> rules;
  private final Bounds bounds;

  World(Set<Rule> rules, Bounds bounds) {
    this.rules = rules;
    this.bounds = bounds;
  }

  /**
   * How large the world is.
   *
   * @param calls of each client
   * @param gaps how many times a region may open without the guard
   */
  record Bounds(int runs, int calls, int gaps) {}

  private boolean has(Rule rule) {
    return rules.contains(rule);
  }

  static State start() {
    State start = new State();
    start.set(State.TURN, 1);
    start.set(State.STAGE, code(Stage.PREPARING));
    start.run(0, State.R_WAY, way(Stage.PREPARING, Transition.Way.FORWARD));
    start.run(0, State.R_TURN, 1);
    // A client of an attempt that was rolled back.
    start.client(1, State.C_LAYOUT, 1);
    return start;
  }

  @SuppressWarnings("EnumOrdinal") // never kept
  private static int code(Stage stage) {
    return stage.ordinal();
  }

  static Stage stage(State state) {
    return STAGES[state.get(State.STAGE)];
  }

  private static int way(Stage stage, Transition.Way way) {
    for (int i = 0; i < LINES.size(); i++) {
      if (LINES.get(i).stage() == stage && LINES.get(i).way() == way) {
        return 1 + i;
      }
    }
    throw new IllegalStateException("no line: stage=" + stage + " way=" + way);
  }

  private static Transition line(int way) {
    return LINES.get((way - 1) % LINES.size());
  }

  private static boolean isHeld(int state) {
    return STATES.get(state).mode().isOfStep();
  }

  private boolean accepts(int state, int layout) {
    if (STATES.get(state).mode() == GuardMode.SHARED) {
      return true;
    }
    int own = STATES.get(state).layouts().isAfter() ? 1 : 0;
    return layout == own || own == 1 && !has(Rule.REFUSE_THE_LAYOUT_BEFORE);
  }

  /**
   * Whether a client can read a value that is not the last one that was acknowledged. Readers may
   * miss a write that a server without the guard has taken until the step ends.
   */
  boolean isWrong(State state) {
    for (int layout = 0; layout < State.REGIONS; layout++) {
      if (state.guard(layout) != State.UNGUARDED
          && (state.get(State.UNSEEN) == 0 || !isHeld(state.region(layout)))
          && accepts(state.region(layout), layout)
          && state.value(layout) != state.get(State.ACKNOWLEDGED)) {
        return true;
      }
    }
    return false;
  }

  /** All that can happen. */
  void next(State state, Next next) {
    for (int run = 0; run < bounds.runs(); run++) {
      run(state, run, next);
    }
    for (int region = 0; region < State.REGIONS; region++) {
      if (!state.hasAdmitted(region)) {
        State opened = state.copy();
        follow(opened, region);
        if (state.guard(region) == State.UNGUARDED) {
          boolean recorded = isHeld(state.get(State.TABLE));
          opened.guard(region, recorded ? State.BROKEN : State.GUARDED);
        }
        next.accept(opened, "region " + region + " opens");
        if (state.get(State.GAPS) < bounds.gaps()) {
          State gap = state.copy();
          gap.set(State.GAPS, state.get(State.GAPS) + 1);
          gap.guard(region, State.UNGUARDED);
          next.accept(gap, "region " + region + " opens without the guard");
        }
      }
    }
    for (int client = 0; client < State.CLIENTS; client++) {
      call(state, client, next);
    }
  }

  // A table at rest has no record of its openings.
  private static void follow(State state, int region) {
    state.region(region, state.get(State.TABLE));
    if (state.guard(region) == State.BROKEN && !isHeld(state.get(State.TABLE))) {
      state.guard(region, State.GUARDED);
    }
  }

  private void run(State state, int run, Next next) {
    int way = state.run(run, State.R_WAY);
    if (way == 0) {
      begin(state, run, next);
    } else if (way != OVER) {
      List<Move> moves = moves(way);
      int at = state.run(run, State.R_STEP);
      State done = state.copy();
      if (moves.get(at).doing.of(done, run)) {
        boolean same = done.run(run, State.R_WAY) == way;
        if (same) {
          boolean last = at + 1 == moves.size();
          done.run(run, State.R_STEP, last ? 0 : at + 1);
          done.run(run, State.R_WAY, last ? OVER : way);
        }
        next.accept(done, "run " + run + ": " + moves.get(at).name);
      }
    }
  }

  private static void begin(State state, int run, Next next) {
    for (int i = 0; i < LINES.size(); i++) {
      Transition line = LINES.get(i);
      if (line.stage() == stage(state)) {
        State begun = state.copy();
        int turn = state.get(State.TURN) + 1;
        begun.set(State.TURN, turn);
        begun.run(run, State.R_TURN, turn);
        begun.run(run, State.R_WAY, line.next() == null ? OVER : 1 + LINES.size() + i);
        next.accept(begun, "run " + run + " takes over at " + line.stage() + ", " + line.way());
      }
    }
  }

  /** All that a run does from a line on. */
  private List<Move> moves(int way) {
    List<Move> moves = new ArrayList<>();
    Transition line = line(way);
    if (way > LINES.size()) {
      add(moves, line, line.taking());
    }
    while (!line.stage().isOver()) {
      List<Act> acts = new ArrayList<>(line.acts());
      leaveOut(line, acts);
      Stage next = Objects.requireNonNull(line.next());
      if (!has(Rule.RECORD_BEFORE_OPENING) && next == Stage.SWITCHING) {
        Transition opening = line(way(next, Transition.Way.FORWARD));
        acts.addAll(opening.acts());
        next = Objects.requireNonNull(opening.next());
      }
      add(moves, line, acts);
      moves.add(store(line.stage(), next));
      Transition.Way direction = next == Stage.ROLLED_BACK ? Transition.Way.BACK : line.way();
      line = line(way(next, direction));
    }
    return moves;
  }

  private void leaveOut(Transition line, List<Act> acts) {
    boolean back = line.way() == Transition.Way.BACK;
    if (!has(Rule.LOOK_WHILE_HELD) && acts.remove(Act.Work.FIND_ROWS)) {
      acts.add(0, Act.Work.FIND_ROWS);
    }
    if (line.stage() == Stage.CLOSING
        && !has(back ? Rule.HOLD_ON_THE_WAY_BACK : Rule.HOLD_UNTIL_ONE_LAYOUT_IS_LEFT)) {
      acts.removeIf(act -> act instanceof Act.ChangeStep change && change.mode() == GuardMode.HELD);
    }
    if (!has(back ? Rule.LOOK_AGAIN_ON_THE_WAY_BACK : Rule.LOOK_AGAIN)) {
      acts.remove(Act.Work.FIND_MISPLACED);
    }
  }

  private void add(List<Move> moves, Transition line, List<Act> acts) {
    for (Act act : acts) {
      if (act instanceof Act.ChangeStep change) {
        set(moves, STATES.indexOf(change));
      } else if (act == Act.Work.FIND_ROWS) {
        moves.add(look());
      } else if (act == Act.Work.FIND_MISPLACED) {
        moves.add(lookAgain(line.way() == Transition.Way.FORWARD ? 1 : 0));
      }
    }
  }

  private void set(List<Move> moves, int table) {
    moves.add(
        new Move(
            "sets state " + table,
            (state, run) -> {
              int turn = state.run(run, State.R_TURN);
              if (has(Rule.TURNS) && state.get(State.TABLE_TURN) > turn) {
                state.run(run, State.R_WAY, OVER);
              } else {
                state.set(State.TABLE, table);
                state.set(State.TABLE_TURN, turn);
                state.set(State.SURE, 0);
              }
              return true;
            }));
    for (int region = has(Rule.ASK_ALL_REGIONS) ? 0 : 1; region < State.REGIONS; region++) {
      int asked = region;
      moves.add(
          new Move(
              "asks region " + region,
              (state, run) -> {
                if (state.guard(asked) == State.UNGUARDED) {
                  state.run(run, State.R_WAY, OVER);
                } else {
                  // It acts by the state at once, and answers later.
                  follow(state, asked);
                }
                return true;
              }));
      moves.add(
          new Move(
              "region " + region + " answers",
              (state, run) -> {
                if (state.guard(asked) == State.UNGUARDED) {
                  state.run(run, State.R_WAY, OVER);
                  return true;
                }
                return !has(Rule.SETTLE) || !state.hasAdmitted(asked);
              }));
    }
  }

  private static Move look() {
    return new Move(
        "looks for the row",
        (state, run) -> {
          if (state.value(0) != 0 || state.value(1) != 0) {
            state.run(run, State.R_STEP, 0);
            state.run(run, State.R_WAY, way(Stage.VERIFYING, Transition.Way.BACK));
          }
          return true;
        });
  }

  /** Asks all regions since when they have the guard, before the table gets a layout. */
  private static Move lookAgain(int layout) {
    return new Move(
        "looks for the row again if a region had no guard",
        (state, run) -> {
          boolean isWithout = false;
          boolean isBroken = false;
          for (int region = 0; region < State.REGIONS; region++) {
            isWithout |= state.guard(region) == State.UNGUARDED;
            isBroken |= state.guard(region) == State.BROKEN;
          }
          if (isWithout) {
            state.run(run, State.R_WAY, OVER);
          } else if (!isBroken || state.value(1 - layout) == 0) {
            // A run that was taken over does nothing with its answer.
            boolean isLast = state.get(State.TABLE_TURN) == state.run(run, State.R_TURN);
            state.set(State.SURE, isLast ? 1 + layout : state.get(State.SURE));
          } else if (layout == 1) {
            state.run(run, State.R_STEP, 0);
            state.run(run, State.R_WAY, way(Stage.CLOSING, Transition.Way.BACK));
          } else {
            // There is no way back.
            state.run(run, State.R_WAY, OVER);
          }
          return true;
        });
  }

  /**
   * Whether a client writes by a layout on a server without the guard: by one that the table has
   * had since the step began, until a run is sure that it may have the other one. What happens
   * later is as on a table at rest.
   */
  private static boolean isWrittenUnguarded(State state, int layout) {
    if (state.get(State.SURE) == 2 - layout) {
      return false;
    }
    return layout == 0
        ? !STATES.get(state.get(State.TABLE)).equals(STATES.get(STATES.size() - 1))
        : state.get(State.TABLE) > 1 || stage(state) == Stage.CLOSING;
  }

  /** Compares and sets the registry. */
  private static Move store(Stage before, Stage stage) {
    return new Move(
        "stores stage " + stage,
        (state, run) -> {
          if (state.get(State.TURN) == state.run(run, State.R_TURN) && stage(state) == before) {
            state.set(State.STAGE, code(stage));
          } else {
            state.run(run, State.R_WAY, OVER);
          }
          return true;
        });
  }

  private void call(State state, int client, Next next) {
    int admitted = state.client(client, State.C_ADMITTED);
    String name = "client " + client;
    if (admitted != 0) {
      State written = state.copy();
      int value = state.get(State.ACKNOWLEDGED) + 1;
      written.value(admitted - 1, value);
      written.set(State.ACKNOWLEDGED, value);
      written.client(client, State.C_ADMITTED, 0);
      if (state.guard(admitted - 1) == State.UNGUARDED) {
        written.set(State.UNSEEN, 1);
      }
      next.accept(written, name + "'s write " + value + " is done in region " + (admitted - 1));
    } else if (state.client(client, State.C_REFUSED) != 0) {
      State looked = state.copy();
      // Without the guard, the descriptor says it.
      int known = state.guard(0) == State.UNGUARDED ? state.get(State.TABLE) : state.region(0);
      looked.client(client, State.C_LAYOUT, STATES.get(known).layouts().isAfter() ? 1 : 0);
      looked.client(client, State.C_REFUSED, 0);
      next.accept(looked, name + " looks the table up");
    } else if (state.client(client, State.C_CALLS) < bounds.calls()) {
      State called = state.copy();
      int layout = state.client(client, State.C_LAYOUT);
      int region = state.region(layout);
      boolean isAdmitted =
          state.guard(layout) == State.UNGUARDED
              ? isWrittenUnguarded(state, layout)
              : accepts(region, layout) && !(isHeld(region) && has(Rule.HOLD));
      if (isAdmitted) {
        called.client(client, State.C_CALLS, state.client(client, State.C_CALLS) + 1);
        called.client(client, State.C_ADMITTED, layout + 1);
        next.accept(called, name + "'s write is admitted by region " + layout);
      } else {
        called.client(client, State.C_REFUSED, 1);
        next.accept(called, name + " is refused by region " + layout);
      }
    }
  }
}
