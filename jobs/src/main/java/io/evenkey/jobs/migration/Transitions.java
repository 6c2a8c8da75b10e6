/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static io.evenkey.client.internal.registry.Stage.ABANDONING;
import static io.evenkey.client.internal.registry.Stage.CLOSING;
import static io.evenkey.client.internal.registry.Stage.COPYING;
import static io.evenkey.client.internal.registry.Stage.FENCING;
import static io.evenkey.client.internal.registry.Stage.FINISHED;
import static io.evenkey.client.internal.registry.Stage.FINISHING;
import static io.evenkey.client.internal.registry.Stage.PREPARING;
import static io.evenkey.client.internal.registry.Stage.READY;
import static io.evenkey.client.internal.registry.Stage.RETURNING;
import static io.evenkey.client.internal.registry.Stage.ROLLED_BACK;
import static io.evenkey.client.internal.registry.Stage.SWITCHED;
import static io.evenkey.client.internal.registry.Stage.SWITCHING;
import static io.evenkey.client.internal.registry.Stage.VERIFYING;
import static io.evenkey.jobs.migration.Act.Generation.SOURCE;
import static io.evenkey.jobs.migration.Act.Generation.TARGET;
import static io.evenkey.jobs.migration.Act.Layouts.AFTER;
import static io.evenkey.jobs.migration.Act.Layouts.AFTER_AND_BEFORE;
import static io.evenkey.jobs.migration.Act.Layouts.BEFORE;
import static io.evenkey.jobs.migration.Act.Layouts.BEFORE_AND_AFTER;
import static io.evenkey.jobs.migration.Act.Marks.NEXT_PASS;
import static io.evenkey.jobs.migration.Act.Marks.SAME_PASS;
import static io.evenkey.jobs.migration.Act.Work.CHANGE_NAMES;
import static io.evenkey.jobs.migration.Act.Work.CHECK_ARRIVED;
import static io.evenkey.jobs.migration.Act.Work.CHECK_CLUSTERS;
import static io.evenkey.jobs.migration.Act.Work.COMPARE_FILES;
import static io.evenkey.jobs.migration.Act.Work.COMPARE_ROWS;
import static io.evenkey.jobs.migration.Act.Work.CONTINUE_AS_CLONE;
import static io.evenkey.jobs.migration.Act.Work.COPY_RIGHTS;
import static io.evenkey.jobs.migration.Act.Work.COPY_ROWS;
import static io.evenkey.jobs.migration.Act.Work.COUNT_MARKS;
import static io.evenkey.jobs.migration.Act.Work.FIND_MISPLACED;
import static io.evenkey.jobs.migration.Act.Work.FIND_ROWS;
import static io.evenkey.jobs.migration.Act.Work.KEEP_TOMBSTONES;
import static io.evenkey.jobs.migration.Act.Work.MAKE_REGIONS;
import static io.evenkey.jobs.migration.Act.Work.PREPARE_RETURN;
import static io.evenkey.jobs.migration.Act.Work.PREPARE_SWITCH;
import static io.evenkey.jobs.migration.Act.Work.RECORD_LAYOUT;
import static io.evenkey.jobs.migration.Act.Work.RECORD_PASS;
import static io.evenkey.jobs.migration.Act.Work.RENAME_TARGET;
import static io.evenkey.jobs.migration.Act.Work.REPAIR_LAST;
import static io.evenkey.jobs.migration.Act.Work.REPAIR_MARKED;
import static io.evenkey.jobs.migration.Act.Work.REPAIR_UNLESS_FENCE_HELD;
import static io.evenkey.jobs.migration.Act.Work.RETURN_RIGHTS;
import static io.evenkey.jobs.migration.Act.Work.TAKE_ON_PEERS;
import static io.evenkey.jobs.migration.Act.Work.TAKE_OWN_NAME;
import static io.evenkey.jobs.migration.Act.Work.TAKE_SNAPSHOT;
import static io.evenkey.jobs.migration.Act.Work.TAKE_TURN;
import static io.evenkey.jobs.migration.Act.Work.WAIT_FOR_CLOCKS;
import static io.evenkey.jobs.migration.Transition.Way.BACK;
import static io.evenkey.jobs.migration.Transition.Way.FORWARD;
import static io.evenkey.protocol.guard.GuardMode.CLOSED;
import static io.evenkey.protocol.guard.GuardMode.FENCED;
import static io.evenkey.protocol.guard.GuardMode.HELD;
import static io.evenkey.protocol.guard.GuardMode.OPEN;
import static io.evenkey.protocol.guard.GuardMode.READ_ONLY;
import static io.evenkey.protocol.guard.GuardMode.SHARED;
import static io.evenkey.protocol.guard.GuardMode.TRACKED;

import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.protocol.guard.GuardMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The protocol of migrations as three tables: between generations with the guard, of a step in
 * place, and between generations by names. The protocols do what they say, {@code MigrationModelIT}
 * searches the first one, and the portal and the command line show its words. Decision 12 says why.
 *
 * <p>A kill leaves the stage as it is recorded; the next run sets the modes of its line, by another
 * turn, and does the line again. The generation that takes writes comes second: the other one is
 * not read any more then. A fence that has ended by itself leaves a region {@code tracked}; the
 * line after it repairs once more. Stateless.
 */
public final class Transitions {
  /** Between generations, with the guard. */
  private static final List<Transition> GUARDED =
      new Table()
          //   stage       source     target    what a run does, and the stage after it
          .line(PREPARING, OPEN, CLOSED, "the next generation is created")
          .forward(
              COPYING,
              change(SOURCE, TRACKED, NEXT_PASS),
              // Not all regions may have been asked that open in the first pass.
              pass(SOURCE),
              COUNT_MARKS)
          .back(ABANDONING)
          .line(COPYING, TRACKED, CLOSED, "the rows are copied; rows that clients write are marked")
          .forward(VERIFYING, COPY_ROWS)
          .back(ABANDONING)
          .line(
              VERIFYING,
              TRACKED,
              CLOSED,
              "both generations are compared, and different rows repaired")
          .forward(READY, COMPARE_ROWS, passes(SOURCE))
          .back(ABANDONING)
          .line(
              READY,
              TRACKED,
              CLOSED,
              "both are equal except for the last writes; the old one is in use")
          .waits()
          .forward(FENCING, CHECK_CLUSTERS, PREPARE_SWITCH, passes(SOURCE))
          .back(ABANDONING)
          .line(FENCING, TRACKED, CLOSED, "writes pause while the last writes are compared")
          .fails(READY)
          .forward(CLOSING, TAKE_TURN, change(TARGET, CLOSED), change(SOURCE, FENCED), REPAIR_LAST)
          .back(ABANDONING)
          .line(CLOSING, READ_ONLY, CLOSED, "the old generation is closed to clients")
          .fails(READY)
          .forward(
              SWITCHING,
              // Unlike a fence, this does not end: not even if the run dies with some regions
              // closed.
              change(SOURCE, READ_ONLY),
              REPAIR_UNLESS_FENCE_HELD,
              CHECK_ARRIVED,
              change(TARGET, READ_ONLY),
              change(SOURCE, CLOSED),
              WAIT_FOR_CLOCKS)
          .back(ABANDONING)
          .line(SWITCHING, CLOSED, TRACKED, "the next generation is opened to clients")
          .always(SWITCHED, change(TARGET, TRACKED, NEXT_PASS), COUNT_MARKS)
          .line(SWITCHED, CLOSED, TRACKED, "the next generation is in use; a rollback is possible")
          .waits()
          .forward(FINISHING, CHECK_CLUSTERS)
          .back(RETURNING, CHECK_CLUSTERS, PREPARE_RETURN, passes(TARGET))
          // Rows that are written from here on may have no mark: there is no way back.
          .line(FINISHING, CLOSED, OPEN, "the next generation replaces the old one")
          .forward(FINISHED, TAKE_TURN, TAKE_OWN_NAME, change(TARGET, OPEN))
          .line(
              RETURNING,
              CLOSED,
              TRACKED,
              "rolling back: writes pause while the last writes are compared")
          .forward(SWITCHED)
          .fails(SWITCHED)
          .back(
              ABANDONING,
              RETURN_RIGHTS,
              TAKE_TURN,
              change(SOURCE, CLOSED),
              change(TARGET, FENCED),
              REPAIR_LAST,
              change(TARGET, READ_ONLY),
              REPAIR_UNLESS_FENCE_HELD,
              CHECK_ARRIVED,
              change(SOURCE, READ_ONLY),
              change(TARGET, CLOSED),
              WAIT_FOR_CLOCKS)
          .line(
              ABANDONING,
              OPEN,
              CLOSED,
              "rolling back: the next generation is closed, and the old one opened")
          .always(ROLLED_BACK, TAKE_TURN, change(TARGET, CLOSED), change(SOURCE, OPEN))
          .end(FINISHED, FORWARD, "the next generation has replaced the old one")
          .end(ROLLED_BACK, BACK, "only the old generation is in use again")
          .lines();

  /** The protocol of a step in place, which has one generation. */
  private static final List<Transition> IN_PLACE =
      new Table()
          .line(PREPARING, "the new buckets get regions", step(OPEN, BEFORE))
          .forward(VERIFYING, CHECK_CLUSTERS, MAKE_REGIONS)
          .back(ABANDONING)
          .line(
              VERIFYING,
              "writes at or after the step wait, and the table is searched for such rows",
              step(HELD, BEFORE_AND_AFTER))
          .forward(CLOSING, step(HELD, BEFORE_AND_AFTER), FIND_ROWS)
          .back(ABANDONING)
          .line(
              CLOSING,
              "clients change to the layout with the step; writes after it wait",
              step(SHARED, BEFORE_AND_AFTER))
          .forward(
              SWITCHING,
              step(SHARED, BEFORE_AND_AFTER),
              step(SHARED, AFTER_AND_BEFORE),
              step(HELD, AFTER_AND_BEFORE),
              // Unlike a guard, a server without it does not hold them.
              FIND_MISPLACED)
          .back(
              ABANDONING,
              step(SHARED, BEFORE_AND_AFTER),
              step(HELD, BEFORE_AND_AFTER),
              FIND_MISPLACED)
          // Rows after the step may be written already: there is no way back.
          .line(
              SWITCHING,
              "rows at or after the step are written by the layout with it",
              step(OPEN, AFTER))
          .forward(FINISHED, step(OPEN, AFTER), TAKE_ON_PEERS, RECORD_LAYOUT)
          .line(ABANDONING, "rolling back: writes no longer wait", step(OPEN, BEFORE))
          .always(ROLLED_BACK, step(OPEN, BEFORE))
          .end(FINISHED, FORWARD, "the table has the step; no row was rewritten")
          .end(ROLLED_BACK, BACK, "the table has the layout before the step")
          .lines();

  /** Between generations, by their names. After the switch the way back is one there. */
  private static final List<Transition> BY_NAMES =
      new Table()
          .line(PREPARING, "the next generation is created")
          .always(COPYING, KEEP_TOMBSTONES)
          .line(COPYING, "the rows are copied; rows that clients write are marked", RENAME_TARGET)
          .forward(VERIFYING, COPY_ROWS, RENAME_TARGET)
          .back(VERIFYING, RENAME_TARGET)
          .line(
              VERIFYING,
              "both generations are compared, and different rows repaired",
              RENAME_TARGET)
          .always(READY, COMPARE_FILES)
          .line(
              READY,
              "both are equal except for the last writes; the old one is in use",
              RENAME_TARGET)
          .waits()
          .forward(FENCING, COPY_RIGHTS, TAKE_SNAPSHOT, COMPARE_FILES, TAKE_TURN)
          .back(FENCING, COPY_RIGHTS, COMPARE_FILES, TAKE_TURN)
          .line(
              FENCING,
              "writes pause while the last writes are compared",
              CONTINUE_AS_CLONE,
              RENAME_TARGET)
          .fails(VERIFYING)
          .forward(SWITCHED, CHANGE_NAMES)
          .back(ROLLED_BACK, CHANGE_NAMES)
          .line(SWITCHED, "the next generation is in use; a rollback is possible")
          .waits()
          .forward(FINISHED)
          // A migration to the generation that was left, which begins at once.
          .back(PREPARING)
          .line(ABANDONING, "rolling back: the next generation is closed, and the old one opened")
          .always(ROLLED_BACK)
          .end(FINISHED, FORWARD, "the next generation has replaced the old one")
          .end(ROLLED_BACK, BACK, "only the old generation is in use again")
          .lines();

  private Transitions() {}

  /** The lines of a protocol. */
  public static List<Transition> of(Kind kind, Migration.Fence fence) {
    if (kind instanceof Kind.StepInPlace) {
      return IN_PLACE;
    }
    return fence == Migration.Fence.GUARD ? GUARDED : BY_NAMES;
  }

  /** The line of a migration now. */
  public static Transition of(Migration migration) {
    return find(migration, migration.goal())
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "migration cannot reach its goal from this stage: stage="
                        + migration.stage()
                        + " goal="
                        + migration.goal()));
  }

  /** The line of a migration if it had another goal; empty if there is no way to that. */
  public static Optional<Transition> find(Migration migration, Stage goal) {
    Transition.Way way = Transition.Way.to(goal);
    return of(migration.kind(), migration.fence()).stream()
        .filter(line -> line.stage() == migration.stage() && line.way() == way)
        .findAny();
  }

  /** The stage of a migration in words. */
  public static String meaning(Migration migration) {
    return migration.kind() instanceof Kind.StepWithRewriting && migration.stage() == COPYING
        ? "the table is cloned, and rows at or after the step are moved in the clone"
        : of(migration.kind(), migration.fence()).stream()
            .filter(line -> line.stage() == migration.stage())
            .map(Transition::meaning)
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("no such stage: " + migration));
  }

  private static Act change(Act.Generation generation, GuardMode mode) {
    return new Act.Change(generation, mode, SAME_PASS);
  }

  private static Act change(Act.Generation generation, GuardMode mode, Act.Marks marks) {
    return new Act.Change(generation, mode, marks);
  }

  private static Act pass(Act.Generation generation) {
    return new Act.Change(generation, null, NEXT_PASS);
  }

  private static Act step(GuardMode mode, Act.Layouts layouts) {
    return new Act.ChangeStep(mode, layouts);
  }

  // The generation to repair gets the turn first: it then rejects repairs of the pass before.
  private static Act passes(Act.Generation primary) {
    return new Act.Passes(
        List.of(
            TAKE_TURN,
            new Act.Change(primary.other(), null, SAME_PASS),
            pass(primary),
            REPAIR_MARKED,
            RECORD_PASS));
  }

  /** Takes the lines of a protocol, one after the other. Not thread-safe. */
  private static final class Table {
    private final List<Transition> lines = new ArrayList<>();
    private Stage stage = PREPARING;
    private String meaning = "";
    private List<Act> taking = List.of();
    private boolean waits;
    private @Nullable Stage afterFailure;

    private Table line(Stage next, GuardMode source, GuardMode target, String words) {
      Act ofSource = taking(SOURCE, source);
      Act ofTarget = taking(TARGET, target);
      return source.writes()
          ? line(next, words, ofTarget, ofSource)
          : line(next, words, ofSource, ofTarget);
    }

    // The run before may have begun a pass. No row of a closed generation gets marks: it stays in
    // its pass, which tells whether it was open without the guard.
    private static Act taking(Act.Generation generation, GuardMode mode) {
      return change(generation, mode, mode == CLOSED ? SAME_PASS : NEXT_PASS);
    }

    private Table line(Stage next, String words, Act... first) {
      stage = next;
      meaning = words;
      taking = List.of(first);
      waits = false;
      afterFailure = null;
      return this;
    }

    private Table waits() {
      waits = true;
      return this;
    }

    private Table fails(Stage to) {
      afterFailure = to;
      return this;
    }

    private Table forward(Stage next, Act... acts) {
      return add(FORWARD, next, acts);
    }

    private Table back(Stage next, Act... acts) {
      return add(BACK, next, acts);
    }

    private Table always(Stage next, Act... acts) {
      return forward(next, acts).back(next, acts);
    }

    private Table end(Stage last, Transition.Way way, String words) {
      return line(last, words).add(way, null);
    }

    private Table add(Transition.Way way, @Nullable Stage next, Act... acts) {
      boolean isForward = way == FORWARD;
      Stage failed = acts.length == 0 ? null : afterFailure;
      lines.add(
          new Transition(
              stage, way, taking, List.of(acts), next, failed, waits && isForward, meaning));
      return this;
    }

    private List<Transition> lines() {
      return List.copyOf(lines);
    }
  }
}
