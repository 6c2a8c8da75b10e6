/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import io.evenkey.client.internal.registry.Migration;
import java.time.Duration;

/** Watches a migration. Called in the thread that runs it. */
public interface MigrationListener {
  /** The name of the work before the first stage. */
  String BEFORE_STAGES = "sampling";

  /** Ignores what happens. */
  MigrationListener NONE =
      new MigrationListener() {
        @Override
        public void stage(Migration migration) {
          // Not shown.
        }
      };

  /** A stage is begun. */
  void stage(Migration migration);

  /**
   * The migration of a replication peer, which this one runs too, begins a stage. Progress is of
   * the peer until this migration begins its next stage.
   *
   * @param peer the id of the peer
   */
  default void peerStage(String peer, Migration migration) {}

  /**
   * A peer cannot change generations yet, or lacks rows that it needs before the source does, and
   * is asked again until this is over. Called once for each wait.
   *
   * @param peer the id of the peer
   * @param reason why not
   */
  default void waiting(String peer, String reason) {}

  /**
   * Work goes on. Before the first stage, that is the reading of a sample.
   *
   * @param share from 0 to 1, of this stage; 0 also while it is not known
   * @param rows so far, of this stage
   */
  default void progress(double share, long rows) {}

  /**
   * Writes pause from now on.
   *
   * @param expected for how long, by the time that the last pass took; 0 if this run has made none
   */
  default void pausing(Duration expected) {}

  /**
   * Writes go on.
   *
   * @param pause the longest pause of a client
   */
  default void paused(Duration pause) {}
}
