/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.model;

import static io.evenkey.jobs.migration.model.State.CHECKED;
import static io.evenkey.jobs.migration.model.State.S;
import static io.evenkey.jobs.migration.model.State.SENT;
import static io.evenkey.jobs.migration.model.State.T;

import io.evenkey.jobs.migration.model.Scenario.Call;
import io.evenkey.protocol.guard.GuardMode;
import java.util.List;

/**
 * The steps of clients. A request can arrive at any time at any existing generation: so it stands
 * for every idea that a client may have of the table, and every delay. A request that is refused
 * leaves its client as it was, which sends it again to one or the other.
 */
final class Clients {
  /** A target: T, by the layout that another table of this name had. */
  static final int OLD_LAYOUT = 2;

  // The state of a client; CHECKED: its write has passed the check.
  private static final int IDLE = 0;
  private static final int READING = 3;
  private static final int READ_CHECKED = 4;

  private final World world;
  private final Steps steps;

  Clients(World world, Steps steps) {
    this.world = world;
    this.steps = steps;
  }

  void next(State state) {
    for (int c = 0; c < world.scenario().clients().size(); c++) {
      if (!world.isDone(state, c)) {
        Call call = world.call(c, state.client(c, State.C_NEXT));
        if (call.operation().isWrite()) {
          write(state, c, call);
        } else {
          read(state, c, call.row());
        }
      }
      abandoned(state, c);
    }
  }

  /** The targets that a client may take its request to. */
  private int targets(State state, int client) {
    if (world.client(client).ignorant() || state.get(State.CREATED) == 0) {
      return S;
    }
    return state.get(State.SECOND) != 0 && !world.has(Rule.STAMP) ? OLD_LAYOUT : T;
  }

  private void write(State state, int c, Call call) {
    if (state.client(c, State.C_AT) == CHECKED) {
      State next = state.copy();
      int target = state.client(c, State.C_TARGET);
      done(
          next,
          c,
          state.client(c, State.C_NEXT),
          state.client(c, State.C_ATTEMPT),
          target,
          state.client(c, State.C_MARK));
      if (!world.isLeft(state, World.generation(target), call.row())) {
        int attempt = state.client(c, State.C_ATTEMPT);
        next.known(c, next.known(c) | world.cell(c, state.client(c, State.C_NEXT), attempt));
      }
      finish(next, c);
      steps.add(next, Step.WRITE, c, World.generation(target), call.row());
    } else {
      for (int target = S; target <= targets(state, c); target++) {
        int generation = World.generation(target);
        if (world.writes(state, generation, call.row())) {
          State next = state.copy();
          next.client(c, State.C_AT, CHECKED);
          next.client(c, State.C_TARGET, target);
          next.client(c, State.C_MARK, mark(state, generation, c, call));
          steps.add(next, Step.CHECK_WRITE, c, World.generation(target), call.row());
        }
      }
      if (world.client(c).ignorant()
          && GuardWord.mode(state.region(S, call.row())) == GuardMode.CLOSED) {
        State next = state.copy();
        finish(next, c);
        steps.add(next, Step.FAIL, c, S, call.row());
      }
    }
    timeOut(state, c, call);
  }

  /** The pass of the mark that a write leaves, which the check decides; 0 if it leaves none. */
  private int mark(State state, int generation, int client, Call call) {
    int word = state.region(generation, call.row());
    Operation operation = call.operation();
    boolean marks =
        GuardWord.marks(word)
            && !state.isUnguarded(generation, call.row())
            && (world.has(Rule.EVERY_WRITE_IS_MARKED) || !world.client(client).ignorant())
            && (world.has(Rule.FOUND_BY_MARKS) || !operation.isOld());
    return marks ? GuardWord.pass(word) : 0;
  }

  private void done(State next, int client, int index, int attempt, int target, int mark) {
    Call call = world.call(client, index);
    int generation = World.generation(target);
    int cell = world.cell(client, index, attempt);
    boolean hidden = target == OLD_LAYOUT || isHidden(next, generation, call);
    if (!hidden) {
      next.cells(generation, next.cells(generation) | cell);
    }
    boolean unguarded = next.isUnguarded(generation, call.row());
    if (unguarded && !GuardWord.mode(next.region(generation, call.row())).writes()) {
      next.set(State.UNMET, 1);
      if (world.isLeft(next, generation, call.row())) {
        // No other generation is to have it.
        return;
      }
    }
    next.doneCells(next.doneCells() | cell);
    if (call.operation() == Operation.OVERWRITE) {
      int put = world.put(client, index, attempt);
      next.doneLatest(call.row(), put);
      if (!hidden) {
        next.latest(generation, call.row(), put);
      }
    }
    if (mark != 0) {
      next.marks(generation, call.row(), next.marks(generation, call.row()) | 1 << mark - 1);
    }
  }

  // A cell with the time of a clock that is behind is older than what the row has already.
  private boolean isHidden(State state, int generation, Call call) {
    return generation == T
        && state.get(State.BEHIND) == 1
        && !call.operation().isOld()
        && (state.doneCells() & world.rowCells(call.row()) & -(1 << State.MAX_REGIONS)) != 0;
  }

  private void finish(State next, int client) {
    next.client(client, State.C_NEXT, next.client(client, State.C_NEXT) + 1);
    next.client(client, State.C_ATTEMPT, 0);
    rest(next, client);
    if (!reads(next, client)) {
      next.known(client, 0);
    }
  }

  private static void rest(State next, int client) {
    next.client(client, State.C_AT, IDLE);
    next.client(client, State.C_TARGET, 0);
    next.client(client, State.C_MARK, 0);
    next.client(client, State.C_LATEST, 0);
    next.seen(client, 0);
  }

  /** Whether a client is still to read. */
  private boolean reads(State state, int client) {
    List<Call> calls = world.client(client).calls();
    return calls.subList(state.client(client, State.C_NEXT), calls.size()).stream()
        .anyMatch(call -> !call.operation().isWrite());
  }

  private void timeOut(State state, int c, Call call) {
    if (!world.has(Scenario.Event.TIMEOUTS)
        || state.client(c, State.C_ATTEMPT) != 0
        || state.client(c, State.G_AT) != 0) {
      return;
    }
    State next = state.copy();
    next.client(c, State.G_AT, state.client(c, State.C_AT) == CHECKED ? CHECKED : SENT);
    next.client(c, State.G_CALL, state.client(c, State.C_NEXT));
    next.client(c, State.G_TARGET, state.client(c, State.C_TARGET));
    next.client(c, State.G_MARK, state.client(c, State.C_MARK));
    if (call.operation() == Operation.INCREMENT && world.has(Rule.INCREMENT_ONCE)) {
      // It tells the application that it does not know.
      finish(next, c);
    } else {
      rest(next, c);
      next.client(c, State.C_ATTEMPT, 1);
    }
    steps.add(next, Step.TIME_OUT, c, S, call.row());
  }

  private void abandoned(State state, int c) {
    if (state.client(c, State.G_AT) == 0) {
      return;
    }
    int index = state.client(c, State.G_CALL);
    Call call = world.call(c, index);
    if (state.client(c, State.G_AT) == CHECKED) {
      State next = state.copy();
      int target = state.client(c, State.G_TARGET);
      done(next, c, index, 0, target, state.client(c, State.G_MARK));
      for (int field = State.G_AT; field <= State.G_MARK; field++) {
        next.client(c, field, 0);
      }
      steps.add(next, Step.ABANDONED, c, World.generation(target), call.row());
      return;
    }
    for (int target = S; target <= targets(state, c); target++) {
      int generation = World.generation(target);
      if (world.writes(state, generation, call.row())) {
        State next = state.copy();
        next.client(c, State.G_AT, CHECKED);
        next.client(c, State.G_TARGET, target);
        next.client(c, State.G_MARK, mark(state, generation, c, call));
        steps.add(next, Step.CHECK_ABANDONED, c, World.generation(target), call.row());
      }
    }
  }

  private void read(State state, int c, int row) {
    State next = state.copy();
    switch (state.client(c, State.C_AT)) {
      case IDLE -> {
        next.client(c, State.C_AT, READING);
        next.seen(c, state.doneCells() & world.rowCells(row));
        next.client(c, State.C_LATEST, state.doneLatest(row));
        steps.add(next, Step.BEGIN_READ, c, S, row);
      }
      case READING -> {
        for (int target = S; target <= targets(state, c); target++) {
          if (world.reads(state, World.generation(target), row)) {
            State checked = state.copy();
            checked.client(c, State.C_AT, READ_CHECKED);
            checked.client(c, State.C_TARGET, target);
            steps.add(checked, Step.CHECK_READ, c, World.generation(target), row);
          }
        }
      }
      default -> {
        int generation = World.generation(state.client(c, State.C_TARGET));
        if (!world.isUnmet(state, generation)) {
          next.set(State.BROKEN, decide(state, c, generation, row).code());
        }
        next.known(c, state.known(c) | state.cells(generation) & world.rowCells(row));
        finish(next, c);
        steps.add(next, Step.ANSWER_READ, c, generation, row);
      }
    }
  }

  /**
   * Compares what a client reads with its history: the writes that were done before it began, its
   * own, and what it has read before.
   */
  private Broken decide(State state, int client, int generation, int row) {
    int cells = state.cells(generation) & world.rowCells(row);
    int missed = world.missed(state.seen(client), cells, row);
    int first = state.client(client, State.C_LATEST);
    int latest = state.latest(generation, row);
    // The one that was the latest may have been replaced since, but by none from before.
    boolean isReplaced =
        latest != first && (latest == 0 || (state.seen(client) & world.cellOf(latest)) != 0);
    if (isReplaced) {
      missed |= world.cellOf(first);
    }
    if ((missed & state.known(client) & world.cellsOf(client)) != 0) {
      return Broken.OWN;
    }
    if ((missed & state.known(client)) != 0) {
      return Broken.BACK;
    }
    return missed == 0 || world.has(Scenario.Event.HISTORIES) ? Broken.NOTHING : Broken.READ;
  }
}
