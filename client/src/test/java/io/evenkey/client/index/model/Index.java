/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.index.model;

import io.evenkey.client.index.model.Scenario.With;

/**
 * The servers of the index. An entry is a column in the index row of a key; it has the bits of what
 * was written to it and, if it was written at all, its key.
 */
final class Index {
  private static final int KEY_BITS = 3;
  private static final int KEY = (1 << KEY_BITS) - 1;
  private static final int PUT = 1 << KEY_BITS;
  private static final int MARK = PUT << 1;
  private static final int KILL = MARK << 1;
  private static final int TOMBSTONE = KILL << 1;

  private final World world;

  Index(World world) {
    this.world = world;
  }

  /** Executes a request. */
  void execute(State state, long request) {
    int row = Request.row(request);
    int entry = Request.entry(request);
    int key = Request.key(request) + 1;
    int was = state.entry(row, entry);
    if ((was & KEY) != 0 && (was & KEY) != key) {
      // The index row of this key has no such column: a tombstone or mark in it hides nothing.
      return;
    }
    int bit =
        switch (Request.kind(request)) {
          case PUT_ENTRY -> {
            state.base(row, entry, Request.guard(request));
            // Without numbers of its own, a later put is on top of a tombstone.
            was = world.has(Rule.FRESH_NONCE) ? was : was & ~TOMBSTONE;
            yield PUT;
          }
          case REMOVE_ENTRY -> TOMBSTONE;
          case MARK_ENTRY -> {
            was = world.has(Rule.KILL_WINS) ? was : was & ~KILL;
            yield MARK;
          }
          case KILL_ENTRY -> KILL;
          default -> throw new IllegalArgumentException(Request.text(request));
        };
    state.entry(row, entry, was | key | bit);
  }

  boolean isVisible(State state, int row, int entry) {
    int bits = state.entry(row, entry);
    return (bits & TOMBSTONE) == 0 && (bits & (PUT | MARK)) != 0;
  }

  boolean isVerified(State state, int row, int entry) {
    return (state.entry(row, entry) & (TOMBSTONE | KILL | MARK)) == MARK;
  }

  int key(State state, int row, int entry) {
    return (state.entry(row, entry) & KEY) - 1;
  }

  /** Whether the index row of a key has an entry of a row. */
  boolean has(State state, int row, int key) {
    for (int entry = 1; entry < State.ENTRIES; entry++) {
      if (isVisible(state, row, entry) && key(state, row, entry) == key) {
        return true;
      }
    }
    return false;
  }

  boolean hasVerified(State state, int row, int key) {
    for (int entry = 1; entry < State.ENTRIES; entry++) {
      if (isVerified(state, row, entry) && key(state, row, entry) == key) {
        return true;
      }
    }
    return false;
  }

  /** An entry that is there at the start. */
  void start(State state, int row, int entry, int key) {
    int mark = world.scenario().has(With.MARKS) ? MARK : 0;
    state.entry(row, entry, key + 1 | PUT | mark);
    state.base(row, entry, World.NO_GUARD);
  }

  /** A compaction, which drops tombstones and what they hide. */
  void next(State state, Steps steps) {
    Scenario scenario = world.scenario();
    boolean kept = scenario.has(With.MARKS) && world.has(Rule.TOMBSTONES_KEPT);
    if (!scenario.has(With.COMPACTION) || kept || state.get(State.COMPACTED) != 0) {
      return;
    }
    State next = state.copy();
    boolean changed = false;
    for (int row = 0; row < state.rows(); row++) {
      for (int entry = 1; entry < State.ENTRIES; entry++) {
        if ((state.entry(row, entry) & TOMBSTONE) != 0) {
          next.entry(row, entry, 0);
          next.base(row, entry, 0);
          changed = true;
        }
      }
    }
    if (changed) {
      next.set(State.COMPACTED, 1);
      steps.add(next, "index", "is compacted", 0);
    }
  }

  String text(State state, int row, int entry) {
    int bits = state.entry(row, entry);
    return Columns.keyText(key(state, row, entry))
        + ((bits & PUT) != 0 ? " put, base " + state.base(row, entry) : "")
        + ((bits & MARK) != 0 ? " marked" : "")
        + ((bits & KILL) != 0 ? " killed" : "")
        + ((bits & TOMBSTONE) != 0 ? " removed" : "");
  }
}
