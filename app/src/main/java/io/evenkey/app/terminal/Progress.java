/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.terminal;

import java.io.PrintStream;
import java.text.DecimalFormat;
import java.time.Duration;
import java.util.Locale;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Shows the progress of a task: a bar with rate and remaining time on a terminal; otherwise a plain
 * line every ten seconds and one at the end. Not thread-safe.
 */
public final class Progress implements AutoCloseable {
  private static final long LINE_EVERY_NANOS = Duration.ofSeconds(10).toNanos();

  private static final long MEGABYTE = 1 << 20;
  private static final String CLEAR_TO_END = "\u001b[K";

  private final PrintStream out;
  private final String task;
  private final long total;
  private final String unit;
  private final long unitSize;
  private final long start = System.nanoTime();
  private final @Nullable ProgressBar bar;
  private String details = "";
  private long done;
  private long nextLine = start + LINE_EVERY_NANOS;

  private Progress(
      PrintStream out,
      String task,
      long total,
      String unit,
      long unitSize,
      @Nullable ProgressBar bar) {
    this.out = out;
    this.task = task;
    this.total = total;
    this.unit = unit;
    this.unitSize = unitSize;
    this.bar = bar;
  }

  /**
   * Starts to show progress.
   *
   * @param out the output
   * @param columns the width of the terminal behind {@code out}, or 0 if it is not a terminal
   * @param task the task in a few words
   * @param total the total number of units
   * @param unit the unit, such as " rows"
   */
  public static Progress of(PrintStream out, int columns, String task, long total, String unit) {
    return of(out, columns, task, total, unit, 1);
  }

  /**
   * Starts to show the progress of a task that counts bytes; it is shown in megabytes.
   *
   * @param total the total number of bytes, or 0 if unknown
   */
  public static Progress ofBytes(PrintStream out, int columns, String task, long total) {
    return of(out, columns, task, total, " MB", MEGABYTE);
  }

  private static Progress of(
      PrintStream out, int columns, String task, long total, String unit, long unitSize) {
    ProgressBar bar =
        columns == 0 ? null : bar(out, columns, task, total == 0 ? -1 : total, unit, unitSize);
    return new Progress(out, task, total, unit, unitSize, bar);
  }

  // The library's own console output takes over the terminal's signals: Ctrl-C would kill this
  // process immediately, with its HBase running.
  private static ProgressBar bar(
      PrintStream out, int columns, String task, long total, String unit, long unitSize) {
    return new ProgressBarBuilder()
        .setTaskName(task)
        .setInitialMax(total)
        .setUnit(unit, unitSize)
        .showSpeed(new DecimalFormat("#,##0.0"))
        .setUpdateIntervalMillis(100)
        .setStyle(ProgressBarStyle.UNICODE_BLOCK)
        .setConsumer(
            new DelegatingProgressBarConsumer(
                line -> out.print("\r" + line + CLEAR_TO_END), Math.max(40, columns - 1)))
        .build();
  }

  /** Sets the number of finished units. */
  public void to(long count) {
    done = count;
    if (bar != null) {
      bar.stepTo(count);
    } else if (System.nanoTime() > nextLine) {
      nextLine += LINE_EVERY_NANOS;
      line();
    }
  }

  /** Like {@link #to(long)}, with an additional text, such as another rate. */
  public void to(long count, String detail) {
    details = detail;
    if (bar != null) {
      bar.setExtraMessage(" " + detail);
    }
    to(count);
  }

  private void line() {
    double seconds = (System.nanoTime() - start) / 1e9;
    String whole = total == 0 ? "" : String.format(Locale.ROOT, " of %,d", total / unitSize);
    out.println(
        String.format(
            Locale.ROOT,
            "%s: %,d%s%s, %.1f s, %,.0f%s/s%s%s",
            task,
            done / unitSize,
            whole,
            unit,
            seconds,
            (double) done / unitSize / Math.max(seconds, 1e-3),
            unit,
            left(seconds),
            details.isEmpty() ? "" : ", " + details));
  }

  private String left(double seconds) {
    return done == 0 || done >= total
        ? ""
        : String.format(Locale.ROOT, ", %.0f s left", seconds * (total - done) / done);
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      out.println();
    } else {
      line();
    }
  }
}
