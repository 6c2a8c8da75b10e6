/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index.model;

/**
 * The command that drops the index: it closes the index to readers, removes it from the table's
 * indexes, so that clients write no entries, and deletes the entries.
 */
final class Dropper {
  private static final int POSITION = 0;

  private static final int CLOSED = 1;
  private static final int REMOVE = 2;
  private static final int REMOVED = 3;
  private static final int DELETE = 4;

  private final World world;

  Dropper(World world) {
    this.world = world;
  }

  void next(State state, int dropper, Steps steps) {
    switch (state.actor(dropper, POSITION)) {
      case World.START -> {
        if (state.get(State.STAGE) != Filler.PUBLIC) {
          return;
        }
        if (world.has(Rule.CLOSED_FIRST)) {
          change(state, dropper, Filler.BUILDING, CLOSED, "closes the index", steps);
        } else {
          change(state, dropper, Filler.JOINING, REMOVED, "removes the index", steps);
        }
      }
      case CLOSED -> answers(state, dropper, REMOVE, steps);
      case REMOVE -> change(state, dropper, Filler.JOINING, REMOVED, "removes the index", steps);
      case REMOVED -> answers(state, dropper, DELETE, steps);
      case DELETE -> {
        State next = state.copy();
        for (int row = 0; row < state.rows(); row++) {
          world.index().clear(next, row);
        }
        next.set(State.DROPPED, 1);
        next.actorAt(dropper, World.END);
        steps.add(next, world.name(dropper), "deletes the entries", 0);
      }
      default -> {}
    }
  }

  private void change(State state, int dropper, int stage, int then, String what, Steps steps) {
    State next = state.copy();
    next.set(State.STAGE, stage);
    next.set(State.EPOCH, state.get(State.EPOCH) + 1);
    next.actor(dropper, POSITION, then);
    steps.add(next, world.name(dropper), what, 0);
  }

  private void answers(State state, int dropper, int then, Steps steps) {
    State next = state.copy();
    for (int row = 0; row < state.rows(); row++) {
      next.row(row, State.REGION_EPOCH, state.get(State.EPOCH));
    }
    next.actor(dropper, POSITION, then);
    steps.add(next, world.name(dropper), "has the answers of the regions", 0);
  }
}
