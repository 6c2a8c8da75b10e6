/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.protocol;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.LayoutRecord;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.jobs.migration.Act;
import io.evenkey.jobs.migration.MigrationException;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationRecord;
import io.evenkey.jobs.migration.MigrationSettings;
import io.evenkey.jobs.migration.Transition;
import io.evenkey.jobs.migration.Transitions;
import io.evenkey.jobs.migration.comparison.FilePasses;
import io.evenkey.jobs.migration.comparison.GenerationComparison;
import io.evenkey.jobs.migration.copy.CopyDirectories;
import io.evenkey.jobs.migration.copy.CopyRounds;
import io.evenkey.jobs.migration.generation.Generations;
import io.evenkey.jobs.migration.generation.NamedGenerations;
import io.evenkey.jobs.migration.row.GenerationSide;
import io.evenkey.jobs.migration.row.RowRepairs;
import io.evenkey.jobs.migration.row.RowRewriter;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/**
 * A migration of a table whose region servers have no guard. What keeps clients from a generation
 * that is left is that no table has its name any more.
 *
 * <p>Every step goes one way only: a generation is disabled, kept as a snapshot, and goes on as a
 * clone under a name that no table has had; none is enabled again. So what an earlier run or a
 * client does late finds no table, and what two runs do at once is the same. What a run still sends
 * to the next generation is kept out likewise: each run gives that another name, and compares all
 * rows once.
 *
 * <p>Reads and writes pause while clients change generations. If anything fails in that pause, the
 * generation goes on as its own clone. The way back after the switch is a migration from the next
 * generation to a clone of the one before, of the rows that changed since a snapshot from before
 * the switch. Not thread-safe.
 */
final class NameProtocol implements Protocol {
  private final Connection plain;
  private final Registry registry;
  private final MigrationRecord record;
  private final MigrationSettings settings;
  private final MigrationListener listener;
  private final Generations generations;
  private final NamedGenerations names;
  private final GenerationComparison comparison;
  private final FilePasses passes;

  /** The duration of the last pass. */
  private Duration lastPass = Duration.ZERO;

  private NameProtocol(
      Connection plain,
      Registry registry,
      MigrationRecord record,
      MigrationSettings settings,
      MigrationListener listener,
      GenerationComparison comparison) {
    this.plain = plain;
    this.registry = registry;
    this.record = record;
    this.settings = settings;
    this.listener = listener;
    this.generations = new Generations(plain);
    this.names = new NamedGenerations(plain);
    this.comparison = comparison;
    Configuration configuration = plain.getConfiguration();
    this.passes = new FilePasses(record, names, comparison, listener, configuration);
  }

  /** Opens the connections that it takes. */
  static NameProtocol open(
      Connection plain,
      Registry registry,
      MigrationRecord record,
      MigrationSettings settings,
      MigrationListener listener)
      throws IOException {
    GenerationComparison comparison =
        GenerationComparison.open(plain, settings, RowRepairs.Sending.ONCE);
    return new NameProtocol(plain, registry, record, settings, listener, comparison);
  }

  private Migration migration() {
    return record.migration();
  }

  @Override
  public void claim() throws IOException {
    if (!migration().stage().isOver()) {
      run(Transitions.of(migration()).taking());
    }
  }

  @Override
  public void aimFor(Stage goal) throws IOException {
    Migration now = migration();
    if (goal != Stage.ROLLED_BACK) {
      record.store(now.aimFor(goal));
    } else if (now.stage() == Stage.SWITCHED) {
      record.store(now.goBack());
    } else if (!now.isGoingBack()) {
      record.store(now.aimFor(goal).abandon());
    }
  }

  @Override
  public boolean advance() throws IOException {
    Stage stage = migration().stage();
    if (stage.isOver()) {
      return false;
    }
    Transition line = Transitions.of(migration());
    if (line.waits() && migration().goal() == stage) {
      return false;
    }
    try {
      run(line.acts());
    } catch (IOException | RuntimeException e) {
      if (line.afterFailure() != null && migration().stage() == stage) {
        retreat(e);
      }
      throw e;
    }
    // Clients have changed generations when this is recorded with the names, which was done.
    if (migration().stage() == stage) {
      record.store(migration().enter(Objects.requireNonNull(line.next())));
    }
    return true;
  }

  private void run(List<Act> acts) throws IOException {
    for (Act act : acts) {
      switch ((Act.Work) act) {
        case KEEP_TOMBSTONES -> names.keepTombstones(migration(), migration().source());
        case COPY_ROWS ->
            new CopyRounds(plain, registry, record, settings.work(), listener)
                .run(new RowRewriter(source().layout(), target().layout()));
        case RENAME_TARGET -> renameTarget();
        case COMPARE_FILES -> compare();
        case COPY_RIGHTS -> generations.copyRights(migration());
        case TAKE_SNAPSHOT -> names.snapshotBeforeSwitch(migration());
        case TAKE_TURN -> record.store(migration().nextTurn());
        case CHANGE_NAMES -> changeNames();
        case CONTINUE_AS_CLONE -> continueAsClone();
        default -> throw new IllegalStateException("not done by names: " + act);
      }
    }
  }

  private void compare() throws IOException {
    String before = NamedGenerations.beforeSwitch(migration());
    if (!passes.isBegun() && migration().isGoingBack() && names.hasSnapshot(before)) {
      // The last pass of the way there has made both alike.
      passes.since(before);
    } else if (!passes.isBegun()) {
      passes.all(source(), target());
    }
    lastPass = passes.catchUp(source(), target());
  }

  /** Has clients change to the next generation, and records that together with the names. */
  private void changeNames() throws IOException {
    GenerationSide left = source();
    GenerationSide next = target();
    listener.pausing(names.expectedPause(left.table()).plus(lastPass));
    long begunNanos = System.nanoTime();
    names.leave(migration(), left.table());
    TableName frozen = migration().ownNameOfTurn();
    names.goOn(migration(), left.table(), frozen);
    record(frozen, left.layout().toString());
    passes.last(
        NamedGenerations.left(migration(), left.table()),
        new GenerationSide(frozen, left.layout()),
        next);
    record.store(migration().switchReads(frozen));
    listener.paused(Duration.ofNanos(System.nanoTime() - begunNanos));
    names.dropLeft(left.table());
    registry.layouts().forget(left.table());
    names.close(
        migration().stage() == Stage.SWITCHED ? migration().source() : migration().target());
  }

  private void record(TableName generation, String layout) throws IOException {
    registry.layouts().record(generation, layout, "", generations.isKeyChanged(generation));
  }

  // Clients must not wait until an operator has found out what is wrong.
  private void retreat(Exception why) {
    try {
      record.store(migration().nextTurn());
      continueAsClone();
    } catch (IOException | RuntimeException e) {
      why.addSuppressed(e);
    }
  }

  /** The generation that was to be left goes on as its own clone. */
  private void continueAsClone() throws IOException {
    TableName left = migration().source();
    TableName clone = migration().ownNameOfTurn();
    String layout = registry.layouts().get(left).map(LayoutRecord::layout).orElse(null);
    names.leave(migration(), left);
    names.goOn(migration(), left, clone);
    if (layout != null) {
      record(clone, layout);
    }
    record.store(migration().renameSource(clone).enter(Stage.VERIFYING));
    names.dropLeft(left);
    registry.layouts().forget(left);
  }

  /** Gives the next generation another name: what an earlier run sends to it is refused. */
  private void renameTarget() throws IOException {
    record.store(migration().nextTurn());
    TableName before = migration().target();
    TableName next = migration().ownNameOfTurn();
    names.leave(migration(), before);
    names.goOn(migration(), before, next);
    Layout layout = TableLayout.of(generations.descriptor(next));
    if (layout != null) {
      record(next, layout.toString());
    }
    record.store(migration().renameTarget(next));
    names.dropLeft(before);
    registry.layouts().forget(before);
    names.dropSnapshot(NamedGenerations.left(migration(), before));
    new CopyDirectories(settings.work(), before).clear(plain.getConfiguration());
  }

  private GenerationSide source() throws IOException {
    return side(migration().source(), migration().target());
  }

  private GenerationSide target() throws IOException {
    return side(migration().target(), migration().source());
  }

  // One of the two may have no layout: then its rows are the keys.
  private GenerationSide side(TableName generation, TableName other) throws IOException {
    Layout own = TableLayout.of(generations.descriptor(generation));
    if (own != null) {
      return new GenerationSide(generation, own);
    }
    Layout layout = TableLayout.of(generations.descriptor(other));
    if (layout == null) {
      throw new MigrationException(
          "generations without a layout: tables=" + generation + "," + other);
    }
    return new GenerationSide(generation, Layout.parse(layout.key().unreversed().toString()));
  }

  @Override
  public void tidy() throws IOException {
    Migration migration = migration();
    if (migration.stage() == Stage.READY) {
      return;
    }
    if (migration.stage().isOver()) {
      names.releaseTombstones(migration.generation());
      generations.dropSnapshots(migration.table());
    }
    for (TableName table = names.superfluous(migration);
        table != null;
        table = names.superfluous(migration)) {
      names.drop(migration, table);
      registry.layouts().forget(table);
      new CopyDirectories(settings.work(), table).clear(plain.getConfiguration());
    }
    names.dropSnapshots(migration);
  }

  @Override
  public void close() throws IOException {
    comparison.close();
  }

  @Override
  public String toString() {
    return "by names " + migration();
  }
}
