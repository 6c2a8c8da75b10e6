/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.steps;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The possible next steps. */
final class World {
  /** States of a table, or of a region of it. */
  private static final int OPEN_BEFORE = 0;

  private static final int HELD_BEFORE = 1;
  private static final int SHARED_BEFORE = 2;
  private static final int SHARED_AFTER = 3;
  private static final int HELD_AFTER = 4;
  private static final int OPEN_AFTER = 5;

  /** Stages in the registry. */
  private static final int VERIFYING = 0;

  private static final int CLOSING = 1;
  private static final int SWITCHING = 2;
  static final int FINISHED = 3;
  private static final int ABANDONING = 4;
  static final int ROLLED_BACK = 5;

  /** Ways of a run, from the stage with which it began; 0 before it begins. */
  private static final int FORWARD = 1;

  private static final int FROM_CLOSING = 2;
  private static final int FROM_SWITCHING = 3;
  private static final int BACK_FROM_VERIFYING = 4;
  private static final int BACK_FROM_CLOSING = 5;
  private static final int FROM_ABANDONING = 6;
  private static final int OVER = 7;

  private static final int CALLS = 2;

  /** One step of a run: its name, and what it does. */
  private record Act(String name, Doing doing) {}

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
    start.run(0, State.R_WAY, FORWARD);
    start.run(0, State.R_TURN, 1);
    // A client of an attempt that was rolled back.
    start.client(1, State.C_LAYOUT, 1);
    return start;
  }

  private static boolean isHeld(int state) {
    return state != OPEN_BEFORE && state != OPEN_AFTER;
  }

  private boolean accepts(int state, int layout) {
    if (state == SHARED_BEFORE || state == SHARED_AFTER) {
      return true;
    }
    int own = state <= HELD_BEFORE ? 0 : 1;
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
      List<Act> acts = acts(way);
      int at = state.run(run, State.R_STEP);
      State done = state.copy();
      if (acts.get(at).doing.of(done, run)) {
        boolean same = done.run(run, State.R_WAY) == way;
        if (same) {
          boolean last = at + 1 == acts.size();
          done.run(run, State.R_STEP, last ? 0 : at + 1);
          done.run(run, State.R_WAY, last ? OVER : way);
        }
        next.accept(done, "run " + run + ": " + acts.get(at).name);
      }
    }
  }

  private static void begin(State state, int run, Next next) {
    int[] ways =
        switch (state.get(State.STAGE)) {
          case VERIFYING -> new int[] {FORWARD, BACK_FROM_VERIFYING};
          case CLOSING -> new int[] {FROM_CLOSING, BACK_FROM_CLOSING};
          case SWITCHING -> new int[] {FROM_SWITCHING};
          case ABANDONING -> new int[] {FROM_ABANDONING};
          default -> new int[] {OVER};
        };
    for (int way : ways) {
      State begun = state.copy();
      int turn = state.get(State.TURN) + 1;
      begun.set(State.TURN, turn);
      begun.run(run, State.R_TURN, turn);
      begun.run(run, State.R_WAY, way);
      next.accept(begun, "run " + run + " takes over, on way " + way);
    }
  }

  private List<Act> acts(int way) {
    List<Act> acts = new ArrayList<>();
    switch (way) {
      case FORWARD -> {
        if (!has(Rule.LOOK_WHILE_HELD)) {
          acts.add(look());
        }
        set(acts, HELD_BEFORE);
        if (has(Rule.LOOK_WHILE_HELD)) {
          acts.add(look());
        }
        acts.add(store(VERIFYING, CLOSING));
        forward(acts);
      }
      case FROM_CLOSING -> forward(acts);
      case FROM_SWITCHING -> open(acts);
      case BACK_FROM_VERIFYING -> {
        set(acts, HELD_BEFORE);
        acts.add(store(VERIFYING, ABANDONING));
        back(acts);
      }
      case BACK_FROM_CLOSING -> {
        set(acts, SHARED_BEFORE);
        if (has(Rule.HOLD_ON_THE_WAY_BACK)) {
          set(acts, HELD_BEFORE);
        }
        acts.add(store(CLOSING, ABANDONING));
        back(acts);
      }
      default -> back(acts);
    }
    return acts;
  }

  private void forward(List<Act> acts) {
    set(acts, SHARED_BEFORE);
    set(acts, SHARED_AFTER);
    if (has(Rule.HOLD_UNTIL_ONE_LAYOUT_IS_LEFT)) {
      set(acts, HELD_AFTER);
    }
    if (has(Rule.RECORD_BEFORE_OPENING)) {
      acts.add(store(CLOSING, SWITCHING));
    }
    open(acts);
  }

  private void open(List<Act> acts) {
    set(acts, OPEN_AFTER);
    acts.add(store(has(Rule.RECORD_BEFORE_OPENING) ? SWITCHING : CLOSING, FINISHED));
  }

  private void back(List<Act> acts) {
    set(acts, OPEN_BEFORE);
    acts.add(store(ABANDONING, ROLLED_BACK));
  }

  private void set(List<Act> acts, int table) {
    acts.add(
        new Act(
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
      acts.add(
          new Act(
              "asks region " + region,
              (state, run) -> {
                // It acts by the state at once, and answers later.
                state.region(asked, state.get(State.TABLE));
                return true;
              }));
      acts.add(
          new Act(
              "region " + region + " answers",
              (state, run) -> !has(Rule.SETTLE) || !state.hasAdmitted(asked)));
    }
  }

  private static Act look() {
    return new Act(
        "looks for the row",
        (state, run) -> {
          if (state.value(0) != 0 || state.value(1) != 0) {
            state.run(run, State.R_STEP, 0);
            state.run(run, State.R_WAY, BACK_FROM_VERIFYING);
          }
          return true;
        });
  }

  /** Compares and sets the registry. */
  private static Act store(int before, int stage) {
    return new Act(
        "stores stage " + stage,
        (state, run) -> {
          if (state.get(State.TURN) == state.run(run, State.R_TURN)
              && state.get(State.STAGE) == before) {
            state.set(State.STAGE, stage);
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
      looked.client(client, State.C_LAYOUT, state.region(0) <= SHARED_BEFORE ? 0 : 1);
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
