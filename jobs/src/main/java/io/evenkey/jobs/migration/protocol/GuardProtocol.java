/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.protocol;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.jobs.guard.GuardControl;
import io.evenkey.jobs.migration.MigrationException;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationRecord;
import io.evenkey.jobs.migration.MigrationSettings;
import io.evenkey.jobs.migration.comparison.GenerationComparison;
import io.evenkey.jobs.migration.copy.CopyDirectories;
import io.evenkey.jobs.migration.copy.CopyRounds;
import io.evenkey.jobs.migration.generation.Generations;
import io.evenkey.jobs.migration.row.GenerationSide;
import io.evenkey.jobs.migration.row.KeyChange;
import io.evenkey.jobs.migration.row.RowRepairs;
import io.evenkey.jobs.migration.row.RowRewriter;
import io.evenkey.jobs.migration.step.StepRegions;
import io.evenkey.layout.AppendedSteps;
import io.evenkey.layout.Layout;
import io.evenkey.layout.guard.GuardMode;
import io.evenkey.layout.index.TableIndexes;
import java.io.IOException;
import java.time.Duration;
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

  private final Connection plain;
  private final Registry registry;
  private final MigrationSettings settings;
  private final MigrationListener listener;
  private final Generations generations;
  private final GuardControl guard;
  private final GenerationComparison comparison;
  private final MigrationRecord record;
  private final RepairPasses passes;
  private final WritePause pause;

  /** The expected pause of writes, by the last pass. */
  private Duration expectedPause = Duration.ZERO;

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
    this.passes = new RepairPasses(record, guard, comparison, listener);
    this.pause = new WritePause(record, guard, passes, listener);
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
  public void to(Stage goal) throws IOException {
    Migration now = migration();
    if (goal == Stage.ROLLED_BACK && isWithoutSource()) {
      throw new MigrationException(
          "no way back to a generation that was dropped: table="
              + now.table()
              + " generation="
              + now.source()
              + "; finish the migration: --finish");
    }
    boolean turnsRound = goal == Stage.FINISHED && now.stage() == Stage.RETURNING;
    record.store((turnsRound ? now.enter(Stage.SWITCHED) : now).withGoal(goal));
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
        "rows of before the switch are used again: table={} generation={} reason={} was dropped"
            + " past Evenkey",
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
          "next generation was dropped: table="
              + now.table()
              + " generation="
              + now.target()
              + " stage="
              + now.stage()
              + "; take the migration back with --rollback, or begin it again");
    }
  }

  /**
   * Sets what the stage says for both generations: what the run before still sends is refused from
   * then on. What it has set itself since the stage was stored does not count. The generation that
   * clients write, or are to write again, comes second: the other one is not read any more then.
   */
  @Override
  public void claim() throws IOException {
    Stage stage = migration().stage();
    if (stage.isOver()) {
      return;
    }
    switch (stage) {
      case PREPARING -> {
        closeTarget();
        claim(migration().source(), GuardMode.OPEN);
      }
      case COPYING, VERIFYING, READY, FENCING -> {
        closeTarget();
        claim(migration().source(), GuardMode.TRACKED);
      }
      case CLOSING -> {
        // Clients write neither. Some regions of the source may be closed already: reads go on
        // there.
        claim(migration().source(), GuardMode.READ_ONLY);
        closeTarget();
      }
      case SWITCHING, SWITCHED, RETURNING -> {
        if (isThere(migration().source())) {
          claim(migration().source(), GuardMode.CLOSED);
        }
        if (isThere(migration().target())) {
          claim(migration().target(), GuardMode.TRACKED);
        }
      }
      case ABANDONING -> {
        closeTarget();
        claim(migration().source(), GuardMode.OPEN);
      }
      default -> throw new IllegalStateException("stage is over: " + stage);
    }
  }

  // It is not there while a table is renamed, or after a rollback has dropped it. An open one that
  // has the table's own name was created by an application since then.
  private void closeTarget() throws IOException {
    if (generations.exists(migration().target())
        && (!isRenaming() || guard.state(migration().target()).mode() != GuardMode.OPEN)) {
      claim(migration().target(), GuardMode.CLOSED);
    }
  }

  // A later pass: what has a mark of an earlier one, or of one that the run before had begun, is
  // still to be compared.
  private GuardControl.Acknowledged claim(TableName generation, GuardMode mode) throws IOException {
    return guard.claim(generation, record.turn(), mode, other(generation));
  }

  @Override
  public boolean step() throws IOException {
    boolean back = migration().goal() == Stage.ROLLED_BACK;
    if (!migration().stage().isOver()) {
      if (!back) {
        checkTarget();
      } else if (migration().stage().usesTarget() && !isThere(migration().target())) {
        giveUpTarget();
        return true;
      }
    }
    switch (migration().stage()) {
      case PREPARING -> {
        if (back) {
          record.store(migration().abandon());
        } else {
          track(migration().source(), Stage.COPYING);
        }
      }
      case COPYING -> {
        if (!back) {
          copy();
        }
        record.store(migration().enter(back ? Stage.ABANDONING : Stage.VERIFYING));
      }
      case VERIFYING -> {
        if (!back) {
          // A clone has what was written before it was made.
          if (!isRenaming()) {
            passes.all(source(), target());
          }
          expectedPause = passes.catchUp(source(), target());
        }
        record.store(migration().enter(back ? Stage.ABANDONING : Stage.READY));
      }
      case READY -> {
        if (migration().goal() == Stage.READY) {
          return false;
        } else if (!back) {
          // Rights that were granted since the copy began. Quotas would have slowed it down.
          generations.copyRights(migration());
          generations.copyQuotas(migration());
          generations.addReplicas(migration());
          generations.flush(migration().source());
          expectedPause = passes.catchUp(source(), target());
        }
        record.store(migration().enter(back ? Stage.ABANDONING : Stage.FENCING));
      }
      case FENCING -> {
        if (!back) {
          pause.fence(source(), target(), expectedPause, Stage.READY);
        }
        record.store(migration().enter(back ? Stage.ABANDONING : Stage.CLOSING));
      }
      case CLOSING -> {
        if (!back) {
          pause.close(source(), target(), Stage.READY);
        }
        record.store(migration().enter(back ? Stage.ABANDONING : Stage.SWITCHING));
      }
      case SWITCHING -> {
        track(migration().target(), Stage.SWITCHED);
        pause.end();
      }
      case SWITCHED -> {
        if (migration().goal() == Stage.SWITCHED) {
          return false;
        }
        if (back) {
          generations.flush(migration().target());
          expectedPause = passes.catchUp(target(), source());
          record.store(migration().enter(Stage.RETURNING));
        } else {
          record.store(migration().nextTurn());
          if (isRenaming()) {
            generations.ownName(migration().target());
          }
          open(migration().target());
          record.store(migration().enter(Stage.FINISHED));
        }
      }
      case RETURNING -> {
        // What was granted, set or removed since the switch.
        generations.copyRightsBack(migration());
        generations.copyQuotasBack(migration());
        pause.fence(target(), source(), expectedPause, Stage.SWITCHED);
        pause.close(target(), source(), Stage.SWITCHED);
        record.store(migration().abandon());
      }
      case ABANDONING -> {
        record.store(migration().nextTurn());
        if (generations.exists(migration().target())) {
          guard.set(migration().target(), record.turn(), GuardMode.CLOSED, migration().source());
        }
        open(migration().source());
        pause.end();
        record.store(migration().enter(Stage.ROLLED_BACK));
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private GenerationSide source() throws IOException {
    return new GenerationSide(
        migration().source(), generations.layout(migration().source(), target().layout()));
  }

  private GenerationSide target() throws IOException {
    Layout layout = TableLayout.of(generations.descriptor(migration().target()));
    if (layout == null) {
      throw new MigrationException(
          "next generation without a layout: table=" + migration().target());
    }
    return new GenerationSide(migration().target(), layout, keys());
  }

  /** The change of the row key; null if it stays as it is. */
  private @Nullable KeyChange keys() {
    return migration().kind() instanceof Kind.AnotherKey key
        ? KeyChange.of(Layout.parse(key.before()), Layout.parse(key.after()), key.columns())
        : null;
  }

  private void open(TableName generation) throws IOException {
    guard.open(generation, record.turn());
  }

  /**
   * Opens a generation, and has every row marked that is written from now on. A run that was killed
   * may have done it before: its marks count.
   */
  private void track(TableName generation, Stage next) throws IOException {
    boolean before = guard.state(generation).mode() == GuardMode.TRACKED;
    GuardControl.Acknowledged all = claim(generation, GuardMode.TRACKED);
    if (next == Stage.COPYING) {
      // A region that opens in the pass before may not have been asked. From now on, each has a
      // record of its openings, and one without it was open without the guard.
      all = guard.set(generation, record.turn(), GuardControl::nextPass);
    }
    // Before the first time there are no marks, or those of an earlier migration.
    int through = before ? 0 : all.pass() - 1;
    if (!before) {
      passes.begin(all);
    }
    long since = before ? 0 : RepairPasses.since(all);
    record.store(migration().withWork(migration().work().compared(through, since)).enter(next));
  }

  private TableName other(TableName generation) {
    return generation.equals(migration().source()) ? migration().target() : migration().source();
  }

  private void copy() throws IOException {
    if (isRenaming()) {
      generations.cloneSource(migration(), guard.state(migration().source()));
      carryIndexes();
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
      guard.adopt(migration().target(), record.turn(), migration().table(), steps.after());
      carryIndexes();
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

  // The clone's descriptor has the indexes under the source's name, so they are not the clone's.
  private void carryIndexes() throws IOException {
    TableName target = migration().target();
    TableIndexes indexes = generations.indexes(migration().source());
    if (!indexes.isEmpty()) {
      guard.set(target, record.turn(), indexes);
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
      generations.dropSource(migration());
      generations.replaceMisreadLinks(migration());
      registry.layouts().forget(migration().source());
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
