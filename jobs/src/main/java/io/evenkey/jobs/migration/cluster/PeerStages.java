/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.cluster;

import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.migration.MigrationException;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationRecord;
import io.evenkey.jobs.migration.Transition;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/**
 * At the source: what its migration does next takes the stage of those on the peers. Before it
 * switches, their next generations are ready, so that replication does not wait for long. Before it
 * finishes or goes back, they have switched: they compare with the generation that is left. A step
 * in place is taken here first.
 */
record PeerStages(Connection plain, MigrationRecord record, MigrationListener listener)
    implements Coordination {
  @Override
  public void check(Transition line) throws IOException {
    Migration here = record.migration();
    if (here.kind() instanceof Kind.StepInPlace) {
      checkPeers(here);
      rollLogs();
      return;
    }
    Stage wanted = line.stage() == Stage.READY ? Stage.READY : Stage.SWITCHED;
    if (line.stage() == Stage.READY) {
      checkPeers(here);
      rollLogs();
    }
    for (Migration.Peer peer : here.clusters().peers()) {
      try (OtherCluster there = OtherCluster.peer(plain, peer.id())) {
        Optional<Migration> migration = there.migration(here.table());
        if (migration.map(Migration::stage).orElse(null) != wanted) {
          throw new MigrationException(
              here.table(),
              "migration on a replication peer has not come as far as this one needs",
              "peer="
                  + peer.id()
                  + " stage="
                  + migration.map(other -> other.stage().toString()).orElse("none")
                  + " needed="
                  + wanted,
              Remedy.RESUME_MIGRATION + " here");
        }
        // It would switch, and writes there would wait for rows that are late, or never come.
        if (wanted == Stage.READY) {
          awaitRows(peer, new ClusterComparison(plain, there.plain()));
        }
      }
    }
  }

  // No client is delayed: a link may be behind for any time.
  private void awaitRows(Migration.Peer peer, ClusterComparison comparison) throws IOException {
    for (boolean waits = false; ; waits = true) {
      try {
        comparison.checkInUse(record.migration());
        return;
      } catch (NotArrivedException e) {
        if (!waits) {
          listener.waiting(peer.id(), e.getMessage());
        }
      }
    }
  }

  /**
   * Begins new logs, in which each entry of the table tells its turn. HBase sends the current log
   * again from its beginning when a peer's settings change, and the peer knows entries of before
   * the migration only if they tell the layout: those of before the table had one do not.
   */
  private void rollLogs() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      for (ServerName server : admin.getRegionServers()) {
        admin.rollWALWriter(server);
      }
    }
  }

  private void checkPeers(Migration here) throws IOException {
    if (!ReplicatedTable.of(plain, here.source()).names().equals(here.clusters().peers())) {
      throw new MigrationException(
          here.table(),
          "peers to which the table is replicated have changed since the migration began",
          "began_with=" + here.clusters().peers(),
          Remedy.ROLL_BACK + ", and begin it again");
    }
  }
}
