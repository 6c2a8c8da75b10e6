/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index.model;

import io.evenkey.client.internal.index.model.Scenario.With;
import java.util.Set;

/** The states of a scenario under rules: who acts, and which states are errors. */
final class World {
  static final int START = 0;

  /** The position of an actor that is dead or done. */
  static final int END = 20;

  /** The entry of a row that is there at the start. */
  static final int FIRST_ENTRY = 1;

  /** The number of the entry of the first attempt of a writer. */
  static final int FIRST_NUMBER = 6;

  private final Scenario scenario;
  private final Set<Rule> rules;
  private final boolean acknowledgedOnly;
  private final int filler;
  private final int readerActor;
  private final int settler;
  private final int dropper;
  private final int actors;
  private final String[] names;
  private final Table table = new Table(this);
  private final Index index = new Index(this);
  private final Faults faults = new Faults(this);
  private final Writers writers;
  private final Sweeps sweeps = new Sweeps(this);
  private final Filler filling = new Filler(this);
  private final Settler settling = new Settler(this);
  private final Dropper dropping = new Dropper(this);
  private final Reader reader = new Reader(this);

  /**
   * A world.
   *
   * @param acknowledgedOnly whether only the loss of an acknowledged row is an error, or also that
   *     of any other row
   */
  World(Scenario scenario, Set<Rule> rules, boolean acknowledgedOnly) {
    this.scenario = scenario;
    this.rules = rules;
    this.acknowledgedOnly = acknowledgedOnly;
    this.writers = new Writers(this, Phase.order(rules));
    int next = scenario.writers().size() + scenario.sweeps();
    filler = scenario.has(With.FILLER) ? next++ : -1;
    readerActor = scenario.has(With.READER) ? next++ : -1;
    settler = scenario.has(With.SETTLING) ? next++ : -1;
    dropper = scenario.has(With.DROPPING) ? next++ : -1;
    actors = next;
    names = new String[actors];
    for (int actor = 0; actor < actors; actor++) {
      names[actor] = nameOf(actor);
    }
  }

  Scenario scenario() {
    return scenario;
  }

  boolean has(Rule rule) {
    return rules.contains(rule);
  }

  Table table() {
    return table;
  }

  Index index() {
    return index;
  }

  Faults faults() {
    return faults;
  }

  Reader reader() {
    return reader;
  }

  int readerActor() {
    return readerActor;
  }

  int firstSweep() {
    return scenario.writers().size();
  }

  private String nameOf(int actor) {
    if (actor == filler) {
      return "filler";
    }
    if (actor == readerActor) {
      return "reader";
    }
    if (actor == settler) {
      return "settler";
    }
    if (actor == dropper) {
      return "drop";
    }
    int sweep = actor - firstSweep();
    return sweep < 0 ? "writer " + (actor + 1) : "sweep " + (sweep + 1);
  }

  String name(int actor) {
    return names[actor];
  }

  State start() {
    State start = State.empty(scenario.rows().size(), actors);
    boolean isPublic = filler < 0 || dropper >= 0;
    start.set(State.STAGE, isPublic ? Filler.PUBLIC : Filler.JOINING);
    for (int row = 0; row < start.rows(); row++) {
      int columns = scenario.rows().get(row);
      start.row(row, State.COLUMNS, columns);
      int key = Columns.key(columns);
      if (columns == Columns.ABSENT) {
        continue;
      }
      start.row(row, State.ACKNOWLEDGED, 1);
      for (int column = 0; scenario.has(With.SKEW) && column < 2; column++) {
        start.row(row, State.STAMPS + column, Table.CLOCK_BEHIND);
      }
      if (scenario.indexed() && key != Columns.NO_KEY) {
        int entry = has(Rule.FRESH_NONCE) ? FIRST_ENTRY : Filler.entry(key);
        start.row(row, State.NONCE, entry);
        index.start(start, row, entry, key);
      }
    }
    return start;
  }

  /** The error of a state; empty if it has none. */
  String wrong(State state) {
    if (state.get(State.BROKEN) != 0) {
      return Broken.of(state.get(State.BROKEN)).text();
    }
    if (state.get(State.STAGE) != Filler.PUBLIC) {
      return "";
    }
    for (int row = 0; row < state.rows(); row++) {
      boolean counts = state.row(row, State.ACKNOWLEDGED) != 0 || !acknowledgedOnly;
      int key = state.key(row);
      if (counts && key != Columns.NO_KEY && !index.has(state, row, key)) {
        return "row %d has key %s, and no entry: it is lost"
            .formatted(row + 1, Columns.keyText(key));
      }
    }
    return "";
  }

  /** Whether every actor is dead or done. */
  boolean isOver(State state) {
    for (int actor = 0; actor < actors; actor++) {
      if (state.actor(actor, 0) != END) {
        return false;
      }
    }
    return true;
  }

  /** All that can happen next. */
  void next(State state, Steps steps) {
    for (int actor = 0; actor < actors; actor++) {
      if (actor == filler) {
        filling.next(state, actor, steps);
      } else if (actor == readerActor) {
        reader.next(state, actor, steps);
      } else if (actor == settler) {
        settling.next(state, actor, steps);
      } else if (actor == dropper) {
        dropping.next(state, actor, steps);
      } else if (actor < firstSweep()) {
        writers.next(state, actor, steps);
      } else {
        sweeps.next(state, actor, steps);
      }
    }
    faults.next(state, steps);
    table.next(state, steps);
  }
}
