/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.protocol;

import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.jobs.guard.GuardControl;
import io.evenkey.jobs.guard.GuardControl.Acknowledged;
import io.evenkey.jobs.guard.GuardControl.Opening;
import io.evenkey.jobs.guard.StateChange;
import io.evenkey.jobs.migration.Act;
import io.evenkey.jobs.migration.MigrationException;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationRecord;
import io.evenkey.jobs.migration.Transition;
import io.evenkey.jobs.migration.Transitions;
import io.evenkey.jobs.migration.cluster.Coordination;
import io.evenkey.jobs.migration.cluster.NotArrivedException;
import io.evenkey.jobs.migration.generation.Generations;
import io.evenkey.jobs.migration.step.StepCheck;
import io.evenkey.jobs.migration.step.StepRegions;
import io.evenkey.layout.Layout;
import io.evenkey.layout.step.AppendedSteps;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A step of a table's salt: the table gets the layout with the step, and no row is rewritten.
 *
 * <p>Rows before the step are stored alike under both layouts; rows at or after it are held, that
 * is, the guard refuses to write them, from before the data is searched for them until only the new
 * layout is accepted. In between the table goes through the states that {@link Transitions} lists,
 * of which any two that are next to each other may hold in different regions. Not thread-safe.
 */
final class StepProtocol implements Protocol {
  private static final Logger LOG = LoggerFactory.getLogger(StepProtocol.class);

  private final Connection plain;
  private final Registry registry;
  private final MigrationRecord record;
  private final MigrationListener listener;
  private final GuardControl guard;
  private final AppendedSteps steps;
  private final PeerMigrations peers;
  private final Coordination clusters;

  private StepProtocol(
      Connection plain,
      Registry registry,
      MigrationRecord record,
      MigrationListener listener,
      GuardControl guard,
      AppendedSteps steps,
      PeerMigrations peers) {
    this.plain = plain;
    this.registry = registry;
    this.record = record;
    this.listener = listener;
    this.guard = guard;
    this.steps = steps;
    this.peers = peers;
    this.clusters = Coordination.of(plain, record, guard, listener);
  }

  /** Opens the connection that it takes. */
  static StepProtocol open(
      Connection plain,
      Registry registry,
      MigrationRecord record,
      Kind.StepInPlace kind,
      PeerMigrations peers,
      MigrationListener listener)
      throws IOException {
    AppendedSteps steps = AppendedSteps.parse(kind.before(), kind.after());
    return new StepProtocol(
        plain, registry, record, listener, GuardControl.open(plain), steps, peers);
  }

  private Migration migration() {
    return record.migration();
  }

  @Override
  public void aimFor(Stage goal) throws IOException {
    record.store(migration().aimFor(goal == Stage.ROLLED_BACK ? goal : Stage.FINISHED));
  }

  /** Sets a state of the stage again: what the run before still sends is refused from then on. */
  @Override
  public void claim() throws IOException {
    if (!migration().stage().isOver()) {
      Transition line = Transitions.of(migration());
      run(line, line.taking());
    }
  }

  @Override
  public boolean advance() throws IOException {
    if (migration().stage().isOver()) {
      return false;
    }
    Transition line = Transitions.of(migration());
    run(line, line.acts());
    record.store(migration().enter(Objects.requireNonNull(line.next())));
    return true;
  }

  private void run(Transition line, List<Act> acts) throws IOException {
    for (Act act : acts) {
      if (act instanceof Act.ChangeStep change) {
        apply(change);
      } else {
        work(line, (Act.Work) act);
      }
    }
  }

  private void work(Transition line, Act.Work work) throws IOException {
    switch (work) {
      case MAKE_REGIONS -> {
        int made = new StepRegions(plain, table(), steps).make();
        record.store(migration().withWork(migration().work().copied(made, 0)));
      }
      case CHECK_CLUSTERS -> clusters.check(line);
      case TAKE_ON_PEERS -> peers.takeStep();
      case FIND_ROWS -> findRows();
      case FIND_MISPLACED -> findMisplaced();
      case RECORD_LAYOUT -> new Generations(plain).record(registry, table());
      default -> throw new IllegalStateException("not done for a step: " + work);
    }
  }

  /** All regions hold rows at or after the step: none can be written while they are looked for. */
  private void findRows() throws IOException {
    if (migration().clusters().follows()) {
      String late = check().first().orElse(null);
      if (late != null) {
        throw goBack(NotArrivedException.ofStep(table(), late));
      }
      return;
    }
    MigrationException beyond = check().beyond(Instant.now()).orElse(null);
    if (beyond != null) {
      throw goBack(beyond);
    }
  }

  /**
   * A server without the guard holds no rows. All regions answer again after the search for rows,
   * which shows that none has opened during it.
   */
  private void findMisplaced() throws IOException {
    boolean isBack = migration().goal() == Stage.ROLLED_BACK;
    Set<Opening> searched = Set.of();
    Acknowledged now = guard.ask(table(), 0);
    while (now.guarded().pass() > now.pass() && !now.openings().equals(searched)) {
      LOG.warn(
          "rows at or after the step are looked for again: a region of {} was open without the"
              + " guard while they were held, or two were merged",
          table());
      searched = now.openings();
      MigrationException misplaced =
          check().misplaced(isBack ? steps.before() : steps.after(), Instant.now()).orElse(null);
      if (misplaced != null) {
        throw isBack ? misplaced : goBack(misplaced);
      }
      now = guard.ask(table(), 0);
    }
  }

  private StepCheck check() {
    return new StepCheck(plain, table(), steps, listener);
  }

  private <E extends IOException> E goBack(E why) throws IOException {
    record.store(migration().aimFor(Stage.ROLLED_BACK));
    try {
      while (advance()) {
        // The next stage.
      }
    } catch (MigrationException e) {
      e.addSuppressed(why);
      throw e;
    }
    return why;
  }

  private void apply(Act.ChangeStep change) throws IOException {
    Layout own = change.layouts().isAfter() ? steps.after() : steps.before();
    Layout other =
        switch (change.layouts()) {
          case BEFORE, AFTER -> null;
          case BEFORE_AND_AFTER -> steps.after();
          case AFTER_AND_BEFORE -> steps.before();
        };
    guard.apply(table(), record.turn(), StateChange.step(change.mode(), own, other));
    listener.progress(0, 0);
  }

  private TableName table() {
    return migration().source();
  }

  @Override
  public void tidy() {
    // Regions that were made stay, empty.
  }

  @Override
  public void close() throws IOException {
    guard.close();
  }

  @Override
  public String toString() {
    return "step of " + migration();
  }
}
