/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.Transitions;
import io.evenkey.report.terminal.Amount;
import io.evenkey.report.terminal.Progress;
import java.time.Duration;
import java.util.Locale;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/** A migration on a terminal: a line for each stage, and a progress bar for each long stage. */
final class MigrationBar implements MigrationListener, AutoCloseable {
  private static final int FULL = 100;

  private final Console console;
  private final TableName table;
  private final boolean quiet;
  // Read by the thread that prints the end, too.
  private volatile String stage = BEFORE_STAGES;
  private volatile long rows;
  private @Nullable Progress bar;
  private long begunNanos = System.nanoTime();
  private long before;
  private double reached;
  private int pass = 1;

  /**
   * @param quiet whether to print no stages
   */
  MigrationBar(Console console, TableName table, boolean quiet) {
    this.console = console;
    this.table = table;
    this.quiet = quiet;
  }

  @Override
  public void stage(Migration migration) {
    begin(migration.stage().toString(), migration);
  }

  @Override
  public void peerStage(String peer, Migration migration) {
    begin("peer " + peer + " " + migration.stage(), migration);
  }

  @Override
  public void waiting(String peer, String reason) {
    if (!quiet) {
      console.note("peer " + peer + " waits: " + reason);
    }
  }

  private void begin(String name, Migration migration) {
    if (bar != null) {
      bar.to(FULL);
    }
    close();
    stage = name;
    begunNanos = System.nanoTime();
    rows = 0;
    reached = 0;
    pass = 1;
    // Rows of an earlier run do not count in this run's rate.
    before = migration.stage() == Stage.COPYING ? migration.work().rows() : 0;
    if (!quiet) {
      console.note(stage + ": " + Transitions.meaning(migration));
    }
  }

  private Progress bar() {
    if (bar == null) {
      bar = console.shareProgress(stage + " " + table);
    }
    return bar;
  }

  @Override
  public void progress(double share, long copied) {
    // A pass over the rows that were written since counts from 0: the bar stays where it is.
    if (copied < rows) {
      pass++;
      begunNanos = System.nanoTime();
    }
    rows = copied;
    reached = Math.max(reached, share);
    if (copied == 0 && share == 0) {
      return;
    }
    double seconds = Math.max((System.nanoTime() - begunNanos) / 1e9, 1e-3);
    String done =
        Amount.of(copied, "row")
            + ", "
            + Amount.of(Math.round((copied - before) / seconds), "row")
            + "/s";
    bar().to(Math.round(reached * FULL), pass > 1 ? "pass " + pass + ": " + done : done);
  }

  @Override
  public void pausing(Duration expected) {
    if (!quiet) {
      console.note(
          "writes pause now"
              + (expected.isZero()
                  ? ""
                  : ", for about " + seconds(expected) + " by the last pass"));
    }
  }

  @Override
  public void paused(Duration pause) {
    if (!quiet) {
      console.note("writes paused for " + seconds(pause));
    }
  }

  private static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.2f s", time.toMillis() / 1e3);
  }

  /** The progress at the time of the interruption. */
  String stopped(String remedy) {
    boolean begun = isBegun();
    return "table="
        + table
        + (begun ? " stage=" + stage : "")
        + (rows == 0 ? "" : String.format(Locale.ROOT, " rows=%,d", rows))
        + (begun ? "; " : "; nothing was changed; ")
        + remedy;
  }

  boolean isBegun() {
    return !stage.equals(BEFORE_STAGES);
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
