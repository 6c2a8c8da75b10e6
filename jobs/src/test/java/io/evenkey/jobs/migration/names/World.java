/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.names;

import java.util.Set;

/** The possible next steps. */
final class World {
  /** Of the registry. */
  static final int COPYING = 0;

  static final int VERIFYING = 1;
  static final int FENCING = 2;
  static final int SWITCHED = 3;

  /** Of {@link State#WRONG}. */
  private static final String[] WRONG = {
    "",
    "a client is refused, and the registry has no other generation",
    "a client can read a value that was replaced"
  };

  private static final int REFUSED = 1;
  private static final int STALE = 2;

  /** The number of writes of each client. */
  private static final int[] CALLS = {2, 1};

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
    start.table(0, State.ENABLED);
    start.table(1, State.ENABLED);
    start.set(State.TARGET, 1);
    start.set(State.TURN, 1);
    start.run(0, State.R_STEP, Step.COPY.code());
    start.run(0, State.R_TARGET, 1);
    start.run(0, State.R_TURN, 1);
    return start;
  }

  /** The error of a state; empty if it has none. */
  static String wrong(State state) {
    if (state.get(State.WRONG) != 0) {
      return WRONG[state.get(State.WRONG)];
    }
    boolean stale = state.get(State.STAGE) != FENCING && isStale(state, generation(state));
    // HBase's own client.
    stale |= isStale(state, 0);
    stale |= isStale(state, state.client(0, State.C_NAME));
    return stale ? WRONG[STALE] : "";
  }

  private static boolean isStale(State state, int name) {
    return state.table(name) == State.ENABLED && state.value(name) != state.get(State.ACKNOWLEDGED);
  }

  private static int generation(State state) {
    return state.get(state.get(State.STAGE) == SWITCHED ? State.TARGET : State.SOURCE);
  }

  /** All that can happen. */
  void next(State state, Next next) {
    for (int run = 0; run < State.RUNS; run++) {
      Step step = Step.of(state.run(run, State.R_STEP));
      String name = "run " + run + ": ";
      if (step == Step.IDLE) {
        State begun = state.copy();
        to(begun, run, Step.TAKE);
        next.accept(begun, name + "begins");
      } else if (step != Step.WAIT && step != Step.OVER) {
        State taken = state.copy();
        step(taken, run, step);
        next.accept(taken, name + step);
        fail(state, run, step, next);
      }
      deliver(state, run, next);
    }
    for (int client = 0; client < State.CLIENTS; client++) {
      call(state, client, next);
    }
  }

  // A server answers an error, or HBase's client gives up.
  private void fail(State state, int run, Step step, Next next) {
    boolean pausing = step.compareTo(Step.LEAVE_DISABLE) >= 0 && step.compareTo(Step.SWITCH) <= 0;
    if (pausing) {
      State failed = state.copy();
      to(failed, run, Step.GO_ON);
      next.accept(failed, "run " + run + ": fails");
    }
  }

  private void deliver(State state, int run, Next next) {
    int sent = state.run(run, State.R_SENT);
    if (sent != 0) {
      State arrived = state.copy();
      boolean made = write(arrived, state.run(run, State.R_SENT_TO), sent - 1);
      arrived.run(run, State.R_SENT, 0);
      if (Step.of(state.run(run, State.R_STEP)) == Step.WAIT) {
        to(arrived, run, made ? Step.of(state.run(run, State.R_AFTER)) : Step.OVER);
      }
      next.accept(arrived, "repair of run " + run + (made ? " arrives" : " is refused"));
      if (Step.of(state.run(run, State.R_STEP)) == Step.WAIT) {
        State dead = state.copy();
        to(dead, run, Step.OVER);
        next.accept(dead, "run " + run + " dies");
      }
    }
    int copy = state.run(run, State.R_COPY);
    if (copy != 0) {
      State arrived = state.copy();
      write(arrived, state.run(run, State.R_COPY_TO), copy - 1);
      arrived.run(run, State.R_COPY, 0);
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
      if (state.get(State.STAGE) != FENCING) {
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
    int calls = state.client(client, State.C_NEXT);
    if (calls == CALLS[client]) {
      return;
    }
    State called = state.copy();
    int value = state.get(State.ACKNOWLEDGED) + 1;
    if (write(called, state.client(client, State.C_NAME), value)) {
      called.set(State.ACKNOWLEDGED, value);
      called.client(client, State.C_NEXT, calls + 1);
      next.accept(called, "client " + client + " writes " + value);
    } else {
      // HBase's own gets an exception.
      called.client(client, client == 0 ? State.C_REFUSED : State.C_NEXT, 1);
      next.accept(called, "client " + client + " is refused");
    }
  }

  private static void to(State state, int run, Step step) {
    state.run(run, State.R_STEP, step.code());
  }

  private void step(State state, int run, Step step) {
    int source = state.run(run, State.R_SOURCE);
    int target = state.run(run, State.R_TARGET);
    switch (step) {
      case TAKE -> take(state, run);
      case COPY -> {
        if (!send(state, run, source, target, Step.RENEW, true)) {
          to(state, run, Step.RENEW);
        }
      }
      case RENEW -> {
        if (!has(Rule.RENEW_THE_TARGET)) {
          to(state, run, Step.RENEW_STORE);
        } else if (store(state, run, 1)) {
          to(state, run, Step.RENEW_DISABLE);
        }
      }
      case RENEW_DISABLE -> disable(state, run, target, Step.RENEW_SNAPSHOT, Step.RENEW_CLONE);
      case RENEW_SNAPSHOT -> snapshot(state, run, target, Step.RENEW_CLONE);
      case RENEW_CLONE -> clone(state, run, target, Step.RENEW_STORE);
      case RENEW_STORE -> {
        if (has(Rule.RENEW_THE_TARGET)) {
          state.run(run, State.R_TARGET, state.run(run, State.R_MADE));
        }
        state.run(run, State.R_STAGE, VERIFYING);
        if (storeAll(state, run, COPYING, VERIFYING)) {
          to(state, run, has(Rule.RENEW_THE_TARGET) ? Step.RENEW_DROP : compared(run));
        }
      }
      case RENEW_DROP -> drop(state, run, compared(run));
      case SNAPSHOT -> {
        if (isOpen(state, run, source)) {
          state.run(run, State.R_COMPARED, state.value(source));
          to(state, run, run == 0 || has(Rule.COMPARE_ALL_ROWS) ? Step.COMPARE : Step.PASS);
        }
      }
      case COMPARE -> {
        Step after = has(Rule.SNAPSHOT_BEFORE_THE_COMPARISON) ? Step.PASS : Step.LATE_SNAPSHOT;
        if (isOpen(state, run, source) && !send(state, run, source, target, after, false)) {
          to(state, run, after);
        }
      }
      case LATE_SNAPSHOT -> {
        if (isOpen(state, run, source)) {
          state.run(run, State.R_COMPARED, state.value(source));
          to(state, run, Step.PASS);
        }
      }
      case PASS -> {
        if (isOpen(state, run, source)) {
          pass(state, run, source, target, Step.ANNOUNCE);
        }
      }
      case ANNOUNCE -> {
        Step after =
            has(Rule.LEAVE_BEFORE_THE_LAST_PASS) ? Step.LEAVE_DISABLE : Step.EARLY_LAST_PASS;
        if (!has(Rule.ANNOUNCE_THE_PAUSE)) {
          to(state, run, after);
        } else {
          state.run(run, State.R_STAGE, FENCING);
          if (storeAll(state, run, VERIFYING, FENCING)) {
            to(state, run, after);
          }
        }
      }
      case EARLY_LAST_PASS -> {
        if (isOpen(state, run, source)) {
          pass(state, run, source, target, Step.LEAVE_DISABLE);
        }
      }
      case LEAVE_DISABLE -> disable(state, run, source, Step.LEAVE_SNAPSHOT, Step.LEAVE_CLONE);
      case LEAVE_SNAPSHOT -> snapshot(state, run, source, Step.LEAVE_CLONE);
      case LEAVE_DROP -> drop(state, run, Step.OVER);
      case LEAVE_CLONE -> {
        Step after = has(Rule.LEAVE_BEFORE_THE_LAST_PASS) ? Step.LAST_PASS : Step.SWITCH;
        clone(state, run, source, after);
      }
      case LAST_PASS -> pass(state, run, state.run(run, State.R_MADE), target, Step.SWITCH);
      case SWITCH -> {
        state.run(run, State.R_SOURCE, state.run(run, State.R_MADE));
        state.run(run, State.R_STAGE, SWITCHED);
        if (storeAll(state, run, has(Rule.ANNOUNCE_THE_PAUSE) ? FENCING : VERIFYING, SWITCHED)) {
          to(state, run, has(Rule.NEVER_ENABLE) ? Step.LEAVE_DROP : Step.OVER);
        }
      }
      case GO_ON -> {
        if (store(state, run, 1)) {
          to(state, run, has(Rule.NEVER_ENABLE) ? Step.GO_ON_DISABLE : Step.GO_ON_STORE);
        }
      }
      case GO_ON_DISABLE -> disable(state, run, source, Step.GO_ON_SNAPSHOT, Step.GO_ON_CLONE);
      case GO_ON_SNAPSHOT -> snapshot(state, run, source, Step.GO_ON_CLONE);
      case GO_ON_DROP -> drop(state, run, run == 0 ? Step.OVER : Step.RENEW);
      case GO_ON_CLONE -> clone(state, run, source, Step.GO_ON_STORE);
      case GO_ON_STORE -> goOn(state, run, source);
      default -> throw new IllegalStateException("no step: " + step);
    }
  }

  private void take(State state, int run) {
    state.run(run, State.R_STAGE, state.get(State.STAGE));
    state.run(run, State.R_SOURCE, state.get(State.SOURCE));
    state.run(run, State.R_TARGET, state.get(State.TARGET));
    state.run(run, State.R_TURN, state.get(State.TURN));
    if (state.get(State.STAGE) == SWITCHED) {
      to(state, run, Step.OVER);
    } else if (store(state, run, 1)) {
      boolean left = state.get(State.STAGE) == FENCING;
      to(
          state,
          run,
          left ? (has(Rule.NEVER_ENABLE) ? Step.GO_ON_DISABLE : Step.GO_ON_STORE) : Step.RENEW);
    }
  }

  private void goOn(State state, int run, int source) {
    if (has(Rule.NEVER_ENABLE)) {
      state.run(run, State.R_SOURCE, state.run(run, State.R_MADE));
    } else if (state.table(source) == State.DISABLED) {
      state.table(source, State.ENABLED);
    }
    int before = state.run(run, State.R_STAGE);
    state.run(run, State.R_STAGE, VERIFYING);
    if (storeAll(state, run, before, VERIFYING)) {
      Step after = run == 0 ? Step.OVER : Step.RENEW;
      to(state, run, has(Rule.NEVER_ENABLE) ? Step.GO_ON_DROP : after);
    }
  }

  /** The step after the target has its name. */
  private Step compared(int run) {
    boolean all = run == 0 || has(Rule.COMPARE_ALL_ROWS);
    return all && !has(Rule.SNAPSHOT_BEFORE_THE_COMPARISON) ? Step.COMPARE : Step.SNAPSHOT;
  }

  /** Stores the next turn. */
  private boolean store(State state, int run, int turns) {
    if (has(Rule.COMPARE_AND_SET)
        && (state.get(State.TURN) != state.run(run, State.R_TURN)
            || state.get(State.STAGE) != state.run(run, State.R_STAGE))) {
      to(state, run, Step.OVER);
      return false;
    }
    int turn = state.run(run, State.R_TURN) + turns;
    state.run(run, State.R_TURN, turn);
    state.set(State.TURN, turn);
    return true;
  }

  /** Stores all that the run knows. */
  private boolean storeAll(State state, int run, int expected, int stage) {
    boolean same =
        state.get(State.TURN) == state.run(run, State.R_TURN)
            && (state.get(State.STAGE) == expected || state.get(State.STAGE) == stage);
    if (has(Rule.COMPARE_AND_SET) && !same) {
      to(state, run, Step.OVER);
      return false;
    }
    int turn = state.run(run, State.R_TURN) + 1;
    state.run(run, State.R_TURN, turn);
    state.set(State.TURN, turn);
    state.set(State.STAGE, stage);
    state.set(State.SOURCE, state.run(run, State.R_SOURCE));
    state.set(State.TARGET, state.run(run, State.R_TARGET));
    return true;
  }

  private static boolean isOpen(State state, int run, int name) {
    if (state.table(name) == State.ENABLED) {
      return true;
    }
    to(state, run, Step.OVER);
    return false;
  }

  private void pass(State state, int run, int source, int target, Step after) {
    boolean changed = state.value(source) != state.run(run, State.R_COMPARED);
    state.run(run, State.R_COMPARED, state.value(source));
    if (!changed || !send(state, run, source, target, after, false)) {
      to(state, run, after);
    }
  }

  /** Sends a repair if the row differs. */
  private boolean send(State state, int run, int source, int target, Step after, boolean again) {
    int value = state.value(source);
    if (state.table(target) == State.ENABLED && state.value(target) == value) {
      return false;
    }
    state.run(run, State.R_SENT_TO, target);
    state.run(run, State.R_SENT, value + 1);
    if (again || !has(Rule.SEND_ONCE)) {
      state.run(run, State.R_COPY_TO, target);
      state.run(run, State.R_COPY, value + 1);
    }
    state.run(run, State.R_AFTER, after.code());
    to(state, run, Step.WAIT);
    return true;
  }

  private static void disable(State state, int run, int name, Step next, Step ifGone) {
    if (state.table(name) == State.ABSENT) {
      to(state, run, state.hasSnapshot(name) ? ifGone : Step.OVER);
    } else if (state.table(name) == State.ENABLED && state.hasSnapshot(name)) {
      to(state, run, Step.OVER);
    } else {
      state.table(name, State.DISABLED);
      to(state, run, next);
    }
  }

  private static void snapshot(State state, int run, int name, Step next) {
    if (!state.hasSnapshot(name)) {
      if (state.table(name) == State.ABSENT) {
        to(state, run, Step.OVER);
        return;
      }
      state.takeSnapshot(name);
    }
    to(state, run, next);
  }

  private static void drop(State state, int run, Step next) {
    int name = state.run(run, State.R_LEFT);
    if (state.table(name) == State.ENABLED) {
      to(state, run, Step.OVER);
      return;
    }
    state.table(name, State.ABSENT);
    to(state, run, next);
  }

  private static void clone(State state, int run, int name, Step next) {
    int clone = state.run(run, State.R_TURN) + 1;
    if (state.table(clone) != State.ABSENT || !state.hasSnapshot(name)) {
      to(state, run, Step.OVER);
      return;
    }
    state.table(clone, State.ENABLED);
    state.value(clone, state.snapshot(name));
    state.run(run, State.R_MADE, clone);
    state.run(run, State.R_LEFT, name);
    to(state, run, next);
  }
}
