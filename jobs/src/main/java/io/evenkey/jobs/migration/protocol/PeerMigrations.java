/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.protocol;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.migration.MigrationException;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationPlan;
import io.evenkey.jobs.migration.MigrationPlan.Rewriting;
import io.evenkey.jobs.migration.MigrationRecord;
import io.evenkey.jobs.migration.MigrationSettings;
import io.evenkey.jobs.migration.cluster.NotArrivedException;
import io.evenkey.jobs.migration.cluster.OtherCluster;
import io.evenkey.jobs.migration.generation.Generations;
import io.evenkey.jobs.migration.row.KeyChange;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;
import org.jspecify.annotations.Nullable;

/**
 * Runs the migrations of a replicated table on its peers, each by the peer's own registry and
 * guard: to the stage that the migration here needs next. Does nothing for a table that is not
 * replicated. Not thread-safe.
 */
record PeerMigrations(
    Connection plain,
    MigrationRecord record,
    MigrationSettings settings,
    MigrationListener listener) {
  private static final long PAUSE_MS = 500;

  /** Brings the peers to the stage of the migration here, where that matters. */
  void follow() throws IOException {
    Stage wanted = wanted(record.migration());
    if (wanted != null) {
      bring(wanted);
    }
  }

  /** Has the peers take the step that the table here has. */
  void takeStep() throws IOException {
    bring(Stage.FINISHED);
  }

  private static @Nullable Stage wanted(Migration here) {
    // They take it in one go, while the source is at one stage.
    if (here.kind() instanceof Kind.StepInPlace) {
      return null;
    }
    return switch (here.stage()) {
      case READY -> here.goal() == Stage.ROLLED_BACK ? null : Stage.READY;
      case SWITCHED, FINISHED, ROLLED_BACK -> here.stage();
      default -> null;
    };
  }

  private void bring(Stage wanted) throws IOException {
    for (Migration.Peer peer : record.migration().clusters().peers()) {
      bring(peer, wanted);
    }
  }

  private void bring(Migration.Peer peer, Stage wanted) throws IOException {
    TableName table = record.migration().table();
    try (OtherCluster there = OtherCluster.peer(plain, peer.id())) {
      for (boolean waits = false; ; waits = true) {
        Migration last = there.migration(table).filter(this::isOfThis).orElse(null);
        boolean isOver = last == null || last.stage().isOver();
        if (isThere(last, wanted)) {
          return;
        }
        // What is repeated while it waits is not told again.
        MigrationListener told = waits ? MigrationListener.NONE : watching(peer);
        try (Migrator migrator =
            isOver ? begin(there, wanted, told) : resume(there, wanted, told)) {
          migrator.run();
        } catch (NotArrivedException e) {
          if (!waits) {
            listener.waiting(peer.id(), e.getMessage());
          }
          pause();
        } catch (MigrationException e) {
          throw last != null && !isOver && last.stage().usesTarget() ? e : stopped(peer, e);
        }
      }
    }
  }

  // Once the source has switched, nobody can change a row of the old generation any more.
  private MigrationException stopped(Migration.Peer peer, MigrationException why) {
    return new MigrationException(
        record.migration().table(),
        "migration on a replication peer has stopped",
        "peer=" + peer.id() + " reason=" + why.getMessage(),
        "do so there, or, up to its switch, "
            + Remedy.ROLL_BACK
            + " there, and "
            + Remedy.RESUME_MIGRATION
            + " here, which begins it again");
  }

  private static boolean isThere(@Nullable Migration there, Stage wanted) {
    if (there == null || there.stage().isOver()) {
      return wanted == Stage.ROLLED_BACK || there != null && there.stage() == wanted;
    }
    return there.stage() == wanted || wanted == Stage.READY && there.stage().usesTarget();
  }

  private boolean isOfThis(Migration there) {
    Migration here = record.migration();
    return there.clusters().follows()
        && there.target().equals(here.target())
        && there.clusters().sinceTurn() == here.clusters().sinceTurn();
  }

  private Migrator begin(OtherCluster there, Stage wanted, MigrationListener told)
      throws IOException {
    Migration here = record.migration();
    Migration.Clusters followed =
        Migration.Clusters.following(
            ZKConfig.getZooKeeperClusterKey(plain.getConfiguration()), here.clusters().sinceTurn());
    if (here.kind() instanceof Kind.Renaming) {
      return Migrator.rename(
          there.plain(), there.registry(), here.table(), wanted, followed, settings, told);
    }
    Layout layout =
        Objects.requireNonNull(TableLayout.of(new Generations(plain).descriptor(here.target())));
    MigrationPlan plan =
        MigrationPlan.of(here.table(), layout)
            .by(Migration.By.PUTS)
            .rewriting(rewriting(here.kind()))
            .withPace(here.pace())
            .aimFor(wanted);
    if (here.kind() instanceof Kind.AnotherKey key) {
      plan = plan.changingKey(KeyChange.columns(key.columns()));
    }
    return Migrator.begin(there.plain(), there.registry(), plan, followed, settings, told);
  }

  private static Rewriting rewriting(Kind kind) {
    if (kind instanceof Kind.StepInPlace) {
      return Rewriting.NONE;
    }
    return kind.clonesSource() ? Rewriting.FROM_STEP : Rewriting.ALL;
  }

  private Migrator resume(OtherCluster there, Stage wanted, MigrationListener told)
      throws IOException {
    Migrator migrator =
        Migrator.resume(
            there.plain(), there.registry(), record.migration().table(), settings, told);
    try {
      boolean isGivenUp = migrator.migration().stage() == Stage.ABANDONING;
      // Then it is begun again.
      migrator.aimFor(isGivenUp ? Stage.ROLLED_BACK : wanted);
      return migrator;
    } catch (IOException | RuntimeException e) {
      migrator.close();
      throw e;
    }
  }

  private MigrationListener watching(Migration.Peer peer) {
    return new MigrationListener() {
      @Override
      public void stage(Migration migration) {
        listener.peerStage(peer.id(), migration);
      }

      @Override
      public void progress(double share, long rows) {
        listener.progress(share, rows);
      }
    };
  }

  private static void pause() throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while replication was waited for");
    }
  }
}
