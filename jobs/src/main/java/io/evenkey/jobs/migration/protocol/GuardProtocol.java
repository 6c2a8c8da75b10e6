/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.protocol;

import static io.evenkey.jobs.migration.Act.Generation.SOURCE;
import static io.evenkey.jobs.migration.Act.Generation.TARGET;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.guard.GuardControl;
import io.evenkey.jobs.guard.GuardControl.Acknowledged;
import io.evenkey.jobs.guard.StateChange;
import io.evenkey.jobs.migration.Act;
import io.evenkey.jobs.migration.MigrationException;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationRecord;
import io.evenkey.jobs.migration.MigrationSettings;
import io.evenkey.jobs.migration.Transition;
import io.evenkey.jobs.migration.Transitions;
import io.evenkey.jobs.migration.cluster.Coordination;
import io.evenkey.jobs.migration.comparison.GenerationComparison;
import io.evenkey.jobs.migration.copy.CopyDirectories;
import io.evenkey.jobs.migration.copy.CopyRounds;
import io.evenkey.jobs.migration.generation.Generations;
import io.evenkey.jobs.migration.row.GenerationSide;
import io.evenkey.jobs.migration.row.KeyChange;
import io.evenkey.jobs.migration.row.RepairOutcome;
import io.evenkey.jobs.migration.row.RowRepairs;
import io.evenkey.jobs.migration.row.RowRewriter;
import io.evenkey.jobs.migration.row.UnplacedRowException;
import io.evenkey.jobs.migration.step.StepRegions;
import io.evenkey.layout.Layout;
import io.evenkey.layout.step.AppendedSteps;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.index.TableIndexes;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A migration in which the guard of the region servers says what clients may do, see {@link
 * GuardMode}. Each run has a number, its turn: the guard refuses what an earlier run or its map
 * tasks send late. Not thread-safe.
 */
final class GuardProtocol implements Protocol {
  private static final Logger LOG = LoggerFactory.getLogger(GuardProtocol.class);

  /** A pass that takes no longer is short enough to be made while writes pause. */
  private static final Duration SHORT_PASS = Duration.ofMillis(300);

  private static final int MOST_PASSES = 12;

  /** Write pauses in each of which clients may have been moving a row from one key to another. */
  private static final int MOST_MOVES = 5;

  private final Connection plain;
  private final Registry registry;
  private final MigrationSettings settings;
  private final MigrationListener listener;
  private final Generations generations;
  private final GuardControl guard;
  private final GenerationComparison comparison;
  private final MigrationRecord record;
  private final RepairPasses passes;
  private final GuardChanges changes;
  private final Coordination clusters;

  /** Whether the generation whose marks begin was tracked before: by a run that died then. */
  private boolean wasTracked;

  /** How often a write pause has kept a client from moving a row. */
  private int moves;

  private GuardProtocol(
      Connection plain,
      Registry registry,
      MigrationRecord record,
      MigrationSettings settings,
      MigrationListener listener,
      GuardControl guard,
      GenerationComparison comparison) {
    this.plain = plain;
    this.registry = registry;
    this.settings = settings;
    this.listener = listener;
    this.generations = new Generations(plain);
    this.guard = guard;
    this.comparison = comparison;
    this.record = record;
    this.passes = new RepairPasses(record, comparison, listener);
    this.changes = new GuardChanges(record, guard, listener);
    this.clusters = Coordination.of(plain, record, guard, listener);
  }

  /** Opens the connections that it takes. */
  static GuardProtocol open(
      Connection plain,
      Registry registry,
      MigrationRecord record,
      MigrationSettings settings,
      MigrationListener listener)
      throws IOException {
    GuardControl guard = GuardControl.open(plain);
    try {
      GenerationComparison comparison =
          GenerationComparison.open(plain, settings, RowRepairs.Sending.REPEATED);
      return new GuardProtocol(plain, registry, record, settings, listener, guard, comparison);
    } catch (IOException | RuntimeException e) {
      guard.close();
      throw e;
    }
  }

  private Migration migration() {
    return record.migration();
  }

  private boolean isRenaming() {
    return migration().kind() instanceof Kind.Renaming;
  }

  @Override
  public void aimFor(Stage goal) throws IOException {
    Migration now = migration();
    if (goal == Stage.ROLLED_BACK && isWithoutSource()) {
      throw new MigrationException(
          now.table(),
          "rollback needs a generation that was dropped",
          "generation=" + now.source(),
          Remedy.FINISH);
    }
    record.store(now.aimFor(goal));
  }

  @Override
  public boolean isWithoutSource() throws IOException {
    return migration().stage().usesTarget() && !isThere(migration().source());
  }

  // A table of the name that was created since then has no state of a migration.
  private boolean isThere(TableName generation) throws IOException {
    return generations.exists(generation) && guard.state(generation).turn() > 0;
  }

  private void giveUpTarget() throws IOException {
    Migration now = migration();
    LOG.warn(
        "rows from before the switch are in use again: table={} generation={} reason={} was dropped"
            + " outside of Evenkey",
        now.table(),
        now.source(),
        now.target());
    record.store(now.abandon());
  }

  private void checkTarget() throws IOException {
    Migration now = migration();
    boolean isMadeLater =
        now.stage() == Stage.PREPARING
            || (now.stage() == Stage.COPYING && now.kind().clonesSource());
    if (!isMadeLater && !isThere(now.target())) {
      throw new MigrationException(
          now.table(),
          "next generation was dropped",
          "generation=" + now.target() + " stage=" + now.stage(),
          Remedy.ROLL_BACK + ", or begin it again");
    }
  }

  // Its marks would be those of another time.
  private void checkSource() throws IOException {
    Migration now = migration();
    if (!now.stage().usesTarget() && guard.ask(now.source(), 0).guarded().isOfClone()) {
      throw new MigrationException(
          now.table(),
          "table was dropped and cloned from a snapshot under its name during the migration",
          "generation=" + now.source() + " stage=" + now.stage(),
          "the next generation has rows of the table that was dropped: "
              + Remedy.ROLL_BACK
              + ", and begin it again");
    }
  }

  /** Sets the modes of the stage: what the run before still sends is refused from then on. */
  @Override
  public void claim() throws IOException {
    if (!migration().stage().isOver()) {
      enter(Transitions.of(migration()));
    }
  }

  private void enter(Transition line) throws IOException {
    for (Act act : line.taking()) {
      Act.Change change = (Act.Change) act;
      if (isThere(line, change.generation())) {
        changes.apply(change);
      }
    }
  }

  // A target is not there while a table is renamed, or after a rollback has dropped it, and has no
  // open region while it is dropped. An open one that has the table's own name was created by an
  // application since then.
  private boolean isThere(Transition line, Act.Generation generation) throws IOException {
    TableName table = changes.table(generation);
    if (line.primary() == TARGET) {
      return isThere(table);
    }
    return generation == SOURCE
        || generations.isEnabled(table)
            && (!isRenaming() || guard.state(table).mode() != GuardMode.OPEN);
  }

  @Override
  public boolean advance() throws IOException {
    if (migration().stage().isOver()) {
      return false;
    }
    if (migration().goal() != Stage.ROLLED_BACK) {
      checkTarget();
      checkSource();
    } else if (migration().stage().usesTarget() && !isThere(migration().target())) {
      giveUpTarget();
      return true;
    }
    Transition line = Transitions.of(migration());
    if (line.waits() && migration().goal() == line.stage()) {
      return false;
    }
    try {
      run(line, line.acts());
    } catch (IOException | RuntimeException e) {
      if (retreat(line, e) && isMoving(e) && ++moves < MOST_MOVES) {
        return true;
      }
      throw e;
    }
    record.store(migration().enter(Objects.requireNonNull(line.next())));
    return true;
  }

  // Writes must not pause until an operator has found out what is wrong.
  private boolean retreat(Transition line, Exception why) {
    if (line.afterFailure() == null) {
      return false;
    }
    try {
      Migration back = migration().enter(line.afterFailure());
      enter(Transitions.of(back));
      record.store(back);
      return true;
    } catch (IOException | RuntimeException e) {
      why.addSuppressed(e);
      return false;
    }
  }

  // The client goes on now; the passes before the next pause wait for it, but not for ever.
  private static boolean isMoving(Exception failure) {
    return failure.getCause() instanceof UnplacedRowException row && row.mayBeMoving();
  }

  private void run(Transition line, List<Act> acts) throws IOException {
    for (Act act : acts) {
      if (act instanceof Act.Change change) {
        change(line, change);
      } else if (act instanceof Act.Passes repeated) {
        repeat(line, repeated.acts());
      } else {
        work(line, (Act.Work) act);
      }
    }
  }

  private void change(Transition line, Act.Change change) throws IOException {
    boolean isGivenUp = line.stage() == Stage.ABANDONING && change.generation() == TARGET;
    if (isGivenUp && !isThere(line, TARGET)) {
      return;
    }
    GuardMode mode = change.mode();
    if (mode == GuardMode.TRACKED) {
      wasTracked = guard.state(changes.table(change.generation())).mode() == mode;
    }
    changes.apply(change);
    if (mode == null || mode.writes()) {
      return;
    }
    if (change.generation() == line.primary()) {
      passes.checkMarked(primary(line), changes.answers(line.primary()));
    } else if (line.primary() == TARGET) {
      passes.checkCompared(source(), changes.answers(SOURCE));
    }
  }

  /** Makes passes until one is so short that it can be made while writes pause. */
  private void repeat(Transition line, List<Act> pass) throws IOException {
    long took = Long.MAX_VALUE;
    for (int i = 0; i < MOST_PASSES && took > SHORT_PASS.toNanos(); i++) {
      long begun = System.nanoTime();
      run(line, pass);
      took = System.nanoTime() - begun;
    }
    // A pass, and five more states that all regions have to act by.
    changes.expectPause(Duration.ofNanos(took).plus(changes.lastTook().multipliedBy(5)));
  }

  private void work(Transition line, Act.Work work) throws IOException {
    switch (work) {
      case TAKE_TURN -> record.store(migration().nextTurn());
      case COUNT_MARKS -> {
        // Before the first time there are no marks, or those of an earlier migration.
        if (line.next() == Stage.SWITCHED) {
          passes.opened(changes.answers(TARGET), wasTracked);
        } else if (wasTracked) {
          passes.forget();
        } else {
          passes.record(changes.answers(SOURCE));
        }
      }
      case COPY_ROWS -> copy();
      case COMPARE_ROWS -> {
        // A clone has what was written before it was made.
        if (!isRenaming()) {
          passes.all(source(), target());
        }
      }
      case PREPARE_SWITCH -> {
        // Rights that were granted since the copy began. Quotas would have slowed it down.
        generations.copyRights(migration());
        generations.copyQuotas(migration());
        generations.addReplicas(migration());
        generations.flush(migration().source());
      }
      case PREPARE_RETURN -> generations.flush(migration().target());
      case RETURN_RIGHTS -> {
        generations.copyRightsBack(migration());
        generations.copyQuotasBack(migration());
      }
      case REPAIR_MARKED -> {
        if (line.primary() == TARGET && !passes.isCompared(changes.answers(SOURCE))) {
          Acknowledged left = changes.answers(SOURCE);
          generations.checkKept(migration(), left.guarded().ms());
          passes.left(target(), source(), left);
        } else {
          passes.marked(primary(line), secondary(line), changes.answers(line.primary()));
        }
      }
      case RECORD_PASS -> passes.record(changes.answers(line.primary()));
      case REPAIR_LAST -> {
        RepairOutcome last = repairLast(line);
        // A fence that may have ended lets rows differ again: they are repaired once more.
        record.count(changes.isFenceHeld() ? last : last.underWriters());
      }
      case REPAIR_UNLESS_FENCE_HELD -> {
        // The fence of this run, or of the one before, may have ended, and clients have written.
        if (!changes.isFenceHeld()) {
          record.count(repairLast(line));
        }
      }
      case WAIT_FOR_CLOCKS -> waitForClocks(line.primary());
      case CHECK_CLUSTERS -> clusters.check(line);
      case CHECK_ARRIVED -> clusters.checkArrived(line);
      case TAKE_OWN_NAME -> {
        if (isRenaming()) {
          generations.ownName(migration().target());
        }
      }
      default -> throw new IllegalStateException("not done with the guard: " + work);
    }
  }

  private RepairOutcome repairLast(Transition line) throws IOException {
    return passes.last(primary(line), secondary(line), changes.answers(line.primary()));
  }

  private void waitForClocks(Act.Generation left) throws IOException {
    long behind =
        changes.answers(left).latestAheadMs() - changes.answers(left.other()).earliestAheadMs();
    if (behind > 0) {
      try {
        Thread.sleep(Math.min(behind, RepairPasses.CLOCKS_MS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while migrating a table");
      }
    }
  }

  private GenerationSide primary(Transition line) throws IOException {
    return line.primary() == SOURCE ? source() : target();
  }

  private GenerationSide secondary(Transition line) throws IOException {
    return line.primary() == SOURCE ? target() : source();
  }

  private GenerationSide source() throws IOException {
    return new GenerationSide(
        migration().source(),
        generations.layout(migration().source(), target().layout()),
        null,
        migration().clusters().ids());
  }

  private GenerationSide target() throws IOException {
    Layout layout = TableLayout.of(generations.descriptor(migration().target()));
    if (layout == null) {
      throw new MigrationException(
          "next generation without a layout: table=" + migration().target());
    }
    return new GenerationSide(migration().target(), layout, keys(), migration().clusters().ids());
  }

  /** The change of the row key; null if it stays as it is. */
  private @Nullable KeyChange keys() {
    return migration().kind() instanceof Kind.AnotherKey key
        ? KeyChange.of(Layout.parse(key.before()), Layout.parse(key.after()), key.columns())
        : null;
  }

  private void copy() throws IOException {
    if (isRenaming()) {
      generations.cloneSource(migration(), guard.state(migration().source()));
      carryIndexes();
      dropEarlierEntries();
      record.store(migration().withWork(migration().work().copied(1, 0)));
      return;
    }
    if (migration().kind() instanceof Kind.StepWithRewriting step) {
      move(step);
      return;
    }
    KeyChange keys = keys();
    copy(
        keys == null
            ? new RowRewriter(source().layout(), target().layout())
            : RowRewriter.changing(source().layout(), keys));
  }

  private void copy(RowRewriter rewriter) throws IOException {
    new CopyRounds(plain, registry, record, settings.work(), listener).run(rewriter);
  }

  /** Clones the source, and moves the rows that the step gives another place. */
  private void move(Kind.StepWithRewriting step) throws IOException {
    AppendedSteps steps = AppendedSteps.parse(step.before(), step.after());
    if (migration().work().copied() == 0) {
      generations.cloneSource(migration(), guard.state(migration().source()));
      guard.apply(
          migration().target(),
          record.turn(),
          StateChange.adoption(migration().table(), steps.after()));
      carryIndexes();
      dropEarlierEntries();
      new StepRegions(plain, migration().target(), steps).make();
    }
    try {
      copy(new RowRewriter(steps.before(), steps.after(), RowRewriter.Target.CLONE));
    } catch (MigrationException e) {
      // The clone may have what has to be removed from the source: the next run makes another one.
      record.store(migration().withWork(migration().work().copied(0, 0)));
      throw e;
    }
  }

  // Replication may still send entries of the earlier table of the name.
  private void dropEarlierEntries() throws IOException {
    Migration.Clusters clusters = migration().clusters();
    if (clusters.follows()) {
      guard.apply(migration().target(), record.turn(), StateChange.arrived(clusters.sinceTurn()));
    }
  }

  // The clone's descriptor has the indexes under the source's name, so they are not the clone's.
  private void carryIndexes() throws IOException {
    TableName target = migration().target();
    TableIndexes indexes = generations.indexes(migration().source());
    if (!indexes.isEmpty()) {
      guard.apply(target, record.turn(), StateChange.indexes(indexes));
    }
    generations.record(registry, target);
  }

  @Override
  public void tidy() throws IOException {
    if (migration().stage().isOver()) {
      generations.dropNextKeys(migration());
    }
    if (migration().stage() == Stage.ROLLED_BACK) {
      generations.dropTarget(migration());
      new CopyDirectories(settings.work(), migration().target()).clear(plain.getConfiguration());
      registry.layouts().forget(migration().target());
    } else if (migration().stage() == Stage.FINISHED && isRenaming()) {
      // Replication may still send entries of a peer's, and would wait for ever.
      if (!migration().clusters().follows()) {
        generations.dropSource(migration());
        registry.layouts().forget(migration().source());
      }
      generations.replaceMisreadLinks(migration());
    }
  }

  @Override
  public void close() throws IOException {
    try {
      comparison.close();
    } finally {
      guard.close();
    }
  }

  @Override
  public String toString() {
    return "guarded " + migration();
  }
}
