/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.cluster;

import io.evenkey.client.internal.registry.Migration;
import io.evenkey.jobs.guard.GuardControl;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationRecord;
import io.evenkey.jobs.migration.Transition;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Connection;

/** Agrees with the migrations of a replicated table on other clusters. Not thread-safe. */
public interface Coordination {
  /** The coordination of a table on one cluster: nothing to do. */
  Coordination NONE = line -> {};

  /** The coordination of a migration. */
  static Coordination of(
      Connection plain, MigrationRecord record, GuardControl guard, MigrationListener listener) {
    Migration.Clusters clusters = record.migration().clusters();
    if (clusters.follows()) {
      return new SourceCheck(plain, record, guard);
    }
    return clusters.peers().isEmpty() ? NONE : new PeerStages(plain, record, listener);
  }

  /**
   * Checks that the other clusters have come as far as this one needs to leave a stage. At the
   * source, waits for rows that replication has not brought yet.
   *
   * @throws io.evenkey.jobs.migration.MigrationException if not
   */
  void check(Transition line) throws IOException;

  /**
   * On a peer, checks that all rows of the generation that the source has left are here, and has
   * what is sent of it later dropped. To be called while the peer takes no row.
   *
   * @throws NotArrivedException if not
   */
  default void checkArrived(Transition line) throws IOException {}
}
