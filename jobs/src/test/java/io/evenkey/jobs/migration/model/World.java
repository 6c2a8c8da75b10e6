/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.model;

import static io.evenkey.jobs.migration.model.State.CHECKED;
import static io.evenkey.jobs.migration.model.State.S;
import static io.evenkey.jobs.migration.model.State.T;

import io.evenkey.client.internal.registry.Stage;
import io.evenkey.jobs.migration.model.Scenario.Call;
import io.evenkey.jobs.migration.model.Scenario.Client;
import io.evenkey.protocol.guard.GuardMode;
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
    if (has(Scenario.Event.SPLITS)) {
      start.reshape(S, GuardWord.REST, 0);
      start.reshape(T, 0, 0);
    }
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

  /** Whether regions are split and merged. */
  boolean isReshaped() {
    return has(Scenario.Event.SPLITS) || has(Scenario.Event.MERGES);
  }

  /** The number of regions that a generation has now. */
  int regions(State state, int generation) {
    return state.isMerged(generation) ? 1 : scenario.regions();
  }

  /** Whether a region answers reads that the guard decides on. */
  boolean reads(State state, int generation, int region) {
    return GuardWord.mode(state.region(generation, region)).reads()
        || generation == S && !has(Rule.CLOSED_REFUSES_READS);
  }

  /** Whether it is of interest that a region opens on a server without the guard. */
  boolean mayLose(State state, int generation, int region) {
    GuardMode mode = GuardWord.mode(state.region(generation, region));
    boolean isUsed = isUsed(state, generation);
    return mode == GuardMode.TRACKED
        || isUsed && (mode == GuardMode.FENCED || mode == GuardMode.READ_ONLY)
        || isLeft(state, generation, region) && scenario.goingBack();
  }

  /**
   * Whether clients have left a region: what a server without the guard takes there nevertheless is
   * of no generation, and has to be gone after a rollback.
   */
  boolean isLeft(State state, int generation, int region) {
    return generation == S
        && isUsed(state, T)
        && GuardWord.mode(state.region(generation, region)) == GuardMode.CLOSED;
  }

  /** Whether a generation is the one that clients write, or wrote last. */
  boolean isUsed(State state, int generation) {
    Stage stage = state.stage();
    return (stage != null && stage.usesTarget()) == (generation == T);
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

  /** The cell of an overwriting put. */
  int cellOf(int put) {
    return 1 << State.MAX_REGIONS + put - 1;
  }

  /** All cells of a client. */
  int cellsOf(int client) {
    int cells = 0;
    for (int k = 0; k < client(client).calls().size(); k++) {
      cells |= cell(client, k, 0) | cell(client, k, 1);
    }
    return cells;
  }

  /** What a reader misses who is to see some cells of a row, or those that replace them. */
  int missed(int wanted, int found, int row) {
    int deletes = rowDeletes[row];
    int missed = wanted & ~found & ~(deletes | base(row));
    boolean deleted = (wanted & deletes) != 0;
    boolean isGone = (found & base(row)) == 0 || (found & deletes) != 0;
    if (deleted && !isGone) {
      missed |= wanted & deletes;
    } else if ((wanted & base(row)) != 0 && isGone && !deleted && deletes == 0) {
      missed |= base(row);
    }
    return missed;
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
    return isBusyWith(state, generation, region)
        || state.isMerged(generation) && isBusyWith(state, generation, 1 - region);
  }

  private boolean isBusyWith(State state, int generation, int region) {
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
    boolean readsOnly = has(Scenario.Event.HISTORIES) && !Plan.isEnd(state.stage());
    for (int generation = S; generation <= state.get(State.CREATED); generation++) {
      for (int row = 0; row < scenario.regions(); row++) {
        if (!readsOnly
            && !isUnmet(state, generation)
            && reads(state, generation, row)
            && !isComplete(state, generation, row)) {
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

  /**
   * Whether readers of a generation may miss what a server without the guard has taken in the other
   * one. Nothing could prevent it, and it ends when a run meets that server.
   */
  boolean isUnmet(State state, int generation) {
    return state.get(State.UNMET) != 0 && !isUsed(state, generation);
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
