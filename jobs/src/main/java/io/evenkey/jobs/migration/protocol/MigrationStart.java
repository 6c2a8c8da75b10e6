/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.protocol;

import io.evenkey.client.internal.catalog.DeclaredKeys;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.jobs.guard.GuardControl;
import io.evenkey.jobs.guard.GuardException;
import io.evenkey.jobs.migration.MigrationException;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationPlan;
import io.evenkey.jobs.migration.MigrationPlan.Rewriting;
import io.evenkey.jobs.migration.generation.Generations;
import io.evenkey.jobs.migration.generation.MigrationChecks;
import io.evenkey.jobs.migration.generation.NamedGenerations;
import io.evenkey.jobs.migration.row.KeyChange;
import io.evenkey.jobs.migration.row.RowRewriter;
import io.evenkey.jobs.migration.step.StepCheck;
import io.evenkey.jobs.split.TargetSplits;
import io.evenkey.layout.AppendedSteps;
import io.evenkey.layout.Layout;
import io.evenkey.layout.index.IndexColumn;
import io.evenkey.layout.split.SplitPlan;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.jspecify.annotations.Nullable;

/**
 * Begins migrations: refuses those that would lose something, and makes the next generation. As
 * thread-safe as the connection.
 */
final class MigrationStart {
  private final Connection plain;
  private final Registry registry;
  private final Generations generations;
  private final MigrationChecks checks;
  private final GuardControl guard;

  MigrationStart(Connection plain, Registry registry, GuardControl guard) {
    this.plain = plain;
    this.registry = registry;
    this.generations = new Generations(plain);
    this.checks = new MigrationChecks(plain);
    this.guard = guard;
  }

  /**
   * To another layout. The next generation is there then, empty and closed to clients.
   *
   * @param last the last migration of the table, which is over; null if there was none
   */
  Migration of(MigrationPlan plan, @Nullable Migration last, MigrationListener listener)
      throws IOException {
    TableName table = plan.table();
    Layout layout = plan.layout();
    TableName source = last == null ? table : last.generation();
    Layout from = generations.layout(source, layout);
    List<IndexColumn> columns = plan.keyColumns();
    boolean sameKey = DeclaredKeys.keyOf(from).equals(DeclaredKeys.keyOf(layout));
    // Columns for the fields of a key that stays are a mistake, which the change refuses.
    if (columns != null && !(sameKey && columns.isEmpty())) {
      return ofKeyChange(plan, source, columns, last, listener);
    }
    AppendedSteps steps =
        plan.rewriting() == Rewriting.ALL ? null : AppendedSteps.of(from, layout).orElse(null);
    if (steps == null && plan.rewriting() == Rewriting.FROM_STEP) {
      throw new MigrationException(
          "only a step of the salt can leave the rows before it: table="
              + table
              + " now="
              + from
              + "; give this line with a step more, or leave --rewrite-from out");
    }
    if (steps != null) {
      GuardException missing = guard.missing(source).orElse(null);
      if (missing == null) {
        return ofStep(plan, source, steps, last, listener);
      } else if (!plan.acceptsPause()) {
        throw new MigrationException(
            missing.getMessage()
                + "; without it, clients with the layout before could write rows after the step:"
                + " or have all rows copied instead, see --accept-pause");
      }
    }
    checks.check(source, from, layout);
    Migration.Fence fence = fence(plan, source);
    if (plan.by() == Migration.By.SNAPSHOT || fence == Migration.Fence.NAMES) {
      checks.checkFiles(source);
    }
    return created(
        begun(plan, source, last, fence, null), plan, new RowRewriter(from, layout), listener);
  }

  /** A migration to other fields, or another order of them. */
  private Migration ofKeyChange(
      MigrationPlan plan,
      TableName source,
      List<IndexColumn> columns,
      @Nullable Migration last,
      MigrationListener listener)
      throws IOException {
    Layout from = checks.ownLayout(source);
    KeyChange keys = KeyChange.of(from, plan.layout(), columns);
    guard.checkKeyChanges(source);
    checks.checkKeyChange(source, keys.takesColumns());
    if (plan.by() == Migration.By.SNAPSHOT) {
      checks.checkFiles(source);
    }
    Migration migration =
        begun(plan, source, last, Migration.Fence.GUARD, null)
            .changing(
                new Migration.KeyChange(from.toString(), keys.layout().toString(), keys.columns()));
    return created(migration, plan, RowRewriter.changing(from, keys), listener);
  }

  /** The same, with the next generation made. */
  private Migration created(
      Migration migration, MigrationPlan plan, RowRewriter rewriter, MigrationListener listener)
      throws IOException {
    TableName source = migration.source();
    SplitPlan splits =
        new TargetSplits(plain, source, rewriter.sampled()).cut(plan.regions(), listener::progress);
    int regions = splits.keys().size() + 1;
    boolean keys = migration.takesKeyFromColumns();
    checks.checkNamespace(source, keys ? 2 : 1, keys ? regions + checks.regions(source) : regions);
    generations.create(migration, rewriter.to(), splits);
    generations.record(registry, migration.target());
    return migration;
  }

  /** A step of the salt: nothing is copied, unless rows in its way are to be rewritten. */
  private Migration ofStep(
      MigrationPlan plan,
      TableName source,
      AppendedSteps steps,
      @Nullable Migration last,
      MigrationListener listener)
      throws IOException {
    StepCheck check = new StepCheck(plain, source, steps, listener);
    boolean rewrites = plan.rewriting() == Rewriting.FROM_STEP;
    if (rewrites && check.obstacle(Instant.now()).isPresent()) {
      return ofRewriting(plan, source, steps, last);
    }
    checks.checkStep(source);
    guard.checkSteps(source);
    if (!rewrites) {
      check.beforeStart(Instant.now());
    }
    return Migration.ofStep(plan.table(), source, lines(steps), turn(last, source), now());
  }

  /** A step of the salt at which rows are stored already: these are moved, in a clone. */
  private Migration ofRewriting(
      MigrationPlan plan, TableName source, AppendedSteps steps, @Nullable Migration last)
      throws IOException {
    checks.check(source, steps.before(), steps.after());
    checks.checkRewriting(source);
    checks.checkNoReplicas(source);
    MigrationChecks.checkClone(source, "have all rows copied: --copy");
    checks.checkNamespace(source, 1, checks.regions(source));
    if (plan.by() == Migration.By.SNAPSHOT) {
      checks.checkFiles(source);
    }
    return begun(plan, source, last, Migration.Fence.GUARD, lines(steps));
  }

  private static Migration.Step lines(AppendedSteps steps) {
    return new Migration.Step(steps.before().toString(), steps.after().toString());
  }

  /** A migration of rows to the next generation. */
  private Migration begun(
      MigrationPlan plan,
      TableName source,
      @Nullable Migration last,
      Migration.Fence fence,
      Migration.@Nullable Step step)
      throws IOException {
    Migration migration =
        new Migration(
            plan.table(),
            source,
            Migration.next(plan.table(), source),
            Stage.PREPARING,
            plan.goal(),
            turn(last, source),
            fence,
            Migration.Work.of(plan.by(), generations.rounds(source)),
            plan.pace(),
            now(),
            step,
            null);
    boolean named =
        fence == Migration.Fence.NAMES || last != null && last.fence() == Migration.Fence.NAMES;
    return named ? migration.into(migration.ownNameOfTurn()) : migration;
  }

  /**
   * The fence that will keep clients from the source.
   *
   * @throws MigrationException if that takes a pause that the plan does not accept
   */
  private Migration.Fence fence(MigrationPlan plan, TableName source) throws IOException {
    GuardException missing = guard.missing(source).orElse(null);
    if (missing == null) {
      return Migration.Fence.GUARD;
    }
    if (plan.acceptsPause()) {
      checks.checkOwnTombstones(source);
      checks.checkNoIndexes(source);
      checks.checkNoQuotas(source);
      checks.checkNoReplicas(source);
      MigrationChecks.checkClone(source, "install the guard on all region servers");
      return Migration.Fence.NAMES;
    }
    long seconds = new NamedGenerations(plain).expectedPause(source).toSeconds() + 1;
    throw new MigrationException(
        missing.getMessage()
            + "; or migrate without it: reads and writes then pause once for about "
            + seconds
            + " s, each region opens again once before, and the table keeps the name of its next"
            + " generation: --accept-pause");
  }

  /**
   * To the table's own name.
   *
   * @param last the last migration of the table; null if there was none
   * @throws MigrationException if the generation in use has the name already, or clients can use a
   *     table of the name
   */
  Migration ofRenaming(TableName table, @Nullable Migration last) throws IOException {
    if (last == null || last.stage() != Stage.FINISHED || last.generation().equals(table)) {
      throw new MigrationException(
          "no generation to rename: table="
              + table
              + " reason="
              + (last == null || last.stage() == Stage.FINISHED
                  ? "the table has its own name"
                  : "its last migration was rolled back")
              + "; a renaming follows a migration that is finished");
    }
    TableName source = last.generation();
    checks.checkKind(source);
    guard.checkInstalled(source);
    generations.checkLeft(table);
    // The earlier generation of the name is dropped before.
    int before = checks.regions(table);
    checks.checkNamespace(source, before == 0 ? 1 : 0, checks.regions(source) - before);
    return new Migration(
        table,
        source,
        table,
        Stage.PREPARING,
        Stage.FINISHED,
        turn(last, source),
        Migration.Fence.GUARD,
        Migration.Work.of(Migration.By.SNAPSHOT, List.of("")),
        Migration.Pace.FREE,
        now());
  }

  private int turn(@Nullable Migration last, TableName source) throws IOException {
    long before = Math.max(last == null ? 0 : last.turn(), guard.state(source).turn());
    return Math.toIntExact(before + 1);
  }

  private static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS);
  }
}
