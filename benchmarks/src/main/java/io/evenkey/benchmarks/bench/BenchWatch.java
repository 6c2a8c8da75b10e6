/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import io.evenkey.cli.Console;
import io.evenkey.report.terminal.Progress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A comparison on a terminal, as a progress bar; elsewhere figures as they arrive. */
final class BenchWatch implements Bench.Listener, AutoCloseable {
  private final Console console;
  private @Nullable Progress progress;
  private int done;

  BenchWatch(Console console) {
    this.console = console;
  }

  @Override
  public void begins(int rounds) {
    if (console.columns() > 0) {
      progress = console.progress("comparing", rounds, " rounds");
    }
  }

  @Override
  public void roundEnded() {
    if (progress != null) {
      progress.to(++done);
    }
  }

  @Override
  public void measured(BenchRun run) {
    if (progress == null) {
      for (List<String> row : BenchReport.rows(run)) {
        console.note(String.join("  ", row));
      }
    }
  }

  @Override
  public void close() {
    if (progress != null) {
      progress.close();
    }
  }
}
