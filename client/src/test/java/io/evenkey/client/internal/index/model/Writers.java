/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index.model;

import io.evenkey.client.internal.index.model.Scenario.Writer;
import java.util.List;

/** The clients that write, by either protocol. */
final class Writers {
  // The fields of a writer; of the last two, one for each row.
  private static final int POSITION = 0;
  private static final int ATTEMPT = 1;
  private static final int ROW = 2;
  private static final int PENDING = 3;
  private static final int REFUSED = 4;

  /** The epoch when the attempt began. */
  private static final int KNOWN = 5;

  /** Whether the put has passed the check of the region server, and is not made yet. */
  private static final int PASSED = 6;

  private static final int COLUMNS = 7;
  private static final int NONCE = 9;

  /** Whether the attempt began when the index was dropped, and not there again. */
  private static final int WITHOUT = 11;

  /** The first position that is a phase's; before it is the start. */
  private static final int PHASES = 1;

  private static final int ATTEMPTS = 2;

  /** Of a put that has passed the check of its epoch. */
  private static final int LATEST_EPOCH = 15;

  private final World world;
  private final List<Phase> order;

  Writers(World world, List<Phase> order) {
    this.world = world;
    this.order = order;
  }

  void next(State state, int w, Steps steps) {
    int position = state.actor(w, POSITION);
    if (position == World.END) {
      return;
    }
    Writer writer = world.scenario().writers().get(w);
    if (position == World.START) {
      State next = state.copy();
      start(next, w, writer);
      steps.add(next, world.name(w), writer.operation().begins(), 0);
      return;
    }
    int row = state.actor(w, ROW);
    Phase phase = order.get(position - PHASES);
    if (phase == Phase.READ || phase == Phase.READ_AGAIN) {
      State next = state.copy();
      next.actor(w, COLUMNS + row, next.row(row, State.COLUMNS));
      next.actor(w, NONCE + row, next.row(row, State.NONCE));
      advance(next, w, writer, position - PHASES, row);
      steps.add(next, world.name(w), Trace.READS[row], 0);
      return;
    }
    if (phase == Phase.CHANGE && isSlow(state, w, writer, row)) {
      State next = state.copy();
      next.actor(w, PASSED, 1);
      steps.add(next, world.name(w), "passes the check of the region server", 0);
      return;
    }
    long request = request(state, w, writer, phase, row);
    Faults faults = world.faults();
    faults.send(
        state,
        w,
        World.END,
        request,
        steps,
        (next, done) -> {
          next.actor(w, PASSED, 0);
          if (done) {
            acknowledge(next, w, writer, phase, row);
          } else {
            next.actor(w, REFUSED, next.actor(w, REFUSED) | 1 << row);
          }
          advance(next, w, writer, position - PHASES, row);
        });
    if (phase == Phase.PUT_ENTRY && faults.areLeft(state)) {
      State next = faults.fault(state);
      if (world.has(Rule.OWN_ENTRY_ACKNOWLEDGED)) {
        next.actor(w, PENDING, next.actor(w, PENDING) & ~(1 << row));
      }
      advance(next, w, writer, position - PHASES, row);
      steps.add(next, world.name(w), "gets an error for", request);
    }
  }

  // Without the rules, the server may execute a put any time after its check.
  private boolean isSlow(State state, int w, Writer writer, int row) {
    boolean slow =
        !world.has(Rule.EPOCH_DRAINS)
            || world.scenario().mutable() && !world.has(Rule.ONE_PUT_AT_A_TIME);
    return slow
        && !ignores(state, w, writer)
        && !writer.operation().putsNothing()
        && state.actor(w, PASSED) == 0
        && state.actor(w, KNOWN) >= state.row(row, State.REGION_EPOCH)
        && world
            .table()
            .isAsRead(state, row, writer.operation().columns(), state.actor(w, COLUMNS + row));
  }

  private void start(State next, int w, Writer writer) {
    next.actor(w, PENDING, next.actor(w, ATTEMPT) == 0 ? writer.rows() : next.actor(w, PENDING));
    int known = Integer.MAX_VALUE;
    for (int row = 0; row < next.rows(); row++) {
      if ((writer.rows() & 1 << row) != 0) {
        known = Math.min(known, next.row(row, State.REGION_EPOCH));
      }
    }
    boolean refused =
        !world.scenario().mutable()
            && world.has(Rule.WHOLE_RECORD)
            && writer.operation().isPartial()
            && !writer.operation().putsNothing();
    boolean deletes =
        writer.operation() == Operation.DELETE || writer.operation() == Operation.CLEAR_FIRST;
    boolean stays =
        world.scenario().has(Scenario.With.SETTLING) && world.has(Rule.ROWS_STAY) && deletes;
    boolean without =
        world.scenario().has(Scenario.With.DROPPING) && next.get(State.STAGE) == Filler.JOINING;
    next.actor(w, WITHOUT, without ? 1 : 0);
    if ((refused || stays) && !ignores(next, w, writer)) {
      next.actor(w, PENDING, 0);
    }
    next.actor(w, KNOWN, known);
    advance(next, w, writer, -1, next.rows());
  }

  private long request(State state, int w, Writer writer, Phase phase, int row) {
    int key = Columns.key(target(state, w, writer, row));
    return switch (phase) {
      case PUT_ENTRY -> Request.entry(Request.Kind.PUT_ENTRY, row, number(state, w, key), key);
      case CHANGE -> change(state, w, writer, row, number(state, w, key));
      case REMOVE_OLD_ENTRY ->
          Request.entry(
              Request.Kind.REMOVE_ENTRY,
              row,
              oldEntry(state, w, row),
              Columns.key(state.actor(w, COLUMNS + row)));
      case READ, READ_AGAIN -> throw new IllegalArgumentException(phase.name());
    };
  }

  private long change(State state, int w, Writer writer, int row, int entry) {
    int write = writer.operation().columns();
    if (ignores(state, w, writer)) {
      return Request.row(Request.Kind.PUT_IGNORANT, row, write, 0, 0);
    }
    if (writer.operation() == Operation.TOUCH) {
      return Request.row(Request.Kind.TOUCH, row, write, 0, 0);
    }
    if (writer.operation().putsNothing()) {
      return Request.row(Request.Kind.DELETE, row, write, 0, 0);
    }
    int epoch =
        world.has(Rule.EPOCH_BEFORE_ENTRY)
            ? state.actor(w, KNOWN)
            : state.row(row, State.REGION_EPOCH);
    if (state.actor(w, PASSED) != 0) {
      // What was checked before: the epoch too, if regions do not wait for such puts.
      int passed = world.has(Rule.EPOCH_DRAINS) ? epoch : LATEST_EPOCH;
      return world.has(Rule.ONE_PUT_AT_A_TIME) && world.scenario().mutable()
          ? Request.check(row, write, entry, passed, state.actor(w, COLUMNS + row))
          : Request.row(Request.Kind.PUT, row, write, entry, passed);
    }
    return world.scenario().mutable() && writer.operation().isPartial()
        ? Request.check(row, write, entry, epoch, state.actor(w, COLUMNS + row))
        : Request.row(Request.Kind.PUT, row, write, entry, epoch);
  }

  private void acknowledge(State next, int w, Writer writer, Phase phase, int row) {
    boolean last = world.has(Rule.ENTRY_FIRST) || !putsEntry(next, w, writer, row);
    if (phase != (last ? Phase.CHANGE : Phase.PUT_ENTRY)) {
      return;
    }
    int key = Columns.key(target(next, w, writer, row));
    boolean seen = writer.operation() == Operation.TOUCH || ignores(next, w, writer);
    boolean own = next.row(row, State.NONCE) == number(next, w, key);
    if (next.key(row) != Columns.NO_KEY && (seen || own)) {
      next.row(row, State.ACKNOWLEDGED, 1);
    }
  }

  /** Goes to the next row, or phase, that has something to do; else to the next attempt. */
  private void advance(State next, int w, Writer writer, int phase, int row) {
    int pending = next.actor(w, PENDING);
    for (int p = phase, r = row + 1; p < order.size(); p++, r = 0) {
      for (; p >= 0 && r < next.rows(); r++) {
        if ((pending & 1 << r) != 0 && needs(next, w, writer, order.get(p), r)) {
          next.actor(w, POSITION, p + PHASES);
          next.actor(w, ROW, r);
          return;
        }
      }
    }
    int refused = next.actor(w, REFUSED);
    int attempt = next.actor(w, ATTEMPT) + 1;
    boolean again = refused != 0 && attempt < ATTEMPTS && !writer.ignorant();
    next.actorAt(w, again ? World.START : World.END);
    if (again) {
      next.actor(w, ATTEMPT, attempt);
      next.actor(w, PENDING, refused);
    }
  }

  private boolean needs(State state, int w, Writer writer, Phase phase, int row) {
    if (phase == Phase.CHANGE) {
      return true;
    }
    if (ignores(state, w, writer) || writer.operation() == Operation.TOUCH) {
      return false;
    }
    boolean partialPut =
        world.scenario().mutable()
            && writer.operation().isPartial()
            && !writer.operation().putsNothing();
    boolean refused = (state.actor(w, REFUSED) & 1 << row) != 0;
    return switch (phase) {
      case READ -> partialPut || !world.has(Rule.OLD_ENTRY_STAYS);
      case READ_AGAIN -> partialPut;
      case PUT_ENTRY ->
          putsEntry(state, w, writer, row)
              && (state.actor(w, ATTEMPT) == 0 || world.has(Rule.ANOTHER_ENTRY));
      case REMOVE_OLD_ENTRY ->
          !world.has(Rule.OLD_ENTRY_STAYS)
              && !refused
              && oldEntry(state, w, row) != 0
              && oldEntry(state, w, row)
                  != number(state, w, Columns.key(target(state, w, writer, row)));
      case CHANGE -> true;
    };
  }

  private static boolean ignores(State state, int w, Writer writer) {
    return writer.ignorant() || state.actor(w, WITHOUT) != 0;
  }

  /** The columns after the write, as the writer knows them. */
  private int target(State state, int w, Writer writer, int row) {
    return Columns.after(state.actor(w, COLUMNS + row), writer.operation().columns());
  }

  private boolean putsEntry(State state, int w, Writer writer, int row) {
    return !ignores(state, w, writer)
        && !writer.operation().putsNothing()
        && Columns.key(target(state, w, writer, row)) != Columns.NO_KEY
        && (world.scenario().mutable() || !writer.operation().isPartial());
  }

  /** The number of the attempt: the column of its entry. */
  private int number(State state, int w, int key) {
    if (!world.has(Rule.FRESH_NONCE)) {
      return key == Columns.NO_KEY ? 0 : Filler.entry(key);
    }
    return World.FIRST_NUMBER
        + ATTEMPTS * w
        + (world.has(Rule.ANOTHER_ENTRY) ? state.actor(w, ATTEMPT) : 0);
  }

  /** The entry of the row as it was read; 0 if it has none. */
  private static int oldEntry(State state, int w, int row) {
    int key = Columns.key(state.actor(w, COLUMNS + row));
    int nonce = state.actor(w, NONCE + row);
    return key == Columns.NO_KEY ? 0 : nonce == 0 ? Filler.entry(key) : nonce;
  }
}
