/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.jobs.index.IndexListener;
import io.evenkey.report.terminal.Amount;
import io.evenkey.report.terminal.Progress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Work on an index on a terminal: a line for each phase, and a progress bar for each long one. */
final class IndexBar implements IndexListener, AutoCloseable {
  private static final int FULL = 100;

  private final Console console;
  private final String index;
  private final boolean quiet;
  // Read by the thread that prints the end, too.
  private volatile String task = "";
  private volatile long rows = -1;
  private @Nullable Progress bar;
  private long begunNanos = System.nanoTime();
  private long before = -1;

  /**
   * @param quiet whether to print no phases
   */
  IndexBar(Console console, String index, boolean quiet) {
    this.console = console;
    this.index = index;
    this.quiet = quiet;
  }

  @Override
  public void begins(Phase phase) {
    if (bar != null) {
      bar.to(FULL);
    }
    close();
    task = phase.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    begunNanos = System.nanoTime();
    before = -1;
    rows = -1;
    if (!quiet) {
      console.note(task + ": " + meaning(phase));
    }
  }

  private static String meaning(Phase phase) {
    return switch (phase) {
      case CREATE -> "the table of the index is created";
      case JOIN -> "clients begin to write the entries of their rows";
      case FILL -> "rows from before the index get their entries";
      case COMPARE_ROWS -> "each row is looked for in the index";
      case COMPARE_ENTRIES -> "the row of each entry is looked for";
      case SWEEP -> "entries without rows are removed";
      case DROP -> "clients stop reading and writing the index, and its table is deleted";
    };
  }

  @Override
  public void progress(double share, long done) {
    rows = done;
    if (bar == null) {
      bar = console.shareProgress(task + " " + index);
      // Rows of an earlier run do not count in this run's rate.
      before = done;
    }
    double seconds = Math.max((System.nanoTime() - begunNanos) / 1e9, 1e-3);
    bar.to(
        Math.round(share * FULL),
        Amount.of(done, "row")
            + ", "
            + Amount.of(Math.round((done - before) / seconds), "row")
            + "/s");
  }

  /** The progress at the time of the interruption. */
  String stopped(String remedy) {
    return "index="
        + index
        + (task.isEmpty() ? "" : " step=" + task.replace(' ', '_'))
        + (rows < 0 ? "" : String.format(Locale.ROOT, " rows=%,d", rows))
        + "; "
        + remedy;
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
