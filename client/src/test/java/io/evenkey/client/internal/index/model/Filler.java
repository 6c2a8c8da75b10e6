/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index.model;

/** The filling of an index that is added to a table with rows. A run that dies is started again. */
final class Filler {
  /** Some clients may not know the index. */
  static final int JOINING = 0;

  /** All clients write entries; entries of earlier rows are written. */
  static final int BUILDING = 1;

  /** Readers may use the index. */
  static final int PUBLIC = 2;

  private static final int POSITION = 0;
  private static final int ROW = 1;
  private static final int KEY = 2;

  private static final int READ = 1;
  private static final int PUT = 2;

  /** The first of the entries of the filling, one for each key. */
  private static final int FIRST_ENTRY = 2;

  private final World world;

  Filler(World world) {
    this.world = world;
  }

  /** The entry of a row that was there before the index. */
  static int entry(int key) {
    return FIRST_ENTRY + key;
  }

  void next(State state, int filler, Steps steps) {
    String name = world.name(filler);
    int row = state.actor(filler, ROW);
    switch (state.actor(filler, POSITION)) {
      case World.START -> {
        if (world.scenario().has(Scenario.With.DROPPING) && state.get(State.DROPPED) == 0) {
          return;
        }
        State next = state.copy();
        next.set(State.STAGE, Math.max(BUILDING, state.get(State.STAGE)));
        next.actor(filler, POSITION, READ);
        steps.add(next, name, "begins: writes without an entry are refused", 0);
      }
      case READ -> {
        State next = state.copy();
        if (state.key(row) == Columns.NO_KEY) {
          advance(next, filler);
        } else {
          next.actor(filler, KEY, state.key(row));
          next.actor(filler, POSITION, PUT);
        }
        steps.add(next, name, Trace.READS[row], 0);
      }
      case PUT -> {
        int key = state.actor(filler, KEY);
        world
            .faults()
            .send(
                state,
                filler,
                World.START,
                request(row, key, state.get(State.DROPPED)),
                steps,
                (next, done) -> advance(next, filler));
      }
      default -> {}
    }
  }

  private long request(int row, int key, int again) {
    return world.scenario().has(Scenario.With.SETTLING)
        ? Request.settle(row, key, again)
        : Request.entry(Request.Kind.PUT_ENTRY, row, entry(key), key);
  }

  private static void advance(State next, int filler) {
    int row = next.actor(filler, ROW) + 1;
    boolean more = row < next.rows();
    next.actorAt(filler, more ? READ : World.END);
    if (more) {
      next.actor(filler, ROW, row);
    } else {
      next.set(State.STAGE, PUBLIC);
    }
  }
}
