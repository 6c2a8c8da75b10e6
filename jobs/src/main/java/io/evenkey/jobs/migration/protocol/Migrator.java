/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.protocol;

import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.internal.registry.Versioned;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.client.internal.verify.LastMigration;
import io.evenkey.jobs.guard.GuardControl;
import io.evenkey.jobs.migration.MigrationException;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationPlan;
import io.evenkey.jobs.migration.MigrationPreview;
import io.evenkey.jobs.migration.MigrationRecord;
import io.evenkey.jobs.migration.MigrationSettings;
import io.evenkey.jobs.migration.Transitions;
import io.evenkey.jobs.migration.cluster.ReplicatedTable;
import io.evenkey.jobs.trace.JobSpan;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Migrates a table from one generation to the next while it is read and written. Where the
 * migration is lies in the registry: a run that resumes it repeats the current stage, and nothing
 * of that is lost or done twice.
 *
 * <p>What clients may do is not up to them: the guard of the region servers allows or refuses it,
 * or, where there is none and the plan accepts a pause, a generation that is left has no name any
 * more. See {@link Migration.Fence}. Not thread-safe.
 */
public final class Migrator implements AutoCloseable {
  private static final String JOB = "MIGRATE";

  /** The work of this process, which the error of a process that waits for the lock names. */
  private static final String WORK = "migrate";

  private static final Logger LOG = LoggerFactory.getLogger(Migrator.class);

  /** The run that died holds its lock until its session ends. */
  private static final Duration LOCKED = Duration.ofSeconds(40);

  private final MigrationRecord record;
  private final Protocol protocol;
  private final PeerMigrations peers;
  private final MigrationListener listener;
  private final AutoCloseable lock;

  private Migrator(
      MigrationRecord record,
      Protocol protocol,
      PeerMigrations peers,
      MigrationListener listener,
      AutoCloseable lock) {
    this.record = record;
    this.protocol = protocol;
    this.peers = peers;
    this.listener = listener;
    this.lock = lock;
  }

  /**
   * Begins a migration: the next generation is there, empty, and nothing else is done yet. Where it
   * has to be cut by a sample of the rows, the source is read for that, once.
   *
   * @param plain a connection to which rows are what is stored
   * @throws MigrationException if the table is being migrated, cannot be migrated to this layout,
   *     or regions of it have no guard and the plan does not accept a pause
   * @throws io.evenkey.layout.split.SplitException if it cannot be cut into as many regions as
   *     asked for
   */
  public static Migrator begin(
      Connection plain,
      Registry registry,
      MigrationPlan plan,
      MigrationSettings settings,
      MigrationListener listener)
      throws IOException {
    return begin(plain, registry, plan, Migration.Clusters.NONE, settings, listener);
  }

  /**
   * Begins a migration, of a replication peer's table if it follows that of another cluster.
   *
   * @param followed the source's cluster, or none
   */
  static Migrator begin(
      Connection plain,
      Registry registry,
      MigrationPlan plan,
      Migration.Clusters followed,
      MigrationSettings settings,
      MigrationListener listener)
      throws IOException {
    return begin(
        plain,
        registry,
        plan.table(),
        settings,
        listener,
        (guard, last) ->
            new MigrationStart(plain, registry, guard, followed).of(plan, last, listener));
  }

  /**
   * What {@link #begin} would do; nothing is changed.
   *
   * @throws MigrationException if the table is being migrated, or the layout is not one that a
   *     migration can lead to
   */
  public static MigrationPreview preview(
      Connection plain, Registry registry, MigrationPlan plan, MigrationListener listener)
      throws IOException {
    Versioned<Migration> last = last(plain, registry, plan.table());
    try (GuardControl guard = GuardControl.open(plain)) {
      return new MigrationStart(plain, registry, guard, Migration.Clusters.NONE)
          .preview(plan, last == null ? null : last.value(), listener);
    }
  }

  /**
   * The last migration of a table, which is over, or is cut short and ended by the next one; null
   * if there was none.
   *
   * @throws MigrationException if it is not over
   */
  private static @Nullable Versioned<Migration> last(
      Connection plain, Registry registry, TableName table) throws IOException {
    Versioned<Migration> last = LastMigration.of(plain, registry, table).orElse(null);
    if (last != null
        && !last.value().stage().isOver()
        && !LastMigration.isCutShort(plain, last.value())) {
      throw new MigrationException(
          table,
          "table is being migrated already",
          "stage=" + last.value().stage(),
          Remedy.SHOW_MIGRATION + ", and go on with it, or " + Remedy.ROLL_BACK);
    }
    return last;
  }

  /**
   * Begins a renaming: a migration to the table's own name, by the same layout. The next generation
   * is a clone, for which HBase copies no data; afterwards the present one is dropped.
   *
   * @param plain a connection to which rows are what is stored
   * @throws MigrationException if the table is being migrated, or has its own name, or regions of
   *     it have no guard
   */
  public static Migrator rename(
      Connection plain,
      Registry registry,
      TableName table,
      MigrationSettings settings,
      MigrationListener listener)
      throws IOException {
    return rename(
        plain, registry, table, Stage.FINISHED, Migration.Clusters.NONE, settings, listener);
  }

  /**
   * Begins a renaming, of a replication peer's table if it follows that of another cluster.
   *
   * @param followed the source's cluster, or none
   */
  static Migrator rename(
      Connection plain,
      Registry registry,
      TableName table,
      Stage goal,
      Migration.Clusters followed,
      MigrationSettings settings,
      MigrationListener listener)
      throws IOException {
    return begin(
        plain,
        registry,
        table,
        settings,
        listener,
        (guard, last) ->
            new MigrationStart(plain, registry, guard, followed).ofRenaming(table, goal, last));
  }

  /** The first state of a migration. */
  @FunctionalInterface
  private interface First {
    Migration migration(GuardControl guard, @Nullable Migration last) throws IOException;
  }

  private static Migrator begin(
      Connection plain,
      Registry registry,
      TableName table,
      MigrationSettings settings,
      MigrationListener listener,
      First first)
      throws IOException {
    Versioned<Migration> cut = LastMigration.of(plain, registry, table).orElse(null);
    if (cut != null && LastMigration.isCutShort(plain, cut.value())) {
      end(plain, registry, cut.value(), settings, listener);
    }
    Versioned<Migration> last = last(plain, registry, table);
    AutoCloseable lock = registry.migrations().lock(table, WORK, LOCKED);
    try {
      Migration migration;
      try (GuardControl guard = GuardControl.open(plain)) {
        migration = first.migration(guard, last == null ? null : last.value());
      }
      registry.migrations().store(migration, last == null ? Versioned.NONE : last.version());
      return open(plain, registry, migration, settings, listener, lock);
    } catch (IOException | RuntimeException e) {
      close(lock);
      throw e;
    }
  }

  /** Ends a migration one of whose generations was dropped, with the one that clients use. */
  private static void end(
      Connection plain,
      Registry registry,
      Migration migration,
      MigrationSettings settings,
      MigrationListener listener)
      throws IOException {
    LOG.warn(
        "migration ended: table={} stage={} in_use={} reason=the other generation was dropped"
            + " outside of Evenkey",
        migration.table(),
        migration.stage(),
        migration.generation());
    try (Migrator cutShort = resume(plain, registry, migration.table(), settings, listener)) {
      cutShort.aimFor(migration.stage().usesTarget() ? Stage.FINISHED : Stage.ROLLED_BACK);
      cutShort.run();
    }
  }

  /**
   * Takes up a migration that was begun.
   *
   * @throws MigrationException if there is none
   */
  public static Migrator resume(
      Connection plain,
      Registry registry,
      TableName table,
      MigrationSettings settings,
      MigrationListener listener)
      throws IOException {
    AutoCloseable lock = registry.migrations().lock(table, WORK, LOCKED);
    Migrator migrator = null;
    try {
      Versioned<Migration> last =
          registry
              .migrations()
              .get(table)
              .orElseThrow(
                  () -> new MigrationException("table was never migrated: table=" + table));
      Migration migration = last.value();
      if (!migration.stage().isOver()) {
        migration = migration.nextTurn();
        registry.migrations().store(migration, last.version());
      }
      migrator = open(plain, registry, migration, settings, listener, lock);
      migrator.protocol.claim();
      return migrator;
    } catch (IOException | RuntimeException e) {
      close(migrator == null ? lock : migrator);
      throw e;
    }
  }

  private static Migrator open(
      Connection plain,
      Registry registry,
      Migration migration,
      MigrationSettings settings,
      MigrationListener listener,
      AutoCloseable lock)
      throws IOException {
    MigrationRecord record = new MigrationRecord(registry, migration);
    PeerMigrations peers = new PeerMigrations(plain, record, settings, listener);
    if (migration.kind() instanceof Kind.StepInPlace step) {
      return new Migrator(
          record,
          StepProtocol.open(plain, registry, record, step, peers, listener),
          peers,
          listener,
          lock);
    }
    Protocol protocol =
        switch (migration.fence()) {
          case GUARD -> GuardProtocol.open(plain, registry, record, settings, listener);
          case NAMES -> NameProtocol.open(plain, registry, record, settings, listener);
        };
    return new Migrator(record, protocol, peers, listener, lock);
  }

  /**
   * Has a migration of a replicated table go on without the other clusters: on a peer whose source
   * is lost, or at a source from which no peer gets the table any more.
   *
   * @throws MigrationException if there is no migration, or a peer gets the table
   */
  public static void continueAlone(Connection plain, Registry registry, TableName table)
      throws IOException {
    Versioned<Migration> last =
        registry
            .migrations()
            .get(table)
            .orElseThrow(() -> new MigrationException("table was never migrated: table=" + table));
    Migration migration = last.value();
    if (!migration.clusters().follows()
        && !ReplicatedTable.of(plain, migration.generation()).names().isEmpty()) {
      throw new MigrationException(
          table,
          "table is replicated, and its peer is migrated with it",
          "peers=" + migration.clusters().peers(),
          "remove the peers first; their tables are to be copied again afterwards");
    }
    registry.migrations().store(migration.withClusters(Migration.Clusters.NONE), last.version());
  }

  /** The stage of the migration. */
  public Migration migration() {
    return record.migration();
  }

  /**
   * Sets how far the migration is to go. A step of a salt goes to its end, or back.
   *
   * @throws MigrationException if there is no way to that from where it is
   */
  public void aimFor(Stage goal) throws IOException {
    Stage now = migration().stage();
    boolean inPlace = migration().kind() instanceof Kind.StepInPlace;
    boolean possible =
        switch (goal) {
          case ROLLED_BACK -> now == goal || Transitions.find(migration(), goal).isPresent();
          // Back to a generation that was dropped, there is no way.
          case FINISHED -> !migration().isGoingBack() || protocol.isWithoutSource();
          case SWITCHED, READY -> !migration().isGoingBack();
          default -> false;
        };
    if (!possible) {
      throw new MigrationException(
          "migration cannot reach this goal from its stage: table="
              + migration().table()
              + " stage="
              + now
              + " goal="
              + goal
              + why(now, inPlace));
    }
    protocol.aimFor(goal);
  }

  private static String why(Stage now, boolean inPlace) {
    if (inPlace && (now == Stage.FINISHED || now == Stage.SWITCHING)) {
      return "; rows after the step may be written already: "
          + Remedy.RESUME_MIGRATION
          + ", then migrate the table to another layout";
    }
    if (now == Stage.ROLLED_BACK) {
      return "; it was rolled back, and has ended: " + Remedy.MIGRATE;
    }
    return now == Stage.FINISHED || now == Stage.FINISHING
        ? "; writes go to the next generation only: migrate it to the old layout"
        : "; it is being rolled back: " + Remedy.RESUME_MIGRATION + ", then begin again";
  }

  /**
   * Goes on to the goal.
   *
   * @return where it is then
   * @throws MigrationException if something is in the way; nothing is lost, and clients can read
   *     and write
   */
  public Migration run() throws IOException {
    return JobSpan.around(JOB, migration().table(), this::goOn);
  }

  private boolean advance() throws IOException {
    Migration now = migration();
    return JobSpan.aroundStage(JOB, now.table(), now.stage().name(), protocol::advance);
  }

  private Migration goOn() throws IOException {
    listener.stage(migration());
    peers.follow();
    while (advance()) {
      listener.stage(migration());
      peers.follow();
    }
    protocol.tidy();
    return migration();
  }

  @Override
  public void close() {
    close(protocol);
    close(lock);
  }

  private static void close(AutoCloseable closing) {
    try {
      closing.close();
    } catch (Exception e) {
      LOG.warn(
          "Not closed: {}; a lock of a migration is free again when this process ends its session"
              + " with ZooKeeper",
          closing,
          e);
    }
  }

  @Override
  public String toString() {
    return migration().toString();
  }
}
