/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.cli;

import io.evenkey.app.terminal.Progress;
import io.evenkey.jobs.index.IndexListener;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Work on an index on a terminal: a line for each step, and a progress bar for each long one. */
final class IndexBar implements IndexListener, AutoCloseable {
  private static final int FULL = 100;

  private final Console console;
  private final String index;
  private final boolean quiet;
  private String task = "";
  private @Nullable Progress bar;
  private long begunNanos = System.nanoTime();
  private long before = -1;

  /**
   * @param quiet whether to print no steps
   */
  IndexBar(Console console, String index, boolean quiet) {
    this.console = console;
    this.index = index;
    this.quiet = quiet;
  }

  @Override
  public void begins(Step step) {
    if (bar != null) {
      bar.to(FULL);
    }
    close();
    task = step.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    begunNanos = System.nanoTime();
    before = -1;
    if (!quiet) {
      console.note(task + ": " + meaning(step));
    }
  }

  private static String meaning(Step step) {
    return switch (step) {
      case CREATE -> "the table of the index is created";
      case JOIN -> "clients begin to write the entries of their rows";
      case FILL -> "rows from before the index get their entries";
      case COMPARE_ROWS -> "each row is looked for in the index";
      case COMPARE_ENTRIES -> "the row of each entry is looked for";
      case SWEEP -> "entries without rows are removed";
      case DROP -> "clients stop to read and to write the index, and its table is deleted";
    };
  }

  @Override
  public void progress(double share, long rows) {
    if (bar == null) {
      bar = console.progress(task + " " + index, FULL, " %");
      // Rows of an earlier run do not count in this run's rate.
      before = rows;
    }
    double seconds = Math.max((System.nanoTime() - begunNanos) / 1e9, 1e-3);
    String done = String.format(Locale.ROOT, "%,d rows %,.0f/s", rows, (rows - before) / seconds);
    bar.to(Math.round(share * FULL), done);
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
