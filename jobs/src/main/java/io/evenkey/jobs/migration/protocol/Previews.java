/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.protocol;

import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.jobs.migration.MigrationPlan;
import io.evenkey.jobs.migration.MigrationPreview;
import io.evenkey.jobs.migration.MigrationPreview.Way;
import io.evenkey.jobs.migration.generation.Generations;
import io.evenkey.jobs.migration.generation.NamedGenerations;
import io.evenkey.jobs.migration.step.StepRegions;
import io.evenkey.jobs.security.TableRights;
import io.evenkey.jobs.split.RowEstimate;
import io.evenkey.jobs.split.StoredSize;
import io.evenkey.jobs.split.TargetSplits;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/**
 * The figures of a migration that has not begun. As thread-safe as the connection.
 *
 * @param plain a connection to which rows are what is stored
 */
record Previews(Connection plain, Registry registry, Generations generations) {
  /** Copied and compared in a second by one process on two cores, see docs/migration-costs.md. */
  private static final int ROWS_A_SECOND = 200_000;

  private static final int MEGABYTES_A_SECOND = 25;

  /** A job and the changes of the guard's state take this long, however few the rows are. */
  private static final Duration LEAST = Duration.ofSeconds(5);

  private static final Duration PAUSE = Duration.ofMillis(500);

  MigrationPreview of(MigrationPlan plan, MigrationStart.Decision decision, List<String> obstacles)
      throws IOException {
    TableName source = decision.source();
    try (Admin admin = plain.getAdmin()) {
      int before = admin.getRegions(source).size();
      int after = regions(plan, decision, before);
      int servers = admin.getRegionServers().size();
      RowEstimate rows =
          RowEstimate.of(plain, source, StoredSize.uncompressedMegabytes(admin, source));
      double megabytes = StoredSize.megabytes(admin, source);
      List<String> warnings = new ArrayList<>(plan.layout().warnings(after, servers));
      warnings.addAll(new TableRights(plain).missing(source, decision.way() != Way.STEP));
      return new MigrationPreview(
          source,
          decision.from(),
          plan.layout(),
          decision.way(),
          plan.by(),
          decision.fence(),
          rows,
          megabytes,
          before,
          after,
          servers,
          decision.way() == Way.COPY ? time(plan.pace(), rows.rows(), megabytes) : LEAST,
          decision.fence() == Migration.Fence.NAMES
              ? new NamedGenerations(plain).expectedPause(source)
              : PAUSE,
          decision.way() == Way.COPY
              ? generations.settings(source, decision.from(), plan, registry).reasons()
              : List.of(),
          warnings,
          obstacles);
    }
  }

  private int regions(MigrationPlan plan, MigrationStart.Decision decision, int before)
      throws IOException {
    if (decision.way() != Way.COPY) {
      return before
          + new StepRegions(plain, decision.source(), Objects.requireNonNull(decision.steps()))
              .planned();
    }
    return plan.regions() > 0
        ? plan.regions()
        : new TargetSplits(plain, decision.source(), decision.rewriter(plan.layout()).sampled())
            .usual();
  }

  private static Duration time(Migration.Pace pace, long rows, double megabytes) {
    double free = Math.max((double) rows / ROWS_A_SECOND, megabytes / MEGABYTES_A_SECOND);
    double paced = pace.rowsPerSecond() == 0 ? 0 : (double) rows / pace.rowsPerSecond();
    return LEAST.plusSeconds(Math.round(Math.max(free, paced)));
  }
}
