package io.evenkey.app.cli;

import io.evenkey.app.cluster.MoveJson;
import io.evenkey.app.terminal.Progress;
import io.evenkey.client.registry.LiveClient;
import io.evenkey.client.registry.Move;
import io.evenkey.jobs.move.MoveWatch;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A move on a terminal: a line for each stage, and a bar for the present one. */
final class MoveBar implements MoveWatch {
  /** What the bar is full at. */
  static final int FULL = 100;

  private final Progress bar;
  private final @Nullable Console console;
  private String stage = "";
  private long begunNanos = System.nanoTime();

  /**
   * @param console where stages are told of; null for nowhere
   */
  MoveBar(Progress bar, @Nullable Console console) {
    this.bar = bar;
    this.console = console;
  }

  @Override
  public void stage(Move move) {
    stage = MoveView.name(move.stage());
    begunNanos = System.nanoTime();
    if (console != null) {
      console.err().println(stage + ": " + MoveJson.meaning(move.stage()));
    }
    bar.to(0, stage);
  }

  @Override
  public void progress(double share, long rows) {
    double seconds = (System.nanoTime() - begunNanos) / 1e9;
    bar.to(
        Math.round(share * FULL),
        String.format(Locale.ROOT, "%s %,d rows %,.0f/s", stage, rows, rows / seconds));
  }

  @Override
  public void waiting(List<LiveClient> clients) {
    bar.to(0, MoveWatch.waitsFor(stage, clients));
  }
}
