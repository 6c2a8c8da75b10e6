/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.index.model;

import io.evenkey.client.index.model.Scenario.With;

/** The servers of the table: how a request changes a row. */
final class Table {
  private static final int BEHIND = 1;

  private final World world;

  Table(World world) {
    this.world = world;
  }

  /** Executes a request; whether the server has done it. */
  boolean execute(State state, long request) {
    int row = Request.row(request);
    int columns = Columns.after(state.row(row, State.COLUMNS), Request.columns(request));
    switch (Request.kind(request)) {
      case PUT -> {
        if (world.has(Rule.EPOCH_CHECKED)
            && Request.epoch(request) < state.row(row, State.REGION_EPOCH)) {
          return false;
        }
        change(state, row, columns, Request.entry(request));
      }
      case DELETE -> change(state, row, columns, 0);
      case PUT_IGNORANT -> {
        if (world.has(Rule.FILL_WAITS) && state.get(State.STAGE) != Filler.JOINING) {
          return false;
        }
        change(state, row, columns, state.row(row, State.NONCE));
      }
      case CHECK -> {
        if (world.has(Rule.GUARD_CHECKED)
            && state.row(row, State.GUARD) != Request.guard(request)) {
          return false;
        }
        boolean shown = stamp(state, row, columns == Columns.ABSENT);
        if (!shown) {
          state.set(State.HIDDEN, 1);
        }
        change(state, row, shown ? columns : state.row(row, State.COLUMNS), Request.entry(request));
        state.row(row, State.GUARD, Request.fresh(request));
      }
      case BUMP -> {
        if (state.row(row, State.GUARD) != Request.guard(request)) {
          return false;
        }
        state.row(row, State.GUARD, Request.fresh(request));
      }
      default -> throw new IllegalArgumentException(Request.text(request));
    }
    return true;
  }

  private void change(State state, int row, int columns, int entry) {
    boolean same = columns == state.row(row, State.COLUMNS);
    if (!same) {
      state.row(row, State.ACKNOWLEDGED, 0);
    }
    state.row(row, State.COLUMNS, columns);
    state.row(row, State.NONCE, entry);
    world.reader().changed(state, row);
  }

  /**
   * Gives a change its timestamps; whether it is what a read shows. HBase stamps a conditional put
   * with its clock or the checked cell's timestamp, whichever is later, but a delete with its clock
   * only.
   */
  private boolean stamp(State state, int row, boolean delete) {
    if (!world.scenario().has(With.SKEW)) {
      return true;
    }
    int guard = state.row(row, State.GUARD_STAMP);
    int shown = state.row(row, State.COLUMNS_STAMP);
    int tombstone = state.row(row, State.TOMBSTONE_STAMP);
    int clock =
        state.get(State.CLOCK) == BEHIND ? 1 : Math.max(Math.max(guard, shown), tombstone) + 1;
    int stamp = world.has(Rule.STAMPED) ? Math.max(clock, guard + 1) : Math.max(clock, guard);
    state.row(row, State.GUARD_STAMP, stamp);
    if (delete) {
      int hides = world.has(Rule.STAMPED) ? stamp : clock;
      state.row(row, State.TOMBSTONE_STAMP, Math.max(tombstone, hides));
      return hides >= shown;
    }
    if (stamp < shown || stamp <= tombstone) {
      return false;
    }
    state.row(row, State.COLUMNS_STAMP, stamp);
    return true;
  }

  /** Adds the events of regions that no request causes. */
  void next(State state, Steps steps) {
    Scenario scenario = world.scenario();
    if (scenario.has(With.MIGRATION) && state.get(State.MIGRATED) == 0) {
      State next = state.copy();
      next.set(State.MIGRATED, 1);
      for (int row = 0; row < state.rows(); row++) {
        if (!world.has(Rule.GUARD_COPIED)) {
          next.row(row, State.GUARD, World.NO_GUARD);
          next.row(row, State.NONCE, 0);
        }
        int epoch = world.has(Rule.EPOCH_CARRIED) ? state.get(State.EPOCH) : 0;
        next.row(row, State.REGION_EPOCH, epoch);
      }
      steps.add(next, "migration", "switches to the next generation", 0);
    }
    if (scenario.has(With.REOPENING) && state.get(State.REOPENED) == 0) {
      State next = state.copy();
      next.set(State.REOPENED, 1);
      for (int row = 0; row < state.rows(); row++) {
        int epoch = world.has(Rule.EPOCH_AT_OPEN) ? state.get(State.EPOCH) : 0;
        next.row(row, State.REGION_EPOCH, epoch);
      }
      steps.add(next, "regions", "open on another server", 0);
    }
    if (scenario.has(With.SKEW) && state.get(State.CLOCK) <= BEHIND) {
      State next = state.copy();
      next.set(State.CLOCK, state.get(State.CLOCK) + 1);
      String what = state.get(State.CLOCK) == BEHIND ? "is right again" : "goes back";
      steps.add(next, "clock", what, 0);
    }
  }
}
