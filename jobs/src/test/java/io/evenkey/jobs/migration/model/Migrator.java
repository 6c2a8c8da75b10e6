/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.model;

import static io.evenkey.jobs.migration.model.State.S;
import static io.evenkey.jobs.migration.model.State.T;

import io.evenkey.client.internal.registry.Stage;
import io.evenkey.jobs.migration.Act;
import io.evenkey.jobs.migration.Transition;
import io.evenkey.protocol.guard.GuardMode;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The steps of the migrator's runs. A run that was killed is one that does nothing more; one that
 * was only paused goes on, not knowing that another one has taken over.
 */
final class Migrator {
  // The position of a run that changes a state; from ASKING on it asks region by region.
  private static final int BEFORE_READING = 0;
  private static final int BEFORE_DESCRIPTOR = 1;
  private static final int ASKING = 2;

  // The position of a run in an act that repairs.
  private static final int BEFORE_FIRST_READ = 0;
  private static final int BEFORE_READ = 1;
  private static final int BEFORE_CHECK = 2;

  /** Not even the rows that a generation has from before its first mark. */
  private static final int NOTHING_COMPARED = -1;

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
      if (state.program(run) != Plan.NONE) {
        act(state, run);
        fail(state, run);
      }
    }
    if (last + 1 < world.scenario().migrators() && state.stage() != null) {
      if (!Plan.isEnd(state.stage())) {
        takeOver(state, last + 1);
      } else if (state.stage() == Stage.ROLLED_BACK) {
        beginAgain(state, last + 1);
      }
    }
  }

  /** Whether the act of a run repairs rows. */
  static boolean isRepairing(World world, State state, int run) {
    return isRepair(act(world, state, run));
  }

  private static boolean isRepair(@Nullable Act act) {
    return act == Act.Work.COPY_ROWS
        || act == Act.Work.REPAIR_MARKED
        || act == Act.Work.REPAIR_LAST
        || act == Act.Work.REPAIR_UNLESS_FENCE_HELD;
  }

  /** The generation that a run makes like the other one. */
  static int repaired(State state, int run) {
    return Plan.index(Plan.line(state.program(run)).primary().other());
  }

  /** The act of a run; null if it stores what is next. */
  private static @Nullable Act act(World world, State state, int run) {
    List<Act> acts = world.plan().acts(state.program(run));
    int index = state.migrator(run, State.M_ACT);
    return index < acts.size() ? acts.get(index) : null;
  }

  // What it sends to servers is answered first.
  private void fail(State state, int run) {
    int program = state.program(run);
    if (!world.has(Scenario.Event.FAILURE)
        || state.get(State.RETREATED) != 0
        || !isCurrent(state, run)
        || !Plan.isLine(program)
        || Plan.line(program).afterFailure() == null
        || isRepairing(world, state, run) && state.migrator(run, State.M_AT) == AT_SERVER) {
      return;
    }
    State next = state.copy();
    next.set(State.RETREATED, 1);
    next.set(State.HELD, 0);
    begin(next, run, Plan.failing(program), 0);
    steps.add(next, Step.RETREAT, run, S, 0);
  }

  private void takeOver(State state, int run) {
    State next = state.copy();
    next.set(State.RUN, run);
    next.set(State.HELD, 0);
    next.set(State.TURN, state.get(State.TURN) + 1);
    next.migrator(run, State.M_TURN, next.get(State.TURN));
    next.migrator(run, State.M_DONE, next.get(State.DONE));
    begin(next, run, Plan.taking(Objects.requireNonNull(state.stage())), 0);
    steps.add(next, Step.TAKE_OVER, run, T, 0);
  }

  private void beginAgain(State state, int run) {
    if (!world.has(Scenario.Event.SECOND_MIGRATION) || state.get(State.SECOND) != 0) {
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
    next.set(State.SECOND, 1);
    next.set(State.RUN, run);
    next.stage(null);
    next.set(State.DONE, 0);
    next.set(State.TURN, world.has(Rule.TURN_ONCE) ? state.get(State.TURN) + 1 : 1);
    next.migrator(run, State.M_TURN, next.get(State.TURN));
    begin(next, run, Plan.BEGIN, 0);
    steps.add(next, Step.BEGIN_AGAIN, run, T, 0);
  }

  /** Makes a run begin an act, or the next one after it that has something to do. */
  private void begin(State next, int run, int program, int index) {
    next.migrator(run, State.M_PROGRAM, program);
    next.migrator(run, State.M_ACT, index);
    next.migrator(run, State.M_AT, 0);
    next.migrator(run, State.M_ROW, 0);
    next.migrator(run, State.M_LISTED, 0);
    next.migratorWide(run, State.M_WANTED, 0);
    Act act = act(world, next, run);
    if (act == Act.Work.REPAIR_UNLESS_FENCE_HELD && next.get(State.HELD) != 0) {
      beginNext(next, run);
    } else if (isRepair(act)) {
      beginRow(next, run, 0);
    }
  }

  private void beginNext(State next, int run) {
    begin(next, run, next.program(run), next.migrator(run, State.M_ACT) + 1);
  }

  /** Goes to a row, or to the next one after it that is to be repaired. */
  private void beginRow(State next, int run, int from) {
    next.migratorWide(run, State.M_ADDS, 0);
    next.migratorWide(run, State.M_REMOVES, 0);
    next.migrator(run, State.M_LATEST, 0);
    Act act = act(world, next, run);
    int row = from;
    while (row < world.scenario().regions() && !isMarked(next, run, act, row)) {
      row++;
    }
    if (row == world.scenario().regions()) {
      if (act == Act.Work.REPAIR_MARKED) {
        next.migrator(run, State.M_COMPARED, next.migrator(run, State.M_LEFT));
      }
      beginNext(next, run);
      return;
    }
    next.migrator(run, State.M_ROW, row);
    next.migrator(run, State.M_AT, act == Act.Work.COPY_ROWS ? BEFORE_READ : BEFORE_FIRST_READ);
  }

  private static boolean isMarked(State state, int run, @Nullable Act act, int row) {
    int marks = state.marks(other(repaired(state, run)), row);
    int done = Math.max(0, state.migrator(run, State.M_DONE));
    int open = marks >> done;
    if (act == Act.Work.REPAIR_MARKED && (!isWhole(state, run) || isLeftUnguarded(state, run))) {
      return true;
    }
    if (act == Act.Work.REPAIR_MARKED) {
      // Those of the present pass are left to the next one.
      int passes = state.migrator(run, State.M_PASS) - 1 - done;
      return (open & (1 << Math.max(0, passes)) - 1) != 0;
    }
    return act == Act.Work.COPY_ROWS || open != 0;
  }

  /** Whether all rows that were written since the last pass that is done have marks. */
  private static boolean isWhole(State state, int run) {
    return state.migrator(run, State.M_GUARDED) <= state.migrator(run, State.M_DONE) + 1;
  }

  /** Whether the generation that clients have left may have rows that were not compared. */
  private static boolean isLeftUnguarded(State state, int run) {
    return state.migrator(run, State.M_LEFT) != state.migrator(run, State.M_COMPARED);
  }

  private static int other(int generation) {
    return S + T - generation;
  }

  private void act(State state, int run) {
    Act act = act(world, state, run);
    if (state.program(run) == Plan.BEGIN) {
      create(state, run);
    } else if (act == null) {
      store(state, run);
    } else if (act instanceof Act.Change change) {
      set(state, run, change);
    } else if (isRepair(act)) {
      repair(state, run);
    } else {
      work(state, run, (Act.Work) act);
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
    State next = state.copy();
    if (state.get(State.CREATED) == 0) {
      GuardMode mode = world.has(Rule.CREATED_CLOSED) ? GuardMode.CLOSED : GuardMode.OPEN;
      int word = GuardWord.of(state.migrator(run, State.M_TURN), 0, mode, 0);
      next.set(State.CREATED, 1);
      next.descriptor(T, word);
      for (int region = 0; region < world.scenario().regions(); region++) {
        next.region(T, region, word);
      }
      steps.add(next, Step.CREATE, run, T, 0);
      return;
    }
    goOn(next, run, Stage.PREPARING);
  }

  private void work(State state, int run, Act.Work work) {
    if (work == Act.Work.WAIT_FOR_CLOCKS) {
      if (state.get(State.BEHIND) == 0 || !world.has(Rule.CLOCKS)) {
        State next = state.copy();
        beginNext(next, run);
        steps.add(next, Step.CLOCKS_ALIKE, run, T, 0);
      }
      return;
    }
    if (!isCurrent(state, run)) {
      stop(state, run, Step.STOP, S, 0);
      return;
    }
    State next = state.copy();
    switch (work) {
      case TAKE_TURN -> {
        next.set(State.TURN, state.get(State.TURN) + 1);
        next.migrator(run, State.M_TURN, next.get(State.TURN));
        beginNext(next, run);
        steps.add(next, Step.TAKE_TURN, run, S, 0);
      }
      case COUNT_MARKS -> {
        boolean was = state.migrator(run, State.M_WAS) != 0;
        if (Plan.line(state.program(run)).primary() == Act.Generation.TARGET
            && world.has(Rule.GUARDED_BEFORE_MARKS)) {
          done(next, run, NOTHING_COMPARED);
        } else {
          done(next, run, was ? 0 : Math.max(0, state.migrator(run, State.M_PASS) - 1));
        }
        beginNext(next, run);
        steps.add(next, Step.STORE_PASS, run, S, 0);
      }
      case RECORD_PASS -> {
        done(next, run, Math.max(0, state.migrator(run, State.M_PASS) - 1));
        State again = next.copy();
        beginNext(next, run);
        steps.add(next, Step.STORE_PASS, run, S, 0);
        int passes = state.get(State.PASSES);
        if (passes + 1 < world.scenario().passes()) {
          again.set(State.PASSES, passes + 1);
          int first = world.plan().acts(state.program(run)).indexOf(Act.Work.TAKE_TURN);
          begin(again, run, state.program(run), first);
          steps.add(again, Step.STORE_PASS, run, S, 0);
        }
      }
      default -> throw new IllegalStateException("not modelled: " + work);
    }
  }

  private void done(State next, int run, int pass) {
    next.set(State.DONE, pass);
    next.migrator(run, State.M_DONE, pass);
  }

  private void set(State state, int run, Act.Change change) {
    switch (state.migrator(run, State.M_AT)) {
      case BEFORE_READING -> readDescriptor(state, run, change);
      case BEFORE_DESCRIPTOR -> writeDescriptor(state, run, change);
      default -> askRegion(state, run, change);
    }
  }

  private void readDescriptor(State state, int run, Act.Change change) {
    int generation = Plan.index(change.generation());
    int was = state.descriptor(generation);
    int turn = state.migrator(run, State.M_TURN);
    if (GuardWord.turn(was) > turn) {
      stop(state, run, Step.STOP, generation, 0);
      return;
    }
    State next = state.copy();
    next.migrator(run, State.M_GUARDED, 0);
    GuardMode mode = mode(state, run, change, was);
    int pass = GuardWord.pass(was) + (change.marks() == Act.Marks.NEXT_PASS ? 1 : 0);
    int revision = GuardWord.turn(was) < turn ? 0 : GuardWord.revision(was) + 1;
    next.migratorWide(run, State.M_WANTED, GuardWord.of(turn, revision, mode, pass));
    if (change.mode() == GuardMode.TRACKED && Plan.isLine(state.program(run))) {
      next.migrator(run, State.M_WAS, GuardWord.mode(was) == GuardMode.TRACKED ? 1 : 0);
    }
    if (change.marks() == Act.Marks.NEXT_PASS) {
      next.migrator(run, State.M_PASS, pass);
    }
    next.migrator(run, State.M_AT, world.has(Rule.DESCRIPTOR_FIRST) ? BEFORE_DESCRIPTOR : ASKING);
    list(next, run, generation, false);
    steps.add(next, Step.READ_DESCRIPTOR, run, generation, 0);
  }

  private GuardMode mode(State state, int run, Act.Change change, int was) {
    boolean kept =
        change.mode() == null
            || Plan.isTaking(state.program(run)) && !world.has(Rule.TURN_BY_STAGE);
    return kept ? GuardWord.mode(was) : Objects.requireNonNull(change.mode());
  }

  private void writeDescriptor(State state, int run, Act.Change change) {
    int generation = Plan.index(change.generation());
    int wanted = state.migratorWide(run, State.M_WANTED);
    if (world.has(Rule.DESCRIPTOR_ONLY_GROWS)
        && GuardWord.turn(wanted) < GuardWord.turn(state.descriptor(generation))) {
      stop(state, run, Step.DESCRIPTOR_REFUSED, generation, 0);
      return;
    }
    State next = state.copy();
    GuardMode mode = GuardWord.mode(wanted);
    next.descriptor(generation, wanted);
    if (mode == GuardMode.FENCED && isCurrent(state, run)) {
      next.set(State.HELD, 1);
    }
    if (generation == T && mode.reads()) {
      for (int row = 0; row < world.scenario().regions(); row++) {
        if (isCurrent(state, run)
            && isFirst(state)
            && !world.has(Scenario.Event.HISTORIES)
            && !world.isUnmet(state, T)
            && !world.isComplete(state, T, row)) {
          next.set(State.BROKEN, Broken.UNEQUAL.code());
        }
      }
    }
    boolean waits = world.has(Rule.CLOSED_BEFORE_OPEN) || mode != GuardMode.CLOSED;
    if (mode.writes()) {
      // Either all that had been written is there now, or it is lost.
      next.set(State.UNMET, 0);
    }
    if (world.has(Rule.DESCRIPTOR_FIRST) && waits) {
      next.migrator(run, State.M_AT, ASKING);
      list(next, run, generation, true);
    } else {
      beginNext(next, run);
    }
    steps.add(next, Step.WRITE_DESCRIPTOR, run, generation, 0);
  }

  // By the rule it lists the regions after the change, and takes note if they change; else before.
  private void list(State next, int run, int generation, boolean isChanged) {
    if (world.has(Rule.REGIONS_LISTED_LAST)) {
      next.migrator(run, State.M_LISTED, 0);
    } else if (!isChanged) {
      next.migrator(run, State.M_LISTED, next.isMerged(generation) ? 1 : 0);
    }
  }

  /** The regions of a generation have changed: a run may have asked others. */
  void reshaped(State next, int run, int generation) {
    if (act(world, next, run) instanceof Act.Change change
        && Plan.index(change.generation()) == generation
        && next.migrator(run, State.M_AT) >= ASKING) {
      next.migrator(run, State.M_LISTED, 1);
    }
  }

  private static boolean isFirst(State state) {
    return state.stage() == Stage.SWITCHING || state.stage() == Stage.CLOSING;
  }

  private void askRegion(State state, int run, Act.Change change) {
    int generation = Plan.index(change.generation());
    int region = state.migrator(run, State.M_AT) - ASKING;
    int asked = state.migratorWide(run, State.M_WANTED);
    int was = state.region(generation, region);
    if (state.isUnguarded(generation, region)) {
      // It has no guard that could answer: the run waits, or fails.
      return;
    }
    boolean later =
        world.has(Rule.ANSWER_IS_EXACT)
            ? isLater(asked, was)
            : GuardWord.revision(asked) > GuardWord.revision(was);
    if (state.isGhost(generation, region)) {
      State answered = state.copy();
      afterAnswer(answered, run, generation, region);
      steps.add(answered, Step.GHOST_ANSWERS, run, generation, region);
    }
    State next = state.copy();
    int word = was;
    if (later) {
      word = world.has(Rule.DESCRIPTOR_FIRST) ? state.descriptor(generation) : asked;
      if (world.has(Rule.ANSWER_IS_EXACT) && !isLater(word, was)) {
        // A region never goes back to an earlier state.
        word = was;
      }
      if (drains(was, word) && world.isBusy(state, generation, region)) {
        return;
      }
      next.region(generation, region, word);
    }
    if (isLater(asked, word) && world.has(Rule.ANSWER_IS_EXACT)) {
      next.migrator(run, State.M_AT, BEFORE_DESCRIPTOR);
      steps.add(next, Step.ANSWER_IS_ANOTHER, run, generation, region);
      return;
    }
    int guarded = state.guardedSince(generation, region);
    next.migrator(run, State.M_GUARDED, Math.max(state.migrator(run, State.M_GUARDED), guarded));
    if (guarded > GuardWord.pass(word)
        && generation == S
        && world.isUsed(next, T)
        && world.has(Rule.LEFT_IS_COMPARED)) {
      next.migrator(run, State.M_LEFT, state.records());
    }
    boolean last = afterAnswer(next, run, generation, region);
    if (last && state.migrator(run, State.M_LISTED) != 0 && world.has(Rule.REGIONS_LISTED_LAST)) {
      State again = state.copy();
      again.region(generation, region, word);
      again.migrator(run, State.M_AT, ASKING);
      again.migrator(run, State.M_GUARDED, 0);
      again.migrator(run, State.M_LISTED, 0);
      steps.add(again, Step.REGIONS_ARE_OTHERS, run, generation, region);
      return;
    }
    steps.add(next, Step.ASK_REGION, run, generation, region);
  }

  private static boolean isLater(int one, int other) {
    return GuardWord.turn(one) != GuardWord.turn(other)
        ? GuardWord.turn(one) > GuardWord.turn(other)
        : GuardWord.revision(one) > GuardWord.revision(other);
  }

  /** Returns whether this was the last region. */
  private boolean afterAnswer(State next, int run, int generation, int region) {
    boolean asksOne =
        world.has(Rule.REGIONS_LISTED_LAST)
            ? next.isMerged(generation)
            : next.migrator(run, State.M_LISTED) != 0;
    int regions = asksOne ? 1 : world.scenario().regions();
    if (region + 1 < regions && world.has(Rule.ALL_REGIONS_ANSWER)) {
      next.migrator(run, State.M_AT, ASKING + region + 1);
      return false;
    }
    if (world.has(Rule.DESCRIPTOR_FIRST)) {
      afterAll(next, run);
    } else {
      next.migrator(run, State.M_AT, BEFORE_DESCRIPTOR);
    }
    return true;
  }

  // In a write pause, a run fails that meets a region which was open without the guard, in either
  // generation.
  private void afterAll(State next, int run) {
    int program = next.program(run);
    boolean fails =
        act(world, next, run) instanceof Act.Change change
            && Plan.isLine(program)
            && Plan.line(program).afterFailure() != null
            && change.mode() != null
            && !change.mode().writes()
            && (change.generation() == Plan.line(program).primary()
                ? !isWhole(next, run)
                : isLeftUnguarded(next, run) && world.has(Rule.LEFT_IS_CHECKED));
    if (fails) {
      retreat(next, run);
    } else {
      beginNext(next, run);
    }
  }

  private void retreat(State next, int run) {
    if (isCurrent(next, run)) {
      next.set(State.HELD, 0);
      begin(next, run, Plan.failing(next.program(run)), 0);
    } else {
      next.stop(run);
    }
  }

  private boolean drains(int was, int word) {
    GuardMode from = GuardWord.mode(was);
    GuardMode to = GuardWord.mode(word);
    if (to == GuardMode.TRACKED && GuardWord.pass(was) != GuardWord.pass(word)) {
      return world.has(Rule.DRAIN_PASS);
    }
    if (from != to) {
      return to != GuardMode.FENCED || world.has(Rule.DRAIN_FENCE);
    }
    return world.has(Rule.DRAIN_TURN);
  }

  private void repair(State state, int run) {
    int to = repaired(state, run);
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
          beginRow(next, run, row + 1);
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
        beginRow(next, run, row + 1);
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
    if (world.has(Scenario.Event.RETRIES)
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

  private void store(State state, int run) {
    if (!isCurrent(state, run)) {
      stop(state, run, Step.STOP, S, 0);
      return;
    }
    int program = state.program(run);
    if (Plan.isTaking(program)) {
      goOn(state, run, Objects.requireNonNull(state.stage()));
      return;
    }
    State next = state.copy();
    next.set(State.PASSES, 0);
    Transition line = Plan.line(program);
    Stage after =
        Objects.requireNonNull(Plan.isFailing(program) ? line.afterFailure() : line.next());
    next.set(State.HELD, after == Stage.CLOSING ? state.get(State.HELD) : 0);
    goOn(next, run, after);
  }

  private void goOn(State state, int run, Stage stage) {
    if (Plan.isEnd(stage)) {
      State next = state.copy();
      next.stage(stage);
      next.stop(run);
      steps.add(next, Step.STORE, run, S, 0);
      return;
    }
    for (int line : Plan.lines(stage, world.scenario().goingBack())) {
      State next = state.copy();
      next.stage(stage);
      begin(next, run, line, 0);
      steps.add(next, Step.STORE, run, S, 0);
    }
  }
}
