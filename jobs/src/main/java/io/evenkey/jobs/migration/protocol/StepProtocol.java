/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.protocol;

import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.jobs.guard.GuardControl;
import io.evenkey.jobs.migration.MigrationException;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationRecord;
import io.evenkey.jobs.migration.generation.Generations;
import io.evenkey.jobs.migration.step.StepCheck;
import io.evenkey.jobs.migration.step.StepRegions;
import io.evenkey.layout.AppendedSteps;
import io.evenkey.layout.Layout;
import io.evenkey.layout.guard.GuardMode;
import java.io.IOException;
import java.time.Instant;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.jspecify.annotations.Nullable;

/**
 * A step of a table's salt: the table gets the layout with the step, and no row is rewritten.
 *
 * <p>Rows before the step are stored alike under both layouts; rows at or after it are held, that
 * is, the guard refuses to write them, from before the data is searched for them until only the new
 * layout is accepted. In between the table goes through states of which any two that are next to
 * each other may hold in different regions:
 *
 * <pre>
 * stage                the table's layout   accepted   rows at or after the step
 * preparing            before               before     written
 * verifying            before               before     held; searched for
 * closing              before               both       held
 *                      after                both       held
 *                      after                after      held
 * switching, finished  after                after      written
 * </pre>
 *
 * Not thread-safe.
 */
final class StepProtocol implements Protocol {
  private final Connection plain;
  private final Registry registry;
  private final MigrationRecord record;
  private final MigrationListener listener;
  private final GuardControl guard;
  private final AppendedSteps steps;

  private StepProtocol(
      Connection plain,
      Registry registry,
      MigrationRecord record,
      MigrationListener listener,
      GuardControl guard,
      AppendedSteps steps) {
    this.plain = plain;
    this.registry = registry;
    this.record = record;
    this.listener = listener;
    this.guard = guard;
    this.steps = steps;
  }

  /** Opens the connection that it takes. */
  static StepProtocol open(
      Connection plain,
      Registry registry,
      MigrationRecord record,
      Kind.StepInPlace kind,
      MigrationListener listener)
      throws IOException {
    AppendedSteps steps = AppendedSteps.parse(kind.before(), kind.after());
    return new StepProtocol(plain, registry, record, listener, GuardControl.open(plain), steps);
  }

  private Migration migration() {
    return record.migration();
  }

  private boolean isBack() {
    return migration().goal() == Stage.ROLLED_BACK;
  }

  @Override
  public void to(Stage goal) throws IOException {
    record.store(migration().withGoal(goal == Stage.ROLLED_BACK ? goal : Stage.FINISHED));
  }

  /** Sets a state of the stage again: what the run before still sends is refused from then on. */
  @Override
  public void claim() throws IOException {
    switch (migration().stage()) {
      case PREPARING, ABANDONING -> set(GuardMode.OPEN, steps.before(), null);
      case VERIFYING -> hold();
      case CLOSING -> set(GuardMode.SHARED, steps.before(), steps.after());
      case SWITCHING -> set(GuardMode.OPEN, steps.after(), null);
      default -> {
        // It is over.
      }
    }
  }

  @Override
  public boolean step() throws IOException {
    switch (migration().stage()) {
      case PREPARING -> {
        if (!isBack()) {
          int made = new StepRegions(plain, table(), steps).make();
          record.store(migration().withWork(migration().work().copied(made, 0)));
        }
        record.store(migration().enter(isBack() ? Stage.ABANDONING : Stage.VERIFYING));
      }
      case VERIFYING -> {
        if (isBack()) {
          record.store(migration().abandon());
        } else {
          hold();
          check();
          record.store(migration().enter(Stage.CLOSING));
        }
      }
      case CLOSING -> {
        set(GuardMode.SHARED, steps.before(), steps.after());
        if (isBack()) {
          hold();
          record.store(migration().abandon());
        } else {
          set(GuardMode.SHARED, steps.after(), steps.before());
          set(GuardMode.HELD, steps.after(), steps.before());
          record.store(migration().enter(Stage.SWITCHING));
        }
      }
      case SWITCHING -> {
        set(GuardMode.OPEN, steps.after(), null);
        new Generations(plain).record(registry, table());
        record.store(migration().enter(Stage.FINISHED));
      }
      case ABANDONING -> {
        set(GuardMode.OPEN, steps.before(), null);
        record.store(migration().enter(Stage.ROLLED_BACK));
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private void hold() throws IOException {
    set(GuardMode.HELD, steps.before(), steps.after());
  }

  /** All regions hold rows at or after the step: none can be written while they are looked for. */
  private void check() throws IOException {
    MigrationException beyond =
        new StepCheck(plain, table(), steps, listener).beyond(Instant.now()).orElse(null);
    if (beyond != null) {
      record.store(migration().withGoal(Stage.ROLLED_BACK).abandon());
      step();
      throw beyond;
    }
  }

  private TableName table() {
    return migration().source();
  }

  private void set(GuardMode mode, Layout own, @Nullable Layout other) throws IOException {
    guard.set(table(), record.turn(), mode, own, other);
    listener.progress(0, 0);
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
