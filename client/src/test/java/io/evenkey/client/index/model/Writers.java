/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.index.model;

import io.evenkey.client.index.model.Scenario.With;
import io.evenkey.client.index.model.Scenario.Writer;
import java.util.List;

/** The clients that write, by either protocol. */
final class Writers {
  // The fields of a writer; of the last three, one for each row.
  private static final int POSITION = 0;
  private static final int ATTEMPT = 1;
  private static final int ROW = 2;
  private static final int PENDING = 3;
  private static final int REFUSED = 4;

  /** The epoch, or the stage of an index that is being added, when the attempt began. */
  private static final int KNOWN = 5;

  private static final int COLUMNS = 6;
  private static final int NONCE = 8;
  private static final int GUARD = 10;

  /** The first position that is a phase's; before it are the start and the look after a refusal. */
  private static final int PHASES = 2;

  private static final int LOOK = 1;
  private static final int ATTEMPTS = 2;

  /** The epoch of a put that has passed the check. */
  private static final int ADMITTED = 15;

  private final World world;
  private final List<Phase> order;
  private final int change;

  Writers(World world, List<Phase> order) {
    this.world = world;
    this.order = order;
    this.change = order.indexOf(Phase.CHANGE);
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
    if (position == LOOK) {
      look(state, w, writer, row, steps);
      return;
    }
    Phase phase = order.get(position - PHASES);
    if (phase == Phase.READ || phase == Phase.READ_AGAIN) {
      State next = state.copy();
      read(next, w, writer, row);
      advance(next, w, writer, position - PHASES, row);
      steps.add(next, world.name(w), Trace.READS[row], 0);
      return;
    }
    if (phase == Phase.CHANGE && !world.has(Rule.EPOCH_DRAINS) && passesCheck(state, w, row)) {
      State next = state.copy();
      next.actor(w, KNOWN, ADMITTED);
      steps.add(next, world.name(w), "passes the check of the epoch", 0);
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
          if (done) {
            acknowledge(next, w, writer, phase, row);
          } else if (world.scenario().mutable() && !writer.ignorant()) {
            next.actor(w, POSITION, LOOK);
            return;
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

  // Without the rule, the server may execute a put any time after its check.
  private boolean passesCheck(State state, int w, int row) {
    int known = state.actor(w, KNOWN);
    return known != ADMITTED && known >= state.row(row, State.REGION_EPOCH);
  }

  private void start(State next, int w, Writer writer) {
    next.actor(w, PENDING, next.actor(w, ATTEMPT) == 0 ? writer.rows() : next.actor(w, PENDING));
    int known = next.get(State.STAGE);
    if (!world.scenario().mutable()) {
      known = Integer.MAX_VALUE;
      for (int row = 0; row < next.rows(); row++) {
        if ((writer.rows() & 1 << row) != 0) {
          known = Math.min(known, next.row(row, State.REGION_EPOCH));
        }
      }
      if (world.has(Rule.WHOLE_RECORD) && writer.operation().isPartial()) {
        next.actor(w, PENDING, 0);
      }
    }
    next.actor(w, KNOWN, known);
    advance(next, w, writer, -1, next.rows());
  }

  private void read(State next, int w, Writer writer, int row) {
    next.actor(w, COLUMNS + row, next.row(row, State.COLUMNS));
    next.actor(w, NONCE + row, next.row(row, State.NONCE));
    next.actor(w, GUARD + row, next.row(row, State.GUARD));
    boolean nothing =
        writer.operation() == Operation.DELETE
            ? next.row(row, State.COLUMNS) == Columns.ABSENT
            : writer.operation() == Operation.TOUCH && next.key(row) == Columns.NO_KEY;
    if (nothing) {
      next.actor(w, PENDING, next.actor(w, PENDING) & ~(1 << row));
    }
  }

  /** After a refusal: the change may have been done before, when its answer was lost. */
  private void look(State state, int w, Writer writer, int row, Steps steps) {
    State next = state.copy();
    boolean byEntry = putsEntry(state, w, writer, row) && world.has(Rule.ENTRY_TELLS);
    boolean own =
        byEntry
            ? state.row(row, State.NONCE) == nonce(state, w, writer, row)
            : state.row(row, State.GUARD) == fresh(state, w, writer, row);
    if (own) {
      acknowledge(next, w, writer, Phase.CHANGE, row);
    } else {
      next.actor(w, REFUSED, next.actor(w, REFUSED) | 1 << row);
    }
    advance(next, w, writer, change, row);
    steps.add(next, world.name(w), own ? "finds its own change" : "finds another's change", 0);
  }

  private long request(State state, int w, Writer writer, Phase phase, int row) {
    int key = Columns.key(target(state, w, writer, row));
    int oldKey = Columns.key(state.actor(w, COLUMNS + row));
    int number = number(state, w, key);
    int old = oldEntry(state, w, row);
    return switch (phase) {
      case PUT_ENTRY -> Request.putEntry(row, number, key, state.actor(w, GUARD + row));
      case KILL_MARK -> Request.entry(Request.Kind.KILL_ENTRY, row, old, oldKey);
      case CHANGE -> change(state, w, writer, row);
      case REMOVE_OLD_ENTRY -> Request.entry(Request.Kind.REMOVE_ENTRY, row, old, oldKey);
      case MARK_ENTRY -> Request.entry(Request.Kind.MARK_ENTRY, row, number, key);
      case REMOVE_OWN_ENTRY -> Request.entry(Request.Kind.REMOVE_ENTRY, row, number, key);
      case READ, READ_AGAIN -> throw new IllegalArgumentException(phase.name());
    };
  }

  private long change(State state, int w, Writer writer, int row) {
    int write = writer.operation().columns();
    int entry = nonce(state, w, writer, row);
    if (writer.ignorant()) {
      return Request.row(Request.Kind.PUT_IGNORANT, row, write, 0, 0);
    }
    if (world.scenario().mutable()) {
      return Request.check(
          row, write, entry, state.actor(w, GUARD + row), fresh(state, w, writer, row));
    }
    if (writer.operation() == Operation.DELETE) {
      return Request.row(Request.Kind.DELETE, row, write, 0, 0);
    }
    int epoch =
        world.has(Rule.EPOCH_BEFORE_ENTRY)
            ? state.actor(w, KNOWN)
            : state.row(row, State.REGION_EPOCH);
    return Request.row(Request.Kind.PUT, row, write, entry, epoch);
  }

  private void acknowledge(State next, int w, Writer writer, Phase phase, int row) {
    boolean last = world.has(Rule.ENTRY_FIRST) || !putsEntry(next, w, writer, row);
    if (phase != (last ? Phase.CHANGE : Phase.PUT_ENTRY)) {
      return;
    }
    int key = Columns.key(target(next, w, writer, row));
    boolean own = writer.ignorant() || next.row(row, State.NONCE) == nonce(next, w, writer, row);
    boolean shown = !world.scenario().mutable() || next.key(row) == key;
    if (next.key(row) != Columns.NO_KEY && shown && own) {
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
    boolean mutable = world.scenario().mutable();
    boolean refused = (state.actor(w, REFUSED) & 1 << row) != 0;
    boolean joined =
        state.actor(w, KNOWN) != Filler.JOINING || !world.has(Rule.JOINING_REMOVES_NOTHING);
    boolean replaces =
        oldEntry(state, w, row) != 0
            && oldEntry(state, w, row) != nonce(state, w, writer, row)
            && writer.operation() != Operation.TOUCH;
    if (phase == Phase.CHANGE) {
      return true;
    }
    if (writer.ignorant()) {
      return false;
    }
    boolean eventDelete = !mutable && writer.operation() == Operation.DELETE;
    return switch (phase) {
      case READ -> mutable || eventDelete && !world.has(Rule.DELETE_LEAVES_ENTRY);
      case READ_AGAIN -> mutable;
      case PUT_ENTRY ->
          putsEntry(state, w, writer, row)
              && (mutable || state.actor(w, ATTEMPT) == 0 || world.has(Rule.ANOTHER_ENTRY));
      case KILL_MARK ->
          world.scenario().has(With.MARKS) && world.has(Rule.KILLED_FIRST) && replaces;
      case REMOVE_OLD_ENTRY -> (mutable ? joined : eventDelete) && replaces && !refused;
      case MARK_ENTRY ->
          world.scenario().has(With.MARKS)
              && joined
              && putsEntry(state, w, writer, row)
              && !refused;
      case REMOVE_OWN_ENTRY -> mutable && refused && putsEntry(state, w, writer, row);
      case CHANGE -> true;
    };
  }

  /** The columns after the write, as the writer knows them. */
  private int target(State state, int w, Writer writer, int row) {
    return Columns.after(state.actor(w, COLUMNS + row), writer.operation().columns());
  }

  private boolean putsEntry(State state, int w, Writer writer, int row) {
    return !writer.ignorant()
        && writer.operation() != Operation.TOUCH
        && Columns.key(target(state, w, writer, row)) != Columns.NO_KEY
        && (world.scenario().mutable() || !writer.operation().isPartial());
  }

  /** The number of the attempt: the column of its entry, and its guard. */
  private int number(State state, int w, int key) {
    if (!world.has(Rule.FRESH_NONCE)) {
      return Filler.entry(key);
    }
    boolean again = world.scenario().mutable() || world.has(Rule.ANOTHER_ENTRY);
    return World.FIRST_NUMBER + ATTEMPTS * w + (again ? state.actor(w, ATTEMPT) : 0);
  }

  /** The entry that the row names after the write. */
  private int nonce(State state, int w, Writer writer, int row) {
    int key = Columns.key(target(state, w, writer, row));
    if (writer.operation() == Operation.TOUCH) {
      return state.actor(w, NONCE + row);
    }
    boolean event = !world.scenario().mutable() && writer.operation() != Operation.DELETE;
    return key == Columns.NO_KEY && !event ? 0 : number(state, w, key);
  }

  private int fresh(State state, int w, Writer writer, int row) {
    if (writer.operation() == Operation.DELETE && !world.has(Rule.MARKER_AT_DELETE)) {
      return World.NO_GUARD;
    }
    int key = Columns.key(target(state, w, writer, row));
    return world.has(Rule.FRESH_GUARD)
        ? World.FIRST_NUMBER + ATTEMPTS * w + state.actor(w, ATTEMPT)
        : World.guardOf(key);
  }

  /** The entry of the row as it was read; 0 if it has none. */
  private static int oldEntry(State state, int w, int row) {
    int key = Columns.key(state.actor(w, COLUMNS + row));
    int nonce = state.actor(w, NONCE + row);
    return key == Columns.NO_KEY ? 0 : nonce == 0 ? Filler.entry(key) : nonce;
  }
}
