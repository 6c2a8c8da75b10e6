/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index.model;

import io.evenkey.client.internal.index.model.Scenario.With;

/** The servers of the table: how a request changes a row. */
final class Table {
  private static final int BEHIND = 1;

  /** What a clock shows that is behind; rows of the start are as late. */
  static final int CLOCK_BEHIND = 1;

  private final World world;

  Table(World world) {
    this.world = world;
  }

  /** Executes a request; whether the server has done it. */
  boolean execute(State state, long request) {
    int row = Request.row(request);
    int write = Request.columns(request);
    switch (Request.kind(request)) {
      case PUT -> {
        if (!isOfEpoch(state, row, Request.epoch(request))) {
          return false;
        }
        write(state, row, write, Request.entry(request));
      }
      case CHECK -> {
        if (!isOfEpoch(state, row, Request.epoch(request))
            || !isAsRead(state, row, write, Request.read(request))) {
          return false;
        }
        write(state, row, write, Request.entry(request));
      }
      case DELETE -> write(state, row, write, state.row(row, State.NONCE));
      case TOUCH -> {
        // Other columns only.
      }
      case PUT_IGNORANT -> {
        if (world.has(Rule.FILL_WAITS) && state.get(State.STAGE) != Filler.JOINING) {
          return false;
        }
        write(state, row, write, state.row(row, State.NONCE));
      }
      default -> throw new IllegalArgumentException(Request.text(request));
    }
    return true;
  }

  private boolean isOfEpoch(State state, int row, int epoch) {
    return !world.has(Rule.EPOCH_CHECKED) || epoch >= state.row(row, State.REGION_EPOCH);
  }

  /** Whether a row has the columns that a put leaves as the client has read them. */
  boolean isAsRead(State state, int row, int write, int read) {
    return !world.has(Rule.KEPT_CHECKED)
        || Columns.keptAlike(write, read, state.row(row, State.COLUMNS));
  }

  private void write(State state, int row, int write, int entry) {
    int before = state.row(row, State.COLUMNS);
    int columns =
        world.scenario().has(With.SKEW) ? shown(state, row, write) : Columns.after(before, write);
    if (columns != before) {
      state.row(row, State.ACKNOWLEDGED, 0);
    }
    state.row(row, State.COLUMNS, columns);
    state.row(row, State.NONCE, columns == Columns.ABSENT ? 0 : entry);
    world.reader().changed(state, row);
  }

  /**
   * What reads show of a row after a write, by the timestamps of its cells: of a column, the latest
   * put that is later than the latest tombstone. A server gives both its clock.
   */
  private int shown(State state, int row, int write) {
    int latest = 0;
    int all = 0;
    for (int column = 0; column < 2; column++) {
      latest = Math.max(latest, state.row(row, State.STAMPS + column));
      all = Math.max(all, state.row(row, State.TOMBSTONES + column));
    }
    int clock = state.get(State.CLOCK) == BEHIND ? CLOCK_BEHIND : Math.max(latest, all) + 1;
    int put = world.has(Rule.LATER_THAN_THE_ROW) ? Math.max(clock, latest + 1) : clock;
    int columns = state.row(row, State.COLUMNS);
    for (int column = 0; column < 2; column++) {
      int value = Columns.one(write, column);
      int stamp = state.row(row, State.STAMPS + column);
      int tombstone = state.row(row, State.TOMBSTONES + column);
      if (value == Columns.NONE) {
        state.row(row, State.TOMBSTONES + column, Math.max(tombstone, clock));
        if (stamp <= clock) {
          state.row(row, State.STAMPS + column, 0);
          columns = Columns.with(columns, column, Columns.NONE);
        }
      } else if (value != Columns.KEPT && put >= stamp && put > tombstone) {
        state.row(row, State.STAMPS + column, put);
        columns = Columns.with(columns, column, value);
      }
    }
    return columns;
  }

  /** Adds the events of regions that no request causes. */
  void next(State state, Steps steps) {
    Scenario scenario = world.scenario();
    if (scenario.has(With.MIGRATION) && state.get(State.MIGRATED) == 0) {
      State next = state.copy();
      next.set(State.MIGRATED, 1);
      for (int row = 0; row < state.rows(); row++) {
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
