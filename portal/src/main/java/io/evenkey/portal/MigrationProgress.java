/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.jobs.migration.MigrationListener;

/**
 * The progress of a migration as that of a job. The share of a stage never gets less. It is not
 * shown for a pass over the rows that were written during the one before it, of which no one knows
 * how many there will be. Not thread-safe.
 */
final class MigrationProgress implements MigrationListener {
  private final Job job;
  private String stage = BEFORE_STAGES;
  private double reached;
  private long before;
  private int pass = 1;

  MigrationProgress(Job job) {
    this.job = job;
  }

  @Override
  public void stage(Migration migration) {
    Stage now = migration.stage();
    boolean isLast = now == migration.goal() || now.isOver();
    stage(isLast ? now + ", winding up" : now.toString());
  }

  void stage(String name) {
    stage = name;
    reached = 0;
    before = 0;
    pass = 1;
    job.progress(0, 0, stage);
  }

  @Override
  public void progress(double share, long rows) {
    if (rows < before) {
      pass++;
    }
    before = rows;
    reached = Math.max(reached, share);
    boolean isKnown = pass == 1 && rows > 0 && reached > 0 && reached < 1;
    job.progress(
        rows,
        isKnown ? Math.max(rows + 1, Math.round(rows / reached)) : 0,
        "rows, " + stage + (pass == 1 ? "" : ", pass " + pass));
  }
}
