/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.index.model;

import java.util.stream.IntStream;

/** The cleaners of the index of mutable rows. */
final class Cleaners {
  private static final int POSITION = 0;
  private static final int ROUND = 1;
  private static final int BUMPS = 2;
  private static final int ROW = 3;
  private static final int ENTRY = 4;
  private static final int GUARD = 5;

  private static final int LOOK = 1;
  private static final int BUMP = 2;
  private static final int REMOVE = 3;
  private static final int ROUNDS = 2;

  /** The first guard of a cleaner, after those of writers. */
  private static final int FIRST_GUARD = World.FIRST_NUMBER + 6;

  private final World world;

  Cleaners(World world) {
    this.world = world;
  }

  void next(State state, int cleaner, Steps steps) {
    int row = state.actor(cleaner, ROW);
    int entry = state.actor(cleaner, ENTRY);
    int key = world.index().key(state, row, entry);
    switch (state.actor(cleaner, POSITION)) {
      case World.START -> scan(state, cleaner, steps);
      case LOOK -> look(state, cleaner, steps);
      case BUMP -> {
        int fresh = FIRST_GUARD + 2 * (cleaner - world.firstCleaner());
        int bumps = world.has(Rule.FRESH_BUMP) ? state.actor(cleaner, BUMPS) : 0;
        long request = Request.bump(row, state.actor(cleaner, GUARD), fresh + bumps);
        world
            .faults()
            .send(
                state,
                cleaner,
                World.END,
                request,
                steps,
                (next, done) -> {
                  next.actor(cleaner, BUMPS, next.actor(cleaner, BUMPS) + 1);
                  next.actor(cleaner, GUARD, 0);
                  next.actor(cleaner, POSITION, REMOVE);
                  if (!done) {
                    again(next, cleaner);
                  }
                });
      }
      case REMOVE ->
          world
              .faults()
              .send(
                  state,
                  cleaner,
                  World.END,
                  Request.entry(Request.Kind.REMOVE_ENTRY, row, entry, key),
                  steps,
                  (next, done) -> again(next, cleaner));
      default -> {}
    }
  }

  private void scan(State state, int cleaner, Steps steps) {
    if (state.get(State.STAGE) == Filler.JOINING && world.has(Rule.JOINING_REMOVES_NOTHING)) {
      return;
    }
    for (int row = 0; row < state.rows(); row++) {
      for (int entry = 1; entry < State.ENTRIES; entry++) {
        if (world.index().isVisible(state, row, entry)) {
          State next = state.copy();
          next.actor(cleaner, ROW, row);
          next.actor(cleaner, ENTRY, entry);
          next.actor(cleaner, POSITION, LOOK);
          steps.add(next, world.name(cleaner), SEES[entry], 0);
        }
      }
    }
  }

  private static final String[] SEES =
      IntStream.range(0, State.ENTRIES).mapToObj(e -> "sees entry " + e).toArray(String[]::new);

  private void look(State state, int cleaner, Steps steps) {
    int row = state.actor(cleaner, ROW);
    int entry = state.actor(cleaner, ENTRY);
    boolean matches = state.key(row) == world.index().key(state, row, entry);
    boolean current = state.base(row, entry) == state.row(row, State.GUARD);
    State next = state.copy();
    String what;
    if (matches && world.has(Rule.MATCH_STAYS)) {
      again(next, cleaner);
      what = "reads the row, and leaves the entry";
    } else if (current && world.has(Rule.BUMP_BEFORE_CLEANING)) {
      next.actor(cleaner, GUARD, state.row(row, State.GUARD));
      next.actor(cleaner, POSITION, BUMP);
      what = "reads the row, whose guard is the entry's base";
    } else {
      next.actor(cleaner, POSITION, REMOVE);
      what = "reads the row, and removes the entry";
    }
    steps.add(next, world.name(cleaner), what, 0);
  }

  private static void again(State next, int cleaner) {
    int round = next.actor(cleaner, ROUND) + 1;
    int bumps = next.actor(cleaner, BUMPS);
    next.actorAt(cleaner, round < ROUNDS ? World.START : World.END);
    if (round < ROUNDS) {
      next.actor(cleaner, ROUND, round);
      next.actor(cleaner, BUMPS, bumps);
    }
  }
}
