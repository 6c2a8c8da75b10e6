/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.protocol;

import io.evenkey.client.internal.catalog.DeclaredKeys;
import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.guard.Capability;
import io.evenkey.jobs.guard.GuardControl;
import io.evenkey.jobs.guard.GuardException;
import io.evenkey.jobs.migration.MigrationException;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationPlan;
import io.evenkey.jobs.migration.MigrationPlan.Rewriting;
import io.evenkey.jobs.migration.MigrationPreview;
import io.evenkey.jobs.migration.MigrationPreview.Way;
import io.evenkey.jobs.migration.cluster.NotArrivedException;
import io.evenkey.jobs.migration.cluster.OtherCluster;
import io.evenkey.jobs.migration.cluster.ReplicatedTable;
import io.evenkey.jobs.migration.generation.Generations;
import io.evenkey.jobs.migration.generation.MigrationChecks;
import io.evenkey.jobs.migration.generation.NamedGenerations;
import io.evenkey.jobs.migration.row.KeyChange;
import io.evenkey.jobs.migration.row.RowRewriter;
import io.evenkey.jobs.migration.step.StepCheck;
import io.evenkey.jobs.split.TargetSplits;
import io.evenkey.layout.Layout;
import io.evenkey.layout.split.SplitPlan;
import io.evenkey.layout.step.AppendedSteps;
import io.evenkey.protocol.index.IndexColumn;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.jspecify.annotations.Nullable;

/**
 * Begins migrations: refuses those that would lose something, and makes the next generation; or
 * says what it would do. Not thread-safe.
 */
final class MigrationStart {
  private final Connection plain;
  private final Registry registry;
  private final Generations generations;
  private final MigrationChecks checks;
  private final GuardControl guard;

  /** The other clusters of the table; of a peer's, its source. */
  private Migration.Clusters clusters;

  /** A peer drops what is replicated by turns up to this one, of a source that is gone. */
  private long arrived;

  /** Requirements that are not met; null if the first one is to be thrown. */
  private @Nullable List<String> obstacles;

  /**
   * Prepares a migration.
   *
   * @param followed on a replication peer, the source's cluster
   */
  MigrationStart(
      Connection plain, Registry registry, GuardControl guard, Migration.Clusters followed) {
    this.clusters = followed;
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
    Decision decision = decide(plan, last, listener);
    return switch (decision.way()) {
      case STEP ->
          Migration.begin(
                  plan.table(),
                  new Kind.StepInPlace(decision.lineBefore(), decision.lineAfter()),
                  decision.source(),
                  decision.source(),
                  turn(last, decision.source()),
                  now())
              .withClusters(clusters(turn(last, decision.source())))
              .aimFor(Stage.FINISHED);
      case CLONE ->
          begun(
              plan,
              new Kind.StepWithRewriting(decision.lineBefore(), decision.lineAfter()),
              decision.source(),
              last,
              Migration.Fence.GUARD);
      case COPY -> created(plan, decision, last, listener);
    };
  }

  /**
   * What {@link #of} would do. Requirements that are not met are in the answer, and not thrown.
   *
   * @param last the last migration of the table, which is over; null if there was none
   */
  MigrationPreview preview(MigrationPlan plan, @Nullable Migration last, MigrationListener listener)
      throws IOException {
    obstacles = new ArrayList<>();
    Decision decision = decide(plan, last, listener);
    return new Previews(plain, registry, generations).of(plan, decision, obstacles);
  }

  /**
   * How a migration is done.
   *
   * @param way the rows that are written
   * @param source the generation in use
   * @param from its layout
   * @param steps that the layout has more; null if it differs otherwise, or all rows are copied
   * @param keys the change of the row key; null if it stays
   * @param fence the mechanism that keeps clients from the source
   */
  record Decision(
      MigrationPreview.Way way,
      TableName source,
      Layout from,
      @Nullable AppendedSteps steps,
      @Nullable KeyChange keys,
      Migration.Fence fence) {
    private String lineBefore() {
      return Objects.requireNonNull(steps).before().toString();
    }

    private String lineAfter() {
      return Objects.requireNonNull(steps).after().toString();
    }

    RowRewriter rewriter(Layout to) {
      return keys == null ? new RowRewriter(from, to) : RowRewriter.changing(from, keys);
    }
  }

  /** A requirement of a migration; throws what says that it is not met. */
  @FunctionalInterface
  private interface Requirement {
    void check() throws IOException;
  }

  private void require(Requirement requirement) throws IOException {
    try {
      requirement.check();
    } catch (MigrationException | GuardException | NotArrivedException e) {
      if (obstacles == null) {
        throw e;
      }
      obstacles.add(String.valueOf(e.getMessage()));
    }
  }

  private Decision decide(MigrationPlan plan, @Nullable Migration last, MigrationListener listener)
      throws IOException {
    TableName table = plan.table();
    Layout layout = plan.layout();
    TableName source = last == null ? table : last.generation();
    Layout from = generations.layout(source, layout);
    List<IndexColumn> columns = plan.keyColumns();
    boolean sameKey = DeclaredKeys.keyOf(from).equals(DeclaredKeys.keyOf(layout));
    // Columns for the fields of a key that stays are a mistake, which the change refuses.
    if (columns != null && !(sameKey && columns.isEmpty())) {
      return ofKeyChange(plan, source, columns);
    }
    AppendedSteps steps =
        plan.rewriting() == Rewriting.ALL ? null : AppendedSteps.of(from, layout).orElse(null);
    if (steps == null && plan.rewriting() == Rewriting.FROM_STEP) {
      throw new MigrationException(
          table,
          "only a layout that appends a step can leave earlier rows as they are",
          "now=" + from,
          "give this line with one more step, or have all rows copied");
    }
    if (steps != null) {
      GuardException missing = guard.missing(source).orElse(null);
      if (missing == null) {
        return ofStep(plan, source, steps, listener);
      } else if (!plan.acceptsPause()) {
        require(
            () -> {
              throw new MigrationException(
                  missing.getMessage()
                      + "; without it, clients could write rows after the step under the old"
                      + " layout: or have all rows copied instead, and "
                      + Remedy.ACCEPT_PAUSE);
            });
        return new Decision(Way.STEP, source, from, steps, null, Migration.Fence.GUARD);
      }
    }
    require(() -> checks.check(source, from, layout));
    Migration.Fence fence = fence(plan, source);
    requireClusters(
        table, source, fence, (there, itsGuard) -> new MigrationChecks(there).checkKind(source));
    if (isByFiles(plan) || fence == Migration.Fence.NAMES) {
      require(() -> checks.checkFiles(source));
    }
    return new Decision(Way.COPY, source, from, null, null, fence);
  }

  private void requireClusters(
      TableName table, TableName source, Migration.Fence fence, ReplicatedTable.Requirement ofPeers)
      throws IOException {
    requireClusters(table, source, Migration.next(table, source), fence, ofPeers);
  }

  private void requireClusters(
      TableName table,
      TableName source,
      TableName next,
      Migration.Fence fence,
      ReplicatedTable.Requirement ofPeers)
      throws IOException {
    require(() -> checkClusters(table, source, next, fence, ofPeers));
  }

  private void checkClusters(
      TableName table,
      TableName source,
      TableName next,
      Migration.Fence fence,
      ReplicatedTable.Requirement ofPeers)
      throws IOException {
    if (clusters.follows()) {
      return;
    }
    checks.checkNoSink(source);
    ReplicatedTable replicated = ReplicatedTable.of(plain, source);
    if (replicated.names().isEmpty()) {
      return;
    }
    if (fence == Migration.Fence.NAMES) {
      checks.checkNotReplicated(source);
    }
    replicated.check(table, next, ofPeers);
    arrived = replicated.arrived();
    clusters = Migration.Clusters.of(replicated.names(), 0);
  }

  // With other clusters, the copy is by puts.
  private boolean isByFiles(MigrationPlan plan) {
    return plan.by() == Migration.By.SNAPSHOT && clusters.equals(Migration.Clusters.NONE);
  }

  /** A migration to other fields, or another order of them. */
  private Decision ofKeyChange(MigrationPlan plan, TableName source, List<IndexColumn> columns)
      throws IOException {
    Layout from = checks.ownLayout(source);
    KeyChange keys = KeyChange.of(from, plan.layout(), columns);
    require(() -> guard.check(source, Capability.KEY_CHANGES));
    require(() -> checks.checkKeyChange(source, keys.takesColumns()));
    requireClusters(
        plan.table(),
        source,
        Migration.Fence.GUARD,
        (there, itsGuard) -> {
          itsGuard.check(source, Capability.KEY_CHANGES);
          new MigrationChecks(there).checkKeyChange(source, keys.takesColumns());
        });
    if (isByFiles(plan)) {
      require(() -> checks.checkFiles(source));
    }
    return new Decision(Way.COPY, source, from, null, keys, Migration.Fence.GUARD);
  }

  /** A migration of all rows, with the next generation made. */
  private Migration created(
      MigrationPlan plan, Decision decision, @Nullable Migration last, MigrationListener listener)
      throws IOException {
    TableName source = decision.source();
    KeyChange keys = decision.keys();
    Kind kind =
        keys == null
            ? new Kind.AnotherSpread()
            : new Kind.AnotherKey(
                decision.from().toString(), keys.layout().toString(), keys.columns());
    Migration migration = begun(plan, kind, source, last, decision.fence());
    RowRewriter rewriter = decision.rewriter(plan.layout());
    SplitPlan splits =
        new TargetSplits(plain, source, rewriter.sampled()).cut(plan.regions(), listener::progress);
    int regions = splits.keys().size() + 1;
    boolean takesKeys = kind.takesKeyFromColumns();
    checks.checkNamespace(
        source, takesKeys ? 2 : 1, takesKeys ? regions + checks.regions(source) : regions);
    generations.create(
        migration,
        rewriter.to(),
        splits,
        generations.settings(source, decision.from(), plan, registry).descriptor());
    generations.record(registry, migration.target());
    return migration;
  }

  /** A step of the salt: nothing is copied, unless rows in its way are to be rewritten. */
  private Decision ofStep(
      MigrationPlan plan, TableName source, AppendedSteps steps, MigrationListener listener)
      throws IOException {
    if (plan.rewriting() == Rewriting.FROM_STEP && moves(source, steps, listener)) {
      requireClusters(
          plan.table(),
          source,
          Migration.Fence.GUARD,
          (there, itsGuard) -> {
            MigrationChecks ofPeer = new MigrationChecks(there);
            ofPeer.checkKind(source);
            checkRewriting(ofPeer, source);
          });
      require(() -> checks.check(source, steps.before(), steps.after()));
      require(() -> checkRewriting(checks, source));
      require(() -> checks.checkNamespace(source, 1, checks.regions(source)));
      if (isByFiles(plan)) {
        require(() -> checks.checkFiles(source));
      }
      return new Decision(Way.CLONE, source, steps.before(), steps, null, Migration.Fence.GUARD);
    }
    requireClusters(
        plan.table(),
        source,
        source,
        Migration.Fence.GUARD,
        (there, itsGuard) -> {
          itsGuard.check(source, Capability.STEPS);
          new MigrationChecks(there).checkStep(source);
          checkNoneLate(new StepCheck(there, source, steps, listener), source);
        });
    require(() -> checks.checkStep(source));
    require(() -> guard.check(source, Capability.STEPS));
    StepCheck check = new StepCheck(plain, source, steps, listener);
    if (clusters.follows()) {
      checkNoneLate(check, source);
    } else if (plan.rewriting() != Rewriting.FROM_STEP) {
      require(() -> check.beforeStart(Instant.now()));
    }
    return new Decision(Way.STEP, source, steps.before(), steps, null, Migration.Fence.GUARD);
  }

  /** Whether rows of a cluster have to move. A peer does as its source, which has found out. */
  private boolean moves(TableName source, AppendedSteps steps, MigrationListener listener)
      throws IOException {
    Instant now = Instant.now();
    if (clusters.follows()
        || new StepCheck(plain, source, steps, listener).obstacle(now).isPresent()) {
      return true;
    }
    for (Migration.Peer peer : ReplicatedTable.of(plain, source).names()) {
      try (OtherCluster there = OtherCluster.peer(plain, peer.id())) {
        // A table that is missing there is rejected later.
        if (new Generations(there.plain()).exists(source)
            && new StepCheck(there.plain(), source, steps, listener).obstacle(now).isPresent()) {
          return true;
        }
      }
    }
    return false;
  }

  private static void checkNoneLate(StepCheck check, TableName source) throws IOException {
    Optional<String> late = check.first();
    if (late.isPresent()) {
      throw NotArrivedException.ofStep(source, late.get());
    }
  }

  private static void checkRewriting(MigrationChecks cluster, TableName source) throws IOException {
    cluster.checkRewriting(source);
    cluster.checkNoReplicas(source);
    MigrationChecks.checkClone(source, Remedy.COPY_ALL.toString());
  }

  /** A migration of rows to the next generation. */
  private Migration begun(
      MigrationPlan plan,
      Kind kind,
      TableName source,
      @Nullable Migration last,
      Migration.Fence fence)
      throws IOException {
    Migration migration =
        Migration.begin(
                plan.table(),
                kind,
                source,
                Migration.next(plan.table(), source),
                turn(last, source),
                now())
            .aimFor(plan.goal())
            .withFence(fence)
            .withClusters(clusters(turn(last, source)))
            .withWork(Migration.Work.of(by(plan), generations.rounds(source)))
            .withPace(plan.pace());
    boolean named =
        fence == Migration.Fence.NAMES || last != null && last.fence() == Migration.Fence.NAMES;
    return named ? migration.renameTarget(migration.ownNameOfTurn()) : migration;
  }

  // HBase would replicate files that are loaded, where it is configured so.
  private Migration.By by(MigrationPlan plan) {
    return clusters.equals(Migration.Clusters.NONE) ? plan.by() : Migration.By.PUTS;
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
      require(() -> checks.checkOwnTombstones(source));
      require(() -> checks.checkNoIndexes(source));
      require(() -> checks.checkNoQuotas(source));
      require(() -> checks.checkNoReplicas(source));
      require(() -> MigrationChecks.checkClone(source, "install the guard on all region servers"));
      return Migration.Fence.NAMES;
    }
    long seconds = new NamedGenerations(plain).expectedPause(source).toSeconds() + 1;
    require(
        () -> {
          throw new MigrationException(
              missing.getMessage()
                  + "; or migrate without it: reads and writes then pause once for about "
                  + seconds
                  + " s, each region opens again once before, and the table keeps the name of its"
                  + " next generation: "
                  + Remedy.ACCEPT_PAUSE);
        });
    return Migration.Fence.GUARD;
  }

  /**
   * To the table's own name.
   *
   * @param last the last migration of the table; null if there was none
   * @throws MigrationException if the generation in use has the name already, or clients can use a
   *     table of the name
   */
  Migration ofRenaming(TableName table, Stage goal, @Nullable Migration last) throws IOException {
    // A peer's that was rolled back there begins again.
    if (last == null
        || last.generation().equals(table)
        || last.stage() != Stage.FINISHED && !clusters.follows()) {
      throw new MigrationException(
          table,
          "no generation to rename",
          "reason="
              + (last == null || last.stage() == Stage.FINISHED
                  ? "the table has its own name"
                  : "its last migration was rolled back"),
          "a renaming follows a migration that is finished");
    }
    TableName source = last.generation();
    checkRenaming(plain, guard, table, source);
    checkClusters(
        table,
        source,
        table,
        Migration.Fence.GUARD,
        (there, itsGuard) -> checkRenaming(there, itsGuard, table, source));
    // The earlier generation of the name is dropped before.
    int before = checks.regions(table);
    checks.checkNamespace(source, before == 0 ? 1 : 0, checks.regions(source) - before);
    return Migration.begin(table, new Kind.Renaming(), source, table, turn(last, source), now())
        .aimFor(goal)
        .withClusters(clusters(turn(last, source)))
        .withWork(Migration.Work.of(Migration.By.SNAPSHOT, List.of("")));
  }

  private static void checkRenaming(
      Connection cluster, GuardControl guard, TableName table, TableName source)
      throws IOException {
    new MigrationChecks(cluster).checkKind(source);
    guard.checkInstalled(source);
    new Generations(cluster).checkLeft(table);
    if (guard.isLeftUnguarded(table)) {
      throw new MigrationException(
          table,
          "generation that the renaming drops was open without the guard since it was closed",
          "in_use=" + source,
          "rows may have been written there that no other generation has: take a snapshot of it, named closed-…, drop it in HBase's shell, and repeat the command");
    }
  }

  private Migration.Clusters clusters(int turn) {
    return clusters.peers().isEmpty() ? clusters : Migration.Clusters.of(clusters.peers(), turn);
  }

  private int turn(@Nullable Migration last, TableName source) throws IOException {
    long before = Math.max(last == null ? 0 : last.turn(), guard.state(source).turn());
    return Math.toIntExact(Math.max(before, arrived) + 1);
  }

  private static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS);
  }
}
