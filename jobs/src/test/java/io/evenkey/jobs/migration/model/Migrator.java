/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.model;

import static io.evenkey.jobs.migration.model.State.S;
import static io.evenkey.jobs.migration.model.State.T;

import io.evenkey.jobs.migration.model.Act.Kind;

/**
 * The steps of the migrator's runs. A run that was killed is one that does nothing more; one that
 * was only paused goes on, not knowing that another one has taken over.
 */
final class Migrator {
  // The position of a run in an act that sets a state; from ASKING on it asks region by region.
  private static final int BEFORE_REGISTRY = 0;
  private static final int BEFORE_DESCRIPTOR = 1;
  private static final int ASKING = 2;

  // The position of a run in an act that repairs.
  private static final int BEFORE_FIRST_READ = 0;
  private static final int BEFORE_READ = 1;
  private static final int BEFORE_CHECK = 2;

  /** Its write has passed the check of the region server. */
  static final int AT_SERVER = 3;

  private final World world;
  private final Steps steps;

  Migrator(World world, Steps steps) {
    this.world = world;
    this.steps = steps;
  }

  void next(State state) {
    int last = state.get(State.RUN);
    for (int run = 0; run <= last; run++) {
      if (state.migratorStage(run) != Stage.NONE) {
        act(state, run);
        retreat(state, run);
      }
    }
    if (last + 1 < world.scenario().migrators()) {
      if (!state.stage().isEnd()) {
        takeOver(state, last + 1);
      } else if (state.stage() != Stage.FINISHED) {
        beginAgain(state, last + 1);
      }
    }
  }

  // What it sends to servers is answered first.
  private void retreat(State state, int run) {
    Stage stage = state.migratorStage(run).retreat();
    if (stage == Stage.NONE
        || !world.scenario().failing()
        || state.get(State.RETREATED) != 0
        || !isCurrent(state, run)
        || isAtServer(state, run)) {
      return;
    }
    State next = state.copy();
    next.set(State.RETREATED, 1);
    next.set(State.HELD, 0);
    begin(next, run, stage, 0);
    steps.add(next, Step.RETREAT, run, S, 0);
  }

  private boolean isAtServer(State state, int run) {
    Act act = world.plan().of(state.migratorStage(run)).get(state.migrator(run, State.M_ACT));
    return act.repairs() && state.migrator(run, State.M_AT) == AT_SERVER;
  }

  private void takeOver(State state, int run) {
    State next = state.copy();
    next.set(State.RUN, run);
    next.set(State.HELD, 0);
    begin(next, run, state.stage() == Stage.ABANDONING ? Stage.TAKEOVER_BACK : Stage.TAKEOVER);
    steps.add(next, Step.TAKE_OVER, run, T, 0);
  }

  private void beginAgain(State state, int run) {
    if (!world.scenario().again() || state.get(State.SECOND) != 0) {
      return;
    }
    State next = state.copy();
    for (int region = 0; region < world.scenario().regions(); region++) {
      if (world.isBusy(state, T, region)) {
        return;
      }
      next.region(T, region, 0);
      next.latest(T, region, 0);
      next.marks(T, region, 0);
      if (!world.has(Rule.TURN_ONCE)) {
        // As if the rollback had left nothing of the migration.
        next.region(S, region, GuardWord.REST);
        next.descriptor(S, GuardWord.REST);
      }
    }
    next.cells(T, 0);
    next.descriptor(T, 0);
    next.set(State.CREATED, 0);
    next.set(State.SECOND, run);
    next.set(State.RUN, run);
    next.set(State.STAGE, Stage.CREATING.code());
    next.set(State.DONE, 0);
    begin(next, run, Stage.CREATING);
    steps.add(next, Step.BEGIN_AGAIN, run, T, 0);
  }

  private void begin(State next, int run, Stage stage) {
    boolean afresh = next.get(State.SECOND) != 0 && !world.has(Rule.TURN_ONCE);
    next.migrator(run, State.M_TURN, afresh ? run - next.get(State.SECOND) + 1 : run + 1);
    for (int generation = S; generation <= T; generation++) {
      int found = GuardWord.revision(next.descriptor(generation));
      next.migrator(run, State.M_REVISION + generation, found);
    }
    next.migrator(run, State.M_DONE, next.get(State.DONE));
    begin(next, run, stage, 0);
  }

  /** Makes a run begin an act, or the next one after it that has something to do. */
  private void begin(State next, int run, Stage stage, int index) {
    next.migrator(run, State.M_STAGE, stage.code());
    next.migrator(run, State.M_ACT, index);
    next.migrator(run, State.M_AT, 0);
    next.migrator(run, State.M_ROW, 0);
    next.migratorWide(run, State.M_WANTED, 0);
    if (stage.isEnd()) {
      next.stop(run);
      return;
    }
    Act act = world.plan().of(stage).get(index);
    if (act.kind() == Kind.SET_TURN && act.generation() == T && next.get(State.CREATED) == 0) {
      begin(next, run, stage, index + 1);
    } else if (act.kind() == Kind.REPAIR_UNLESS_HELD && next.get(State.HELD) != 0) {
      begin(next, run, stage, index + 1);
    } else if (act.repairs()) {
      beginRow(next, run, act, 0);
    }
  }

  private void beginNext(State next, int run) {
    begin(next, run, next.migratorStage(run), next.migrator(run, State.M_ACT) + 1);
  }

  /** Goes to a row, or to the next one after it that is to be repaired. */
  private void beginRow(State next, int run, Act act, int from) {
    next.migratorWide(run, State.M_ADDS, 0);
    next.migratorWide(run, State.M_REMOVES, 0);
    next.migrator(run, State.M_LATEST, 0);
    int row = from;
    while (row < world.scenario().regions() && !isMarked(next, run, act, row)) {
      row++;
    }
    if (row == world.scenario().regions()) {
      beginNext(next, run);
      return;
    }
    next.migrator(run, State.M_ROW, row);
    next.migrator(run, State.M_AT, act.kind() == Kind.COPY ? BEFORE_READ : BEFORE_FIRST_READ);
  }

  private static boolean isMarked(State state, int run, Act act, int row) {
    int open = state.marks(other(act.generation()), row) >> state.migrator(run, State.M_DONE);
    return switch (act.kind()) {
      case COPY -> true;
      case REPAIR -> (open & 1) != 0;
      default -> open != 0;
    };
  }

  private static int other(int generation) {
    return S + T - generation;
  }

  private void act(State state, int run) {
    Stage stage = state.migratorStage(run);
    Act act = world.plan().of(stage).get(state.migrator(run, State.M_ACT));
    switch (act.kind()) {
      case CREATE -> create(state, run);
      case SET, SET_TURN -> set(state, run, act);
      case COPY, REPAIR, REPAIR_ALL, REPAIR_UNLESS_HELD -> repair(state, run, act);
      case STORE_PASS -> storePass(state, run);
      case STORE -> store(state, run, stage);
    }
  }

  private boolean isCurrent(State state, int run) {
    return state.get(State.RUN) == run;
  }

  private void stop(State state, int run, Step step, int generation, int region) {
    State next = state.copy();
    next.stop(run);
    steps.add(next, step, run, generation, region);
  }

  private void create(State state, int run) {
    if (!isCurrent(state, run)) {
      stop(state, run, Step.STOP, T, 0);
      return;
    }
    State next = state.copy();
    if (state.get(State.CREATED) == 0) {
      int revision = state.migrator(run, State.M_REVISION + T) + 1;
      next.migrator(run, State.M_REVISION + T, revision);
      Mode mode = world.has(Rule.CREATED_CLOSED) ? Mode.CLOSED : Mode.OPEN;
      int word = GuardWord.of(state.migrator(run, State.M_TURN), revision, mode, 0);
      next.set(State.CREATED, 1);
      next.descriptor(T, word);
      for (int region = 0; region < world.scenario().regions(); region++) {
        next.region(T, region, word);
      }
    }
    beginNext(next, run);
    steps.add(next, Step.CREATE, run, T, 0);
  }

  private void set(State state, int run, Act act) {
    switch (state.migrator(run, State.M_AT)) {
      case BEFORE_REGISTRY -> checkRegistry(state, run, act);
      case BEFORE_DESCRIPTOR -> writeDescriptor(state, run, act);
      default -> askRegion(state, run, act);
    }
  }

  private void checkRegistry(State state, int run, Act act) {
    if (!isCurrent(state, run)) {
      stop(state, run, Step.STOP, act.generation(), 0);
      return;
    }
    if (state.get(State.BEHIND) == 1
        && world.has(Rule.CLOCKS)
        && act.generation() == T
        && act.kind() == Kind.SET
        && act.mode().writes()) {
      return;
    }
    State next = state.copy();
    int field = State.M_REVISION + act.generation();
    next.migrator(run, field, state.migrator(run, field) + 1);
    next.migratorWide(run, State.M_WANTED, wanted(next, run, act));
    next.migrator(run, State.M_AT, world.has(Rule.DESCRIPTOR_FIRST) ? BEFORE_DESCRIPTOR : ASKING);
    steps.add(next, Step.CHECK_REGISTRY, run, act.generation(), 0);
  }

  private int wanted(State state, int run, Act act) {
    int turn = state.migrator(run, State.M_TURN);
    int revision = state.migrator(run, State.M_REVISION + act.generation());
    int done = state.migrator(run, State.M_DONE);
    if (act.kind() == Kind.SET) {
      int pass =
          switch (act.pass()) {
            case Act.NEXT -> done + 2;
            case Act.PRESENT -> done + 1;
            default -> act.pass();
          };
      return GuardWord.of(turn, revision, act.mode(), pass);
    }
    if (world.has(Rule.TURN_BY_STAGE)) {
      return state.stage().word(act.generation(), turn, revision, done);
    }
    int was = state.descriptor(act.generation());
    return GuardWord.of(turn, revision, GuardWord.mode(was), GuardWord.pass(was));
  }

  private void writeDescriptor(State state, int run, Act act) {
    int generation = act.generation();
    int wanted = state.migratorWide(run, State.M_WANTED);
    if (world.has(Rule.DESCRIPTOR_ONLY_GROWS)
        && GuardWord.turn(wanted) < GuardWord.turn(state.descriptor(generation))) {
      stop(state, run, Step.DESCRIPTOR_REFUSED, generation, 0);
      return;
    }
    State next = state.copy();
    next.descriptor(generation, wanted);
    if (act.mode() == Mode.FENCED && isCurrent(state, run)) {
      next.set(State.HELD, 1);
    }
    if (generation == T && act.kind() == Kind.SET && act.mode().reads()) {
      for (int row = 0; row < world.scenario().regions(); row++) {
        if (isCurrent(state, run) && isFirst(state) && !world.isComplete(state, T, row)) {
          next.set(State.BROKEN, Broken.UNEQUAL.code());
        }
      }
    }
    boolean waits = world.has(Rule.CLOSED_BEFORE_OPEN) || act.mode() != Mode.CLOSED;
    if (world.has(Rule.DESCRIPTOR_FIRST) && waits) {
      next.migrator(run, State.M_AT, ASKING);
    } else {
      beginNext(next, run);
    }
    steps.add(next, Step.WRITE_DESCRIPTOR, run, generation, 0);
  }

  private static boolean isFirst(State state) {
    return state.stage() == Stage.SWITCHING || state.stage() == Stage.CLOSING;
  }

  private void askRegion(State state, int run, Act act) {
    int generation = act.generation();
    int region = state.migrator(run, State.M_AT) - ASKING;
    int asked = state.migratorWide(run, State.M_WANTED);
    int was = state.region(generation, region);
    boolean later =
        world.has(Rule.ANSWER_IS_EXACT)
            ? asked > was
            : GuardWord.revision(asked) > GuardWord.revision(was);
    if (state.isGhost(generation, region)) {
      State answered = state.copy();
      afterAnswer(answered, run, region);
      steps.add(answered, Step.GHOST_ANSWERS, run, generation, region);
    }
    State next = state.copy();
    int word = was;
    if (later) {
      word = world.has(Rule.DESCRIPTOR_FIRST) ? state.descriptor(generation) : asked;
      if (world.has(Rule.ANSWER_IS_EXACT)) {
        // A region never goes back to an earlier state.
        word = Math.max(word, was);
      }
      if (drains(was, word) && world.isBusy(state, generation, region)) {
        return;
      }
      next.region(generation, region, word);
    }
    if (word < asked && world.has(Rule.ANSWER_IS_EXACT)) {
      next.migrator(run, State.M_AT, BEFORE_DESCRIPTOR);
      steps.add(next, Step.ANSWER_IS_ANOTHER, run, generation, region);
      return;
    }
    afterAnswer(next, run, region);
    steps.add(next, Step.ASK_REGION, run, generation, region);
  }

  private void afterAnswer(State next, int run, int region) {
    if (region + 1 < world.scenario().regions() && world.has(Rule.ALL_REGIONS_ANSWER)) {
      next.migrator(run, State.M_AT, ASKING + region + 1);
    } else if (world.has(Rule.DESCRIPTOR_FIRST)) {
      beginNext(next, run);
    } else {
      next.migrator(run, State.M_AT, BEFORE_DESCRIPTOR);
    }
  }

  private boolean drains(int was, int word) {
    Mode from = GuardWord.mode(was);
    Mode to = GuardWord.mode(word);
    if (from == Mode.OPEN && to == Mode.TRACKED) {
      return world.has(Rule.DRAIN_START);
    }
    if (from != to) {
      return to != Mode.FENCED || world.has(Rule.DRAIN_FENCE);
    }
    if (to == Mode.TRACKED && GuardWord.pass(was) != GuardWord.pass(word)) {
      return world.has(Rule.DRAIN_PASS);
    }
    return world.has(Rule.DRAIN_TURN);
  }

  private void repair(State state, int run, Act act) {
    int to = act.generation();
    int from = other(to);
    int row = state.migrator(run, State.M_ROW);
    State next = state.copy();
    switch (state.migrator(run, State.M_AT)) {
      case BEFORE_FIRST_READ -> {
        next.migratorWide(run, State.M_ADDS, state.cells(to) & world.rowCells(row));
        next.migrator(run, State.M_LATEST, state.latest(to, row));
        next.migrator(run, State.M_AT, BEFORE_READ);
        steps.add(next, Step.READ_FIRST, run, to, row);
      }
      case BEFORE_READ -> {
        int there = state.migratorWide(run, State.M_ADDS);
        int here = state.cells(from) & world.rowCells(row);
        int latest = state.latest(from, row);
        next.migratorWide(run, State.M_ADDS, here & ~there);
        next.migratorWide(run, State.M_REMOVES, there & ~here);
        next.migrator(
            run, State.M_LATEST, latest == state.migrator(run, State.M_LATEST) ? 0 : latest);
        if (here == there && next.migrator(run, State.M_LATEST) == 0) {
          beginRow(next, run, act, row + 1);
        } else {
          next.migrator(run, State.M_AT, BEFORE_CHECK);
        }
        steps.add(next, Step.READ, run, from, row);
      }
      case BEFORE_CHECK -> check(state, run, to, row);
      default -> {
        write(
            next,
            to,
            row,
            state.migratorWide(run, State.M_ADDS),
            state.migratorWide(run, State.M_REMOVES),
            state.migrator(run, State.M_LATEST));
        beginRow(next, run, act, row + 1);
        steps.add(next, Step.REPAIR, run, to, row);
      }
    }
  }

  private void check(State state, int run, int to, int row) {
    if (!allows(state, to, row, state.migrator(run, State.M_TURN))) {
      stop(state, run, Step.REPAIR_REFUSED, to, row);
      return;
    }
    State next = state.copy();
    next.migrator(run, State.M_AT, AT_SERVER);
    steps.add(next, Step.CHECK_REPAIR, run, to, row);
    if (world.scenario().retries()
        && !world.has(Rule.MOVER_WRITES_ONCE)
        && state.get(State.LATE) == 0) {
      State twice = next.copy();
      twice.set(State.LATE, State.SENT);
      twice.set(State.LATE_GENERATION, to);
      twice.set(State.LATE_ROW, row);
      twice.set(State.LATE_TURN, state.migrator(run, State.M_TURN));
      twice.set(State.LATE_LATEST, state.migrator(run, State.M_LATEST));
      twice.late(State.LATE_ADDS, state.migratorWide(run, State.M_ADDS));
      twice.late(State.LATE_REMOVES, state.migratorWide(run, State.M_REMOVES));
      steps.add(twice, Step.CHECK_REPAIR_TWICE, run, to, row);
    }
  }

  /** Whether a region lets a migrator's write pass. */
  boolean allows(State state, int generation, int region, int turn) {
    if (generation == T && state.get(State.CREATED) == 0) {
      return false;
    }
    int has = GuardWord.turn(state.region(generation, region));
    // Regions that do not learn a turn first have to let later ones pass.
    return !world.has(Rule.TURN) || has == turn || has < turn && !world.has(Rule.TURN_FIRST);
  }

  static void write(State next, int to, int row, int adds, int removes, int latest) {
    next.cells(to, (next.cells(to) | adds) & ~removes);
    if (latest != 0) {
      next.latest(to, row, latest);
    }
  }

  private void storePass(State state, int run) {
    if (!isCurrent(state, run)) {
      stop(state, run, Step.STOP, S, 0);
      return;
    }
    State next = state.copy();
    next.set(State.DONE, state.migrator(run, State.M_DONE) + 1);
    beginNext(next, run);
    steps.add(next, Step.STORE_PASS, run, S, 0);
  }

  private void store(State state, int run, Stage stage) {
    if (!isCurrent(state, run)) {
      stop(state, run, Step.STOP, S, 0);
      return;
    }
    if (stage == Stage.TAKEOVER || stage == Stage.TAKEOVER_BACK) {
      continueAs(state, run, state.stage());
      if (world.scenario().goingBack() && state.stage().canBeAbandoned()) {
        continueAs(state, run, Stage.ABANDONING);
      }
      return;
    }
    State next = state.copy();
    int done = state.migrator(run, State.M_DONE);
    if (stage == Stage.PASSES || stage == Stage.BACK_PASSES) {
      done++;
    } else if (stage == Stage.SWITCHING) {
      done = 0;
    }
    next.migrator(run, State.M_DONE, done);
    next.set(State.DONE, done);
    next.set(State.HELD, stage == Stage.FENCING ? state.get(State.HELD) : 0);
    for (Stage after : Plan.after(stage, world.scenario(), done)) {
      continueAs(next, run, after);
    }
  }

  private void continueAs(State state, int run, Stage stage) {
    State next = state.copy();
    next.set(State.STAGE, stage.code());
    next.migrator(run, State.M_DONE, next.get(State.DONE));
    begin(next, run, stage, 0);
    steps.add(next, Step.STORE, run, S, 0);
  }
}
