/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.names;

import io.evenkey.client.internal.registry.Stage;
import io.evenkey.jobs.migration.Transition;
import java.util.Objects;
import java.util.Set;

/** The possible next actions. */
final class World {
  private static final Stage[] STAGES = Stage.values();

  /** Of {@link State#WRONG}. */
  private static final String[] WRONG = {
    "",
    "a client is refused, and the registry has no other generation",
    "a client can read a value that was replaced"
  };

  private static final int REFUSED = 1;
  private static final int STALE = 2;

  /** Of {@link State#R_COMPARED}: all rows are in files of another generation. */
  private static final int ANOTHER_GENERATION = -1;

  /** Takes what can happen. */
  @FunctionalInterface
  interface Next {
    void accept(State next, String what);
  }

  private final Set<Rule> rules;
  private final Plan plan;
  private final int[] calls;

  /**
   * @param calls the numbers of writes of Evenkey's client, and of HBase's own
   */
  World(Set<Rule> rules, int... calls) {
    this.rules = rules;
    this.plan = new Plan(rules);
    this.calls = calls;
  }

  private boolean has(Rule rule) {
    return rules.contains(rule);
  }

  static State start() {
    State start = new State();
    start.table(0, State.ENABLED);
    start.table(1, State.ENABLED);
    start.set(State.STAGE, code(Stage.PREPARING));
    start.set(State.TARGET, 1);
    start.set(State.TURN, 1);
    read(start, 0);
    start.run(0, State.R_PROGRAM, Plan.going(Stage.PREPARING, Transition.Way.FORWARD));
    return start;
  }

  @SuppressWarnings("EnumOrdinal") // never kept
  private static int code(Stage stage) {
    return stage.ordinal();
  }

  /** The stage in the registry. */
  static Stage stage(State state) {
    return STAGES[state.get(State.STAGE)];
  }

  private static Stage stage(State state, int run) {
    return STAGES[state.run(run, State.R_STAGE)];
  }

  private static Transition.Way way(State state, int run) {
    return state.run(run, State.R_BACK) == 0 ? Transition.Way.FORWARD : Transition.Way.BACK;
  }

  /** The error of a state; empty if it has none. */
  static String wrong(State state) {
    if (state.get(State.WRONG) != 0) {
      return WRONG[state.get(State.WRONG)];
    }
    boolean stale = stage(state) != Stage.FENCING && isStale(state, generation(state));
    // HBase's own client.
    stale |= isStale(state, 0);
    stale |= isStale(state, state.client(0, State.C_NAME));
    return stale ? WRONG[STALE] : "";
  }

  private static boolean isStale(State state, int name) {
    return state.table(name) == State.ENABLED && state.value(name) != state.get(State.ACKNOWLEDGED);
  }

  private static int generation(State state) {
    return state.get(stage(state).usesTarget() ? State.TARGET : State.SOURCE);
  }

  /** All that can happen. */
  void next(State state, Next next) {
    for (int run = 0; run < State.RUNS; run++) {
      int program = state.run(run, State.R_PROGRAM);
      if (program == Plan.IDLE) {
        begin(state, run, next);
      } else if (program != Plan.OVER && state.run(run, State.R_WAITS) == 0) {
        go(state, run, next);
      }
      deliver(state, run, next);
    }
    for (int client = 0; client < State.CLIENTS; client++) {
      call(state, client, next);
    }
  }

  /** A run reads the registry, and takes the next turn. */
  private void begin(State state, int run, Next next) {
    State begun = state.copy();
    read(begun, run);
    if (stage(state).isOver()) {
      begun.stop(run);
    } else {
      begun.set(State.OWNER, run);
      store(begun, run, 1);
      int program = Plan.taking(stage(begun, run), way(begun, run));
      begun.run(run, State.R_PROGRAM, program);
      settle(begun, run);
    }
    next.accept(begun, "run " + run + ": takes over at " + stage(state));
  }

  private static void read(State state, int run) {
    state.run(run, State.R_STAGE, state.get(State.STAGE));
    state.run(run, State.R_BACK, state.get(State.BACK));
    state.run(run, State.R_SOURCE, state.get(State.SOURCE));
    state.run(run, State.R_TARGET, state.get(State.TARGET));
    state.run(run, State.R_TURN, state.get(State.TURN));
  }

  private void go(State state, int run, Next next) {
    int program = state.run(run, State.R_PROGRAM);
    String name = "run " + run + ": ";
    Action action = plan.actions(program).get(state.run(run, State.R_ACTION));
    boolean isFirst = state.run(run, State.R_ACTION) == 0;
    Stage stage = stage(state, run);
    State taken = state.copy();
    action(taken, run, action);
    next.accept(taken, name + action);
    if (Plan.isGoing(program) && isFirst && state.run(run, State.R_BACK) == 0) {
      State back = state.copy();
      if (stage == Stage.SWITCHED) {
        goBack(back, run);
        next.accept(back, name + "goes back");
      } else if (stage != Stage.FENCING && stage != Stage.ABANDONING) {
        back.run(run, State.R_BACK, 1);
        storeStage(back, run, Stage.ABANDONING, 1);
        next.accept(back, name + "abandons it");
      }
    }
    // A server answers an error, or HBase's client gives up.
    boolean isFailing = Plan.isGoing(program) && Plan.line(program).afterFailure() != null;
    if (isFailing && stage == Plan.line(program).stage()) {
      State failed = state.copy();
      to(failed, run, Plan.failing(program));
      next.accept(failed, name + "fails");
    }
  }

  private static void to(State state, int run, int program) {
    state.run(run, State.R_PROGRAM, program);
    state.run(run, State.R_ACTION, 0);
    if (program == Plan.OVER) {
      state.stop(run);
    }
  }

  /** Goes to the next program if this one is at its end. */
  private void settle(State state, int run) {
    int program = state.run(run, State.R_PROGRAM);
    if (program == Plan.OVER || state.run(run, State.R_ACTION) < plan.actions(program).size()) {
      return;
    }
    to(
        state,
        run,
        Plan.isFailing(program) ? Plan.OVER : Plan.going(stage(state, run), way(state, run)));
    settle(state, run);
  }

  private void done(State state, int run) {
    state.run(run, State.R_ACTION, state.run(run, State.R_ACTION) + 1);
    settle(state, run);
  }

  private void deliver(State state, int run, Next next) {
    int sent = state.run(run, State.R_SENT);
    if (sent != 0) {
      State arrived = state.copy();
      boolean made = write(arrived, state.run(run, State.R_SENT_TO), sent - 1);
      arrived.run(run, State.R_SENT, 0);
      arrived.run(run, State.R_SENT_TO, 0);
      boolean waits = state.run(run, State.R_WAITS) != 0;
      if (waits && made) {
        arrived.run(run, State.R_WAITS, 0);
        done(arrived, run);
      } else if (waits) {
        arrived.stop(run);
      }
      next.accept(arrived, "repair of run " + run + (made ? " arrives" : " is refused"));
      if (waits) {
        State dead = state.copy();
        dead.stop(run);
        next.accept(dead, "run " + run + " dies");
      }
    }
    int copy = state.run(run, State.R_COPY);
    if (copy != 0) {
      State arrived = state.copy();
      write(arrived, state.run(run, State.R_COPY_TO), copy - 1);
      arrived.run(run, State.R_COPY, 0);
      arrived.run(run, State.R_COPY_TO, 0);
      next.accept(arrived, "copy of a repair of run " + run + " arrives");
    }
  }

  private static boolean write(State state, int name, int value) {
    if (state.table(name) != State.ENABLED) {
      return false;
    }
    state.value(name, value);
    return true;
  }

  // Client 0 is Evenkey's, client 1 HBase's own.
  private void call(State state, int client, Next next) {
    if (state.client(client, State.C_REFUSED) != 0) {
      if (stage(state) != Stage.FENCING) {
        State looked = state.copy();
        int found = generation(state);
        boolean same = found == state.client(client, State.C_NAME);
        // Without the rule that is so, too; the search is to find what is lost then.
        if (same && state.table(found) != State.ENABLED && has(Rule.NEVER_ENABLE)) {
          looked.set(State.WRONG, REFUSED);
        }
        looked.client(client, State.C_NAME, found);
        looked.client(client, State.C_REFUSED, 0);
        next.accept(looked, "client " + client + " looks the table up");
      }
      return;
    }
    int made = state.client(client, State.C_NEXT);
    if (made == calls[client]) {
      return;
    }
    State called = state.copy();
    int value = state.get(State.ACKNOWLEDGED) + 1;
    if (write(called, state.client(client, State.C_NAME), value)) {
      called.set(State.ACKNOWLEDGED, value);
      called.client(client, State.C_NEXT, made + 1);
      next.accept(called, "client " + client + " writes " + value);
    } else {
      // HBase's own gets an exception.
      called.client(client, client == 0 ? State.C_REFUSED : State.C_NEXT, 1);
      next.accept(called, "client " + client + " is refused");
    }
  }

  private void action(State state, int run, Action action) {
    int source = state.run(run, State.R_SOURCE);
    int target = state.run(run, State.R_TARGET);
    switch (action) {
      case COPY -> send(state, run, source, target, true);
      case TAKE_TURN -> {
        if (store(state, run, 1)) {
          done(state, run);
        }
      }
      case DISABLE_TARGET -> disable(state, run, target);
      case SNAPSHOT_TARGET -> snapshot(state, run, target);
      case CLONE_TARGET -> cloneTable(state, run, target);
      case STORE_TARGET -> {
        state.run(run, State.R_TARGET, state.run(run, State.R_MADE));
        if (store(state, run, 0)) {
          done(state, run);
        }
      }
      case SNAPSHOT -> snapshotFirst(state, run, source);
      case COMPARE -> compare(state, run, source, target);
      case LATE_SNAPSHOT -> {
        if (isOpen(state, run, source)) {
          state.run(run, State.R_COMPARED, state.value(source) + 1);
          done(state, run);
        }
      }
      case PASS -> {
        if (isOpen(state, run, source)) {
          pass(state, run, source, target);
        }
      }
      case SNAPSHOT_BEFORE_SWITCH -> {
        if (state.run(run, State.R_BACK) != 0) {
          done(state, run);
        } else if (isOpen(state, run, target)) {
          state.set(State.BEFORE, state.value(target) + 1);
          done(state, run);
        }
      }
      case DISABLE_SOURCE -> disable(state, run, source);
      case SNAPSHOT_SOURCE -> snapshot(state, run, source);
      case CLONE_SOURCE -> cloneTable(state, run, source);
      case LAST_PASS -> pass(state, run, state.run(run, State.R_MADE), target);
      case SWITCH -> switchReads(state, run, target);
      case ENABLE_SOURCE -> {
        if (state.table(source) == State.DISABLED) {
          state.table(source, State.ENABLED);
        }
        done(state, run);
      }
      case STORE_SOURCE -> {
        if (has(Rule.NEVER_ENABLE)) {
          state.run(run, State.R_SOURCE, state.run(run, State.R_MADE));
        }
        storeStage(state, run, Stage.VERIFYING, 0);
      }
      case DROP_LEFT -> drop(state, run);
      case STORE_STAGE -> {
        Stage after = Objects.requireNonNull(Plan.line(state.run(run, State.R_PROGRAM)).next());
        if (after == Stage.FENCING && !has(Rule.ANNOUNCE_THE_PAUSE)) {
          state.run(run, State.R_STAGE, code(after));
          done(state, run);
        } else {
          storeStage(state, run, after, 0);
        }
      }
      default -> throw new IllegalStateException("no action: " + action);
    }
  }

  /** Whether this run knows since when rows may have changed: it compares all of them once. */
  private boolean isBegun(State state, int run) {
    int before = state.get(State.BEFORE);
    if (state.run(run, State.R_COMPARED) == 0 && state.run(run, State.R_BACK) != 0) {
      state.run(run, State.R_COMPARED, before);
    }
    if (state.run(run, State.R_COMPARED) == 0) {
      return false;
    }
    done(state, run);
    done(state, run);
    return true;
  }

  private void snapshotFirst(State state, int run, int source) {
    if (!isBegun(state, run) && isOpen(state, run, source)) {
      state.run(run, State.R_COMPARED, state.value(source) + 1);
      done(state, run);
      if (!has(Rule.COMPARE_ALL_ROWS) && run > 0) {
        done(state, run);
      }
    }
  }

  private void compare(State state, int run, int source, int target) {
    boolean isSecond = has(Rule.SNAPSHOT_BEFORE_THE_COMPARISON);
    if ((isSecond || !isBegun(state, run)) && isOpen(state, run, source)) {
      send(state, run, source, target, false);
    }
  }

  private void switchReads(State state, int run, int target) {
    int left = state.run(run, State.R_MADE);
    boolean back = state.run(run, State.R_BACK) != 0;
    state.run(run, State.R_SOURCE, back ? target : left);
    state.run(run, State.R_TARGET, back ? left : target);
    storeStage(state, run, back ? Stage.ROLLED_BACK : Stage.SWITCHED, 0);
  }

  /** The operator rolls back after the switch: by a migration to the generation that was left. */
  private void goBack(State state, int run) {
    int source = state.run(run, State.R_SOURCE);
    state.run(run, State.R_SOURCE, state.run(run, State.R_TARGET));
    state.run(run, State.R_TARGET, source);
    state.run(run, State.R_BACK, 1);
    if (state.run(run, State.R_COMPARED) != 0) {
      state.run(run, State.R_COMPARED, ANOTHER_GENERATION);
    }
    state.run(run, State.R_STAGE, code(Stage.PREPARING));
    if (store(state, run, 1)) {
      to(state, run, Plan.going(Stage.PREPARING, Transition.Way.BACK));
    }
  }

  private void storeStage(State state, int run, Stage stage, int turns) {
    state.run(run, State.R_STAGE, code(stage));
    if (!store(state, run, turns)) {
      return;
    }
    if (turns == 0) {
      done(state, run);
    } else {
      to(state, run, Plan.going(stage, way(state, run)));
    }
  }

  /** Stores all that the run knows, if the registry is as it has left it. */
  private boolean store(State state, int run, int turns) {
    if (has(Rule.COMPARE_AND_SET) && state.get(State.OWNER) != run) {
      state.stop(run);
      return false;
    }
    int turn = state.run(run, State.R_TURN) + turns;
    state.run(run, State.R_TURN, turn);
    state.set(State.TURN, turn);
    state.set(State.STAGE, state.run(run, State.R_STAGE));
    state.set(State.BACK, state.run(run, State.R_BACK));
    state.set(State.SOURCE, state.run(run, State.R_SOURCE));
    state.set(State.TARGET, state.run(run, State.R_TARGET));
    state.set(State.OWNER, run);
    return true;
  }

  private static boolean isOpen(State state, int run, int name) {
    if (state.table(name) == State.ENABLED) {
      return true;
    }
    state.stop(run);
    return false;
  }

  private void pass(State state, int run, int source, int target) {
    boolean changed = state.value(source) + 1 != state.run(run, State.R_COMPARED);
    state.run(run, State.R_COMPARED, state.value(source) + 1);
    if (changed) {
      send(state, run, source, target, false);
    } else {
      done(state, run);
    }
  }

  /** Sends a repair if the row differs. */
  private void send(State state, int run, int source, int target, boolean again) {
    int value = state.value(source);
    if (state.table(target) == State.ENABLED && state.value(target) == value) {
      done(state, run);
      return;
    }
    state.run(run, State.R_SENT_TO, target);
    state.run(run, State.R_SENT, value + 1);
    if (again || !has(Rule.SEND_ONCE)) {
      state.run(run, State.R_COPY_TO, target);
      state.run(run, State.R_COPY, value + 1);
    }
    state.run(run, State.R_WAITS, 1);
  }

  private void disable(State state, int run, int name) {
    boolean kept = state.hasSnapshot(name);
    if (state.table(name) == State.ABSENT) {
      if (kept) {
        done(state, run);
      } else {
        state.stop(run);
      }
    } else if (state.table(name) == State.ENABLED && kept) {
      state.stop(run);
    } else {
      state.table(name, State.DISABLED);
      done(state, run);
    }
  }

  private void snapshot(State state, int run, int name) {
    if (!state.hasSnapshot(name)) {
      if (state.table(name) == State.ABSENT) {
        state.stop(run);
        return;
      }
      state.takeSnapshot(name);
    }
    done(state, run);
  }

  private void drop(State state, int run) {
    int name = state.run(run, State.R_LEFT);
    if (state.table(name) == State.ENABLED) {
      state.stop(run);
      return;
    }
    state.table(name, State.ABSENT);
    done(state, run);
  }

  private void cloneTable(State state, int run, int name) {
    int clone = state.run(run, State.R_TURN) + 1;
    if (state.table(clone) != State.ABSENT || !state.hasSnapshot(name)) {
      state.stop(run);
      return;
    }
    state.table(clone, State.ENABLED);
    state.value(clone, state.snapshot(name));
    state.run(run, State.R_MADE, clone);
    state.run(run, State.R_LEFT, name);
    done(state, run);
  }
}
