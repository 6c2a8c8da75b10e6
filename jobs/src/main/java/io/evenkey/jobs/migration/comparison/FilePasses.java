/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.comparison;

import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.migration.MigrationException;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationRecord;
import io.evenkey.jobs.migration.comparison.GenerationComparison.Part;
import io.evenkey.jobs.migration.comparison.GenerationComparison.Writers;
import io.evenkey.jobs.migration.generation.NamedGenerations;
import io.evenkey.jobs.migration.row.GenerationSide;
import io.evenkey.layout.text.LayoutException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Makes the secondary generation as the primary: all rows once, then in passes those that clients
 * have written since. A pass takes a snapshot of the primary, for which HBase writes to files what
 * it holds in memory, and repairs the rows of the files that the snapshot before had not. Files
 * that a compaction made have unchanged rows, too; these are compared for nothing. Not thread-safe.
 */
public final class FilePasses {
  /** A pass that repairs for no longer is short enough to be made while clients wait. */
  private static final Duration SHORT = Duration.ofMillis(300);

  private static final int MOST_PASSES = 12;

  private final MigrationRecord record;
  private final NamedGenerations tables;
  private final GenerationComparison comparison;
  private final MigrationListener listener;
  private final Configuration configuration;

  // Rows of other files than these may have changed; null before the first snapshot of this run.
  private @Nullable SnapshotFiles compared;
  private int snapshots;

  public FilePasses(
      MigrationRecord record,
      NamedGenerations tables,
      GenerationComparison comparison,
      MigrationListener listener,
      Configuration configuration) {
    this.record = record;
    this.tables = tables;
    this.comparison = comparison;
    this.listener = listener;
    this.configuration = configuration;
  }

  /** Whether this run has compared all rows. */
  public boolean isBegun() {
    return compared != null;
  }

  /** Both were alike when a snapshot was taken of the primary: what changed since is enough. */
  public void since(String snapshot) throws IOException {
    compared = SnapshotFiles.of(configuration, snapshot);
  }

  /** Compares all rows: what changed since is enough then. */
  public void all(GenerationSide primary, GenerationSide secondary) throws IOException {
    String snapshot = snapshot(primary);
    SnapshotFiles before = SnapshotFiles.of(configuration, snapshot);
    tables.dropSnapshot(snapshot);
    double rows = record.migration().work().rows();
    record.count(
        comparison.all(
            primary,
            secondary,
            record.turn(),
            done -> listener.progress(rows == 0 ? 0 : Math.min(1, done / rows), done)));
    compared = before;
  }

  /**
   * Makes passes until one is so short that it can be made while clients wait, or clients change
   * rows as fast as passes repair them.
   *
   * @return the time for which clients will wait for the last one
   */
  public Duration catchUp(GenerationSide primary, GenerationSide secondary) throws IOException {
    Duration took = Duration.ZERO;
    for (int i = 0; i < MOST_PASSES; i++) {
      String snapshot = snapshot(primary);
      long start = System.nanoTime();
      pass(snapshot, primary, secondary, Writers.ACTIVE);
      Duration before = took;
      took = Duration.ofNanos(System.nanoTime() - start);
      tables.dropSnapshot(snapshot);
      boolean shorter = i == 0 || took.compareTo(before.multipliedBy(3).dividedBy(4)) < 0;
      if (took.compareTo(SHORT) <= 0 || !shorter) {
        break;
      }
    }
    return took;
  }

  /**
   * Makes the last pass.
   *
   * @param snapshot of the primary, from after clients could write to it
   * @param primary a clone of that
   * @throws MigrationException if rows differ after that
   */
  public void last(String snapshot, GenerationSide primary, GenerationSide secondary)
      throws IOException {
    pass(snapshot, primary, secondary, Writers.PAUSED);
  }

  private String snapshot(GenerationSide primary) throws IOException {
    return tables.snapshot(record.migration(), primary.table(), snapshots++);
  }

  private void pass(
      String snapshot, GenerationSide primary, GenerationSide secondary, Writers writers)
      throws IOException {
    SnapshotFiles before = compared;
    if (before == null) {
      throw new IllegalStateException("all rows are compared first: " + record.migration());
    }
    SnapshotFiles now = SnapshotFiles.of(configuration, snapshot);
    List<Part> parts = new ArrayList<>();
    for (StoredFile file : now.since(before)) {
      parts.add(keys -> file.read(configuration, rows -> keys.accept(keys(primary, rows))));
    }
    record.count(
        comparison.changed(
            primary, secondary, record.turn(), parts, writers, rows -> listener.progress(0, rows)));
    compared = now;
  }

  private List<byte[]> keys(GenerationSide primary, List<byte[]> rows) throws MigrationException {
    List<byte[]> keys = new ArrayList<>(rows.size());
    for (byte[] row : rows) {
      try {
        keys.add(primary.layout().logical(row));
      } catch (LayoutException e) {
        Migration migration = record.migration();
        throw new MigrationException(
            migration.source(),
            "row cannot be copied",
            "reason=" + e.getMessage(),
            "delete it, or write it again as it should be, and " + Remedy.RESUME_MIGRATION);
      }
    }
    return keys;
  }
}
