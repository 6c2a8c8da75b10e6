/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index.model;

/**
 * A reader of the whole index: it scans the index rows in order, looks the rows up, at any later
 * time, and returns those that match; a settled entry it returns at once. A row that changes is
 * returned by each key that it had when it was looked up. Keys are sets of bits.
 */
final class Reader {
  private static final int POSITION = 0;
  private static final int ERROR = 1;

  // Of each row, three bytes: what it had all the time, and ever; what was found and returned.
  private static final int KEYS = 2;
  private static final int FOUND = 3;
  private static final int ACKNOWLEDGED = 4;
  private static final int WIDTH = 3;

  // Of an index that may be dropped: the epoch that the reader knows, and which index it reads.
  private static final int EPOCH = 8;
  private static final int AGAIN = 9;

  /** The first position in the scan. */
  private static final int SCAN = 1;

  private final World world;

  Reader(World world) {
    this.world = world;
  }

  private static int low(int nibbles) {
    return nibbles & 0xf;
  }

  private static int high(int nibbles) {
    return nibbles >> 4 & 0xf;
  }

  private static int bit(int key) {
    return key == Columns.NO_KEY ? 0 : 1 << key;
  }

  /** A row has another key, or another entry. */
  void changed(State state, int row) {
    int reader = world.readerActor();
    if (reader < 0) {
      return;
    }
    int position = state.actor(reader, POSITION);
    if (position == World.START || position == World.END) {
      return;
    }
    int bit = bit(state.key(row));
    int keys = state.actor(reader, KEYS + WIDTH * row);
    state.actor(reader, KEYS + WIDTH * row, low(keys) & bit | (high(keys) | bit) << 4);
  }

  void next(State state, int reader, Steps steps) {
    int position = state.actor(reader, POSITION);
    int end = SCAN + Columns.KEYS * state.rows();
    if (position == World.START) {
      begin(state, reader, steps);
      return;
    }
    if (position == World.END) {
      return;
    }
    boolean pending = false;
    for (int row = 0; row < state.rows(); row++) {
      int found = low(state.actor(reader, FOUND + WIDTH * row));
      pending |= found != 0;
      for (int key = 0; key < Columns.KEYS; key++) {
        if ((found & bit(key)) != 0) {
          lookUp(state, reader, row, key, steps);
        }
      }
    }
    if (position < end) {
      scan(state, reader, position, steps);
    } else if (!pending) {
      end(state, reader, steps);
    }
  }

  private void begin(State state, int reader, Steps steps) {
    boolean drops = world.scenario().has(Scenario.With.DROPPING);
    if (state.get(State.STAGE) == Filler.PUBLIC) {
      int epoch = drops ? state.get(State.EPOCH) : 0;
      begin(state, reader, epoch, state.get(State.DROPPED), "begins", steps);
    }
    if (drops && state.get(State.EPOCH) != 0) {
      begin(state, reader, 0, 0, "begins, and knows the index as before", steps);
    }
  }

  private void begin(State state, int reader, int epoch, int again, String what, Steps steps) {
    State next = state.copy();
    next.actor(reader, POSITION, SCAN);
    next.actor(reader, EPOCH, epoch);
    next.actor(reader, AGAIN, again);
    for (int row = 0; row < state.rows(); row++) {
      int bit = bit(state.key(row));
      next.actor(reader, KEYS + WIDTH * row, bit | bit << 4);
      int acknowledged = state.row(row, State.ACKNOWLEDGED);
      next.actor(reader, ACKNOWLEDGED + WIDTH * row, acknowledged);
    }
    steps.add(next, "reader", what, 0);
  }

  /**
   * A request to the region of a row, which refuses it if it knows a later epoch; then the reader
   * looks the index up.
   *
   * @return whether the reader goes on
   */
  private boolean confirm(State next, int reader, int row) {
    boolean isKnown =
        !world.scenario().has(Scenario.With.DROPPING)
            || next.actor(reader, EPOCH) >= next.row(row, State.REGION_EPOCH);
    if (isKnown || !world.has(Rule.READ_CONFIRMED)) {
      return true;
    }
    boolean same =
        next.actor(reader, AGAIN) == next.get(State.DROPPED) || !world.has(Rule.SINCE_COMPARED);
    next.actor(reader, EPOCH, next.get(State.EPOCH));
    return same && next.get(State.STAGE) == Filler.PUBLIC;
  }

  private void fail(State next, int reader, Steps steps) {
    next.actorAt(reader, World.END);
    steps.add(next, "reader", "is refused, and fails", 0);
  }

  private void scan(State state, int reader, int position, Steps steps) {
    int row = (position - SCAN) % state.rows();
    int key = (position - SCAN) / state.rows();
    State next = state.copy();
    next.actor(reader, POSITION, position + 1);
    if (world.index().isSettled(state, row, key, state.actor(reader, AGAIN))) {
      giveBack(next, reader, row, key);
      steps.add(next, "reader", "finds a settled entry: returned", 0);
    } else if (world.index().has(state, row, key)) {
      int found = next.actor(reader, FOUND + WIDTH * row);
      next.actor(reader, FOUND + WIDTH * row, found | bit(key));
      steps.add(next, "reader", "finds an entry", 0);
    } else {
      steps.add(next, "reader", "finds an index row empty", 0);
    }
  }

  private void lookUp(State state, int reader, int row, int key, Steps steps) {
    State next = state.copy();
    int found = next.actor(reader, FOUND + WIDTH * row);
    next.actor(reader, FOUND + WIDTH * row, found & ~bit(key));
    if (!confirm(next, reader, row)) {
      fail(next, reader, steps);
      return;
    }
    boolean matches = state.key(row) == key || !world.has(Rule.VALUES_COMPARED);
    if (matches) {
      giveBack(next, reader, row, key);
    }
    steps.add(next, "reader", matches ? "looks the row up: returned" : "looks the row up", 0);
  }

  private void giveBack(State next, int reader, int row, int key) {
    int found = next.actor(reader, FOUND + WIDTH * row);
    int keys = next.actor(reader, KEYS + WIDTH * row);
    next.actor(reader, FOUND + WIDTH * row, found | bit(key) << 4);
    if ((high(keys) & bit(key)) == 0) {
      next.actor(reader, ERROR, Broken.PHANTOM.code());
    }
  }

  private void end(State state, int reader, Steps steps) {
    State next = state.copy();
    if (!confirm(next, reader, 0)) {
      fail(next, reader, steps);
      return;
    }
    int error = state.actor(reader, ERROR);
    for (int row = 0; row < state.rows(); row++) {
      int always = low(state.actor(reader, KEYS + WIDTH * row));
      int returned = high(state.actor(reader, FOUND + WIDTH * row));
      boolean acknowledged = state.actor(reader, ACKNOWLEDGED + WIDTH * row) != 0;
      if (error == 0 && (always & ~returned) != 0 && acknowledged) {
        error = Broken.LOST.code();
      }
    }
    next.actorAt(reader, World.END);
    next.set(State.BROKEN, error);
    steps.add(next, "reader", "ends", 0);
  }
}
