/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.model;

import static io.evenkey.jobs.migration.model.State.S;
import static io.evenkey.jobs.migration.model.State.T;

import io.evenkey.protocol.guard.GuardMode;

/**
 * The events at region servers that no client or migrator requests, and requests that arrive late.
 */
final class Servers {
  private final World world;
  private final Steps steps;

  Servers(World world, Steps steps) {
    this.world = world;
    this.steps = steps;
  }

  void next(State state) {
    for (int generation = S; generation <= state.get(State.CREATED); generation++) {
      for (int region = 0; region < world.regions(state, generation); region++) {
        if (world.has(Scenario.Event.REOPENING)) {
          reopen(state, generation, region);
        }
        loseGuard(state, generation, region);
        unfence(state, generation, region);
      }
      for (int row = 0; row < world.scenario().regions(); row++) {
        compact(state, generation, row);
      }
      reshape(state, generation);
    }
    if (state.get(State.BEHIND) == 1) {
      State next = state.copy();
      next.set(State.BEHIND, 0);
      steps.add(next, Step.CLOCK, 0, T, 0);
    }
    late(state);
  }

  // A region that closes waits for what it is busy with.
  private void reopen(State state, int generation, int region) {
    int word = world.has(Rule.STATE_AT_OPEN) ? state.descriptor(generation) : GuardWord.REST;
    boolean haunts = !world.has(Rule.ANSWER_IS_LOGGED) && !state.isGhost(generation, region);
    if (state.isUnguarded(generation, region)) {
      return;
    }
    if ((haunts || state.region(generation, region) != word)
        && !world.isBusy(state, generation, region)) {
      State next = state.copy();
      next.region(generation, region, word);
      if (haunts) {
        next.ghost(generation, region);
      }
      steps.add(next, Step.REOPEN, 0, generation, region);
    }
  }

  // What opens then reads the descriptor, as any region that opens.
  private void reshape(State state, int generation) {
    boolean isMerged = state.isMerged(generation);
    if (!world.isReshaped()
        || state.get(State.RESHAPED) == 2
        || world.isBusy(state, generation, 0)
        || world.isBusy(state, generation, 1)) {
      return;
    }
    State next = state.copy();
    next.set(State.RESHAPED, state.get(State.RESHAPED) + 1);
    int word = world.has(Rule.STATE_AT_OPEN) ? state.descriptor(generation) : GuardWord.REST;
    next.reshape(generation, word, guarded(state, generation, word));
    if (world.has(Rule.REGIONS_LISTED_LAST)) {
      for (int run = 0; run <= state.get(State.RUN); run++) {
        new Migrator(world, steps).reshaped(next, run, generation);
      }
    }
    steps.add(next, isMerged ? Step.SPLIT : Step.MERGE, 0, generation, 0);
  }

  /** Since which pass a region that was split or merged is open with the guard. */
  private int guarded(State state, int generation, int word) {
    if (GuardWord.mode(word) == GuardMode.OPEN) {
      return 0;
    }
    boolean isMerged = state.isMerged(generation);
    if (isMerged && !state.isUnguarded(generation, 0)) {
      return world.has(Rule.SPLIT_KEEPS_THE_RECORD) ? state.guardedSince(generation, 0) : 0;
    }
    return world.has(isMerged ? Rule.SPLIT_KEEPS_THE_RECORD : Rule.MERGED_HAS_NO_RECORD)
        ? GuardWord.pass(word) + 1
        : 0;
  }

  // It may happen at any time, but is of interest where clients write, or have last.
  private void loseGuard(State state, int generation, int region) {
    if (!world.has(Scenario.Event.LOST_GUARD) || world.isBusy(state, generation, region)) {
      return;
    }
    State next = state.copy();
    if (state.isUnguarded(generation, region)) {
      int word = state.descriptor(generation);
      next.region(generation, region, word);
      next.guard(
          generation, region, world.has(Rule.GUARD_IS_RECORDED) ? GuardWord.pass(word) + 1 : 0);
      steps.add(next, Step.REGAIN_GUARD, 0, generation, region);
    } else if (state.get(State.LOST) == 0 && world.mayLose(state, generation, region)) {
      next.set(State.LOST, 1);
      next.unguard(generation, region);
      steps.add(next, Step.LOSE_GUARD, 0, generation, region);
    }
  }

  private void unfence(State state, int generation, int region) {
    int word = state.region(generation, region);
    if (GuardWord.mode(word) == GuardMode.FENCED) {
      State next = state.copy();
      next.region(generation, region, GuardWord.ended(word));
      next.set(State.HELD, 0);
      steps.add(next, Step.UNFENCE, 0, generation, region);
    }
  }

  private void compact(State state, int generation, int region) {
    boolean keeps = GuardWord.mode(state.region(generation, region)) != GuardMode.OPEN;
    if (keeps && world.has(Rule.TOMBSTONES_KEPT)) {
      return;
    }
    int cells = world.compacted(state.cells(generation), region);
    int marks = state.marks(generation, region);
    if (cells != state.cells(generation) || marks != 0) {
      State next = state.copy();
      next.cells(generation, cells);
      next.marks(generation, region, 0);
      steps.add(next, Step.COMPACT, 0, generation, region);
    }
  }

  private void late(State state) {
    int generation = state.get(State.LATE_GENERATION);
    int row = state.get(State.LATE_ROW);
    if (state.get(State.LATE) == State.SENT) {
      int turn = state.get(State.LATE_TURN);
      if (new Migrator(world, steps).allows(state, generation, row, turn)) {
        State next = state.copy();
        next.set(State.LATE, State.CHECKED);
        steps.add(next, Step.CHECK_LATE, 0, generation, row);
      }
    } else if (state.get(State.LATE) == State.CHECKED) {
      State next = state.copy();
      Migrator.write(
          next,
          generation,
          row,
          state.late(State.LATE_ADDS),
          state.late(State.LATE_REMOVES),
          state.get(State.LATE_LATEST));
      for (int field = State.LATE; field < State.LATE_REMOVES + 2; field++) {
        next.set(field, 0);
      }
      // One such write is enough: the place stays taken.
      next.set(State.LATE, State.CHECKED + 1);
      steps.add(next, Step.LATE, 0, generation, row);
    }
  }
}
