/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.model;

import static io.evenkey.jobs.migration.model.State.CHECKED;
import static io.evenkey.jobs.migration.model.State.S;
import static io.evenkey.jobs.migration.model.State.T;

import io.evenkey.jobs.migration.model.Scenario.Call;
import io.evenkey.jobs.migration.model.Scenario.Client;
import java.util.Set;

/** The states of a scenario under rules: which cells are whose, and which states are errors. */
final class World {
  private final Scenario scenario;
  private final Set<Rule> rules;
  private final Plan plan;
  private final int[] firstCall;
  private final int[] rowCells = new int[State.MAX_REGIONS];
  private final int[] rowDeletes = new int[State.MAX_REGIONS];

  World(Scenario scenario, Set<Rule> rules) {
    this.scenario = scenario;
    this.rules = rules;
    this.plan = new Plan(rules::contains);
    this.firstCall = new int[scenario.clients().size()];
    int calls = 0;
    for (int row = 0; row < scenario.regions(); row++) {
      rowCells[row] = base(row);
    }
    for (int c = 0; c < firstCall.length; c++) {
      firstCall[c] = calls;
      for (int k = 0; k < scenario.clients().get(c).calls().size(); k++, calls++) {
        Call call = call(c, k);
        int both = cell(c, k, 0) | cell(c, k, 1);
        rowCells[call.row()] |= both;
        if (call.operation() == Operation.OLD_DELETE) {
          rowDeletes[call.row()] |= both;
        }
      }
    }
  }

  State start() {
    State start = State.empty(scenario.migrators(), scenario.clients().size());
    for (int row = 0; row < scenario.regions(); row++) {
      start.region(S, row, GuardWord.REST);
      start.cells(S, start.cells(S) | base(row));
    }
    start.descriptor(S, GuardWord.REST);
    start.doneCells(start.cells(S));
    start.set(State.TURN, 1);
    start.set(State.BEHIND, has(Scenario.Event.SKEW) ? 1 : 0);
    start.migrator(0, State.M_PROGRAM, Plan.BEGIN);
    start.migrator(0, State.M_TURN, 1);
    return start;
  }

  Scenario scenario() {
    return scenario;
  }

  boolean has(Rule rule) {
    return rules.contains(rule);
  }

  boolean has(Scenario.Event event) {
    return scenario.has(event);
  }

  /** Whether a region takes writes of clients. */
  boolean writes(State state, int generation, int region) {
    return state.isUnguarded(generation, region)
        || GuardWord.mode(state.region(generation, region)).writes();
  }

  Plan plan() {
    return plan;
  }

  Client client(int client) {
    return scenario.clients().get(client);
  }

  Call call(int client, int index) {
    return client(client).calls().get(index);
  }

  boolean isDone(State state, int client) {
    return state.client(client, State.C_NEXT) == client(client).calls().size();
  }

  private static int base(int row) {
    return 1 << row;
  }

  /** The cell of an attempt at a call. */
  int cell(int client, int index, int attempt) {
    return 1 << State.MAX_REGIONS + 2 * (firstCall[client] + index) + attempt;
  }

  /** The overwriting put of an attempt at a call. */
  int put(int client, int index, int attempt) {
    return 2 * (firstCall[client] + index) + attempt + 1;
  }

  int rowCells(int row) {
    return rowCells[row];
  }

  /** The cells of a row after a compaction without regard to tombstones. */
  int compacted(int cells, int row) {
    return (cells & rowDeletes[row]) == 0 ? cells : cells & ~(rowDeletes[row] | base(row));
  }

  /** Whether a region is busy with writes that have passed its check. */
  boolean isBusy(State state, int generation, int region) {
    for (int c = 0; c < scenario.clients().size(); c++) {
      if (state.client(c, State.C_AT) == CHECKED
          && generation(state.client(c, State.C_TARGET)) == generation) {
        Call call = call(c, state.client(c, State.C_NEXT));
        if (call.operation().isWrite() && call.row() == region) {
          return true;
        }
      }
      if (state.client(c, State.G_AT) == CHECKED
          && generation(state.client(c, State.G_TARGET)) == generation
          && call(c, state.client(c, State.G_CALL)).row() == region) {
        return true;
      }
    }
    for (int run = 0; run < scenario.migrators(); run++) {
      if (state.migrator(run, State.M_AT) == Migrator.AT_SERVER
          && Migrator.isRepairing(this, state, run)
          && Migrator.repaired(state, run) == generation
          && state.migrator(run, State.M_ROW) == region) {
        return true;
      }
    }
    return state.get(State.LATE) == CHECKED
        && state.get(State.LATE_GENERATION) == generation
        && state.get(State.LATE_ROW) == region;
  }

  /** The generation of a target: a target may also be T by the layout that it had before. */
  static int generation(int target) {
    return target == Clients.OLD_LAYOUT ? T : target;
  }

  /** Whether a row in a generation reads as if all writes had been done in it. */
  boolean isComplete(State state, int generation, int row) {
    return compacted(state.cells(generation) & rowCells[row], row)
            == compacted(state.doneCells() & rowCells[row], row)
        && state.latest(generation, row) == state.doneLatest(row);
  }

  /**
   * The error of a state; empty if it has none. A region that would answer a read has to have all
   * that clients' writes have done so far, wherever they did it: so no read, at whatever time,
   * misses what was acknowledged or read before.
   */
  String wrong(State state) {
    if (state.get(State.BROKEN) != 0) {
      return Broken.of(state.get(State.BROKEN)).text();
    }
    for (int generation = S; generation <= state.get(State.CREATED); generation++) {
      for (int row = 0; row < scenario.regions(); row++) {
        boolean reads =
            GuardWord.mode(state.region(generation, row)).reads()
                || generation == S && !has(Rule.CLOSED_REFUSES_READS);
        if (reads && !isComplete(state, generation, row)) {
          return "reads of row "
              + (row == 0 ? "a" : "b")
              + " are answered by "
              + (generation == S ? "S" : "T")
              + " as "
              + Trace.cells(this, state, generation, row)
              + ", after writes of "
              + Trace.done(this, state, row);
        }
      }
    }
    for (int c = 0; c < scenario.clients().size(); c++) {
      for (int k = 0; k < client(c).calls().size(); k++) {
        if (call(c, k).operation() == Operation.INCREMENT
            && (state.doneCells() & cell(c, k, 0)) != 0
            && (state.doneCells() & cell(c, k, 1)) != 0) {
          return "client " + (c + 1) + " incremented once, and it was counted twice";
        }
      }
    }
    return "";
  }

  /** Whether everything has come to its end. */
  boolean isOver(State state) {
    for (int c = 0; c < scenario.clients().size(); c++) {
      if (!isDone(state, c)) {
        return false;
      }
    }
    return Plan.isEnd(state.stage());
  }

  /** All that can happen next. */
  void next(State state, Steps steps) {
    new Migrator(this, steps).next(state);
    new Servers(this, steps).next(state);
    new Clients(this, steps).next(state);
  }
}
