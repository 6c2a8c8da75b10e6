/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index.model;

import java.util.stream.IntStream;

/**
 * The sweeps of the index. A sweep collects entries whose row is absent or has other values, begins
 * an epoch by the table's guard, looks at the row again, and removes the entry.
 */
final class Sweeps {
  private static final int POSITION = 0;
  private static final int ROUND = 1;
  private static final int ROW = 2;
  private static final int ENTRY = 3;

  private static final int COLLECT_NOW = 1;
  private static final int DESCRIPTOR = 2;
  private static final int REGIONS = 3;
  private static final int LOOK = 4;
  private static final int REMOVE = 5;
  private static final int ROUNDS = 2;

  private static final String[] COLLECTS =
      IntStream.range(0, State.ENTRIES).mapToObj(e -> "collects entry " + e).toArray(String[]::new);

  private final World world;

  Sweeps(World world) {
    this.world = world;
  }

  void next(State state, int sweep, Steps steps) {
    String name = world.name(sweep);
    int row = state.actor(sweep, ROW);
    int entry = state.actor(sweep, ENTRY);
    int key = world.index().key(state, row, entry);
    switch (state.actor(sweep, POSITION)) {
      case World.START -> {
        if (world.has(Rule.COLLECTED_FIRST)) {
          collect(state, sweep, DESCRIPTOR, steps);
        } else {
          State next = state.copy();
          next.actor(sweep, POSITION, DESCRIPTOR);
          steps.add(next, name, "begins", 0);
        }
      }
      case COLLECT_NOW -> collect(state, sweep, LOOK, steps);
      case DESCRIPTOR -> {
        State next = state.copy();
        next.set(State.EPOCH, state.get(State.EPOCH) + 1);
        next.actor(sweep, POSITION, REGIONS);
        steps.add(next, name, "changes the epoch in the descriptor", 0);
      }
      case REGIONS -> {
        State next = state.copy();
        for (int r = 0; r < state.rows(); r++) {
          if (r == 0 || world.has(Rule.ALL_REGIONS_ANSWER)) {
            next.row(r, State.REGION_EPOCH, state.get(State.EPOCH));
          }
        }
        int then = world.has(Rule.COLLECTED_FIRST) ? LOOK : COLLECT_NOW;
        next.actor(sweep, POSITION, then);
        steps.add(next, name, "has the answers of the regions", 0);
      }
      case LOOK -> {
        State next = state.copy();
        boolean there = state.key(row) == key && world.has(Rule.SWEEP_LOOKS_AGAIN);
        if (there) {
          again(next, sweep);
        } else {
          next.actor(sweep, POSITION, REMOVE);
        }
        steps.add(next, name, there ? "finds the row" : "finds no row again", 0);
      }
      case REMOVE ->
          world
              .faults()
              .send(
                  state,
                  sweep,
                  World.END,
                  Request.entry(Request.Kind.REMOVE_ENTRY, row, entry, key),
                  steps,
                  (next, done) -> again(next, sweep));
      default -> {}
    }
  }

  private void collect(State state, int sweep, int then, Steps steps) {
    for (int row = 0; row < state.rows(); row++) {
      for (int entry = 1; entry < State.ENTRIES; entry++) {
        if (world.index().isVisible(state, row, entry)
            && world.index().key(state, row, entry) != state.key(row)) {
          State next = state.copy();
          next.actor(sweep, ROW, row);
          next.actor(sweep, ENTRY, entry);
          next.actor(sweep, POSITION, then);
          steps.add(next, world.name(sweep), COLLECTS[entry], 0);
        }
      }
    }
  }

  private static void again(State next, int sweep) {
    int round = next.actor(sweep, ROUND) + 1;
    next.actorAt(sweep, round < ROUNDS ? World.START : World.END);
    if (round < ROUNDS) {
      next.actor(sweep, ROUND, round);
    }
  }
}
