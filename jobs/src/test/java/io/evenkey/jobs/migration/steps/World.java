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

  private static final int CALLS = 2;

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

  World(Set<Rule> rules) {
    this.rules = rules;
  }

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

  /** Whether a client can read a value that is not the last one that was acknowledged. */
  boolean isWrong(State state) {
    for (int layout = 0; layout < State.REGIONS; layout++) {
      if (accepts(state.region(layout), layout)
          && state.value(layout) != state.get(State.ACKNOWLEDGED)) {
        return true;
      }
    }
    return false;
  }

  /** All that can happen. */
  void next(State state, Next next) {
    for (int run = 0; run < State.RUNS; run++) {
      run(state, run, next);
    }
    for (int region = 0; region < State.REGIONS; region++) {
      if (!state.hasAdmitted(region)) {
        State opened = state.copy();
        opened.region(region, state.get(State.TABLE));
        next.accept(opened, "region " + region + " opens");
      }
    }
    for (int client = 0; client < State.CLIENTS; client++) {
      call(state, client, next);
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
      add(moves, line.taking());
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
      add(moves, acts);
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
  }

  private void add(List<Move> moves, List<Act> acts) {
    for (Act act : acts) {
      if (act instanceof Act.ChangeStep change) {
        set(moves, STATES.indexOf(change));
      } else if (act == Act.Work.FIND_ROWS) {
        moves.add(look());
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
              }
              return true;
            }));
    for (int region = has(Rule.ASK_ALL_REGIONS) ? 0 : 1; region < State.REGIONS; region++) {
      int asked = region;
      moves.add(
          new Move(
              "asks region " + region,
              (state, run) -> {
                // It acts by the state at once, and answers later.
                state.region(asked, state.get(State.TABLE));
                return true;
              }));
      moves.add(
          new Move(
              "region " + region + " answers",
              (state, run) -> !has(Rule.SETTLE) || !state.hasAdmitted(asked)));
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
      next.accept(written, name + "'s write " + value + " is done in region " + (admitted - 1));
    } else if (state.client(client, State.C_REFUSED) != 0) {
      State looked = state.copy();
      looked.client(
          client, State.C_LAYOUT, STATES.get(state.region(0)).layouts().isAfter() ? 1 : 0);
      looked.client(client, State.C_REFUSED, 0);
      next.accept(looked, name + " looks the table up");
    } else if (state.client(client, State.C_CALLS) < CALLS) {
      State called = state.copy();
      int layout = state.client(client, State.C_LAYOUT);
      int region = state.region(layout);
      if (accepts(region, layout) && !(isHeld(region) && has(Rule.HOLD))) {
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
