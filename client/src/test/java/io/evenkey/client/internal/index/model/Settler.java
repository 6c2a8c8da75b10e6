/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index.model;

/** Settles the entry of a row that it sees. A request of it may be on its way for any time. */
final class Settler {
  private static final int POSITION = 0;
  private static final int ROW = 1;
  private static final int KEY = 2;

  /** Whether it knows the index as the one that was added again. */
  private static final int AGAIN = 3;

  private static final int SETTLE = 1;

  private final World world;

  Settler(World world) {
    this.world = world;
  }

  void next(State state, int settler, Steps steps) {
    switch (state.actor(settler, POSITION)) {
      case World.START -> look(state, settler, steps);
      case SETTLE -> {
        int row = state.actor(settler, ROW);
        int key = state.actor(settler, KEY);
        world
            .faults()
            .send(
                state,
                settler,
                World.END,
                Request.settle(row, key, state.actor(settler, AGAIN)),
                steps,
                (next, done) -> next.actorAt(settler, World.END));
      }
      default -> {}
    }
  }

  private void look(State state, int settler, Steps steps) {
    if (state.get(State.STAGE) != Filler.PUBLIC) {
      return;
    }
    for (int row = 0; row < state.rows(); row++) {
      for (int key = 0; key < Columns.KEYS; key++) {
        boolean seen = state.key(row) == key || !world.has(Rule.ROW_SEEN);
        if (seen && world.index().has(state, row, key)) {
          State next = state.copy();
          next.actor(settler, ROW, row);
          next.actor(settler, KEY, key);
          next.actor(settler, AGAIN, state.get(State.DROPPED));
          next.actor(settler, POSITION, SETTLE);
          steps.add(next, world.name(settler), Trace.READS[row], 0);
        }
      }
    }
  }
}
