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
 * How far a piece of work is: a bar with rate and time left on a terminal, a plain line every ten
 * seconds and one at the end where output is piped. Not thread-safe.
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
   * @param out where to
   * @param columns how wide the terminal behind {@code out} is, or 0 if there is none
   * @param task what is done, in a few words
   * @param total how many make the whole
   * @param unit of what, as in " rows"
   */
  public static Progress of(PrintStream out, int columns, String task, long total, String unit) {
    return of(out, columns, task, total, unit, 1);
  }

  /**
   * Starts to show the progress of what is counted in bytes, and shown in megabytes.
   *
   * @param total how many bytes make the whole, or 0 if that is not known
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
  // process on the spot, with its HBase running.
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

  /** Says how many are done. */
  public void to(long count) {
    done = count;
    if (bar != null) {
      bar.stepTo(count);
    } else if (System.nanoTime() > nextLine) {
      nextLine += LINE_EVERY_NANOS;
      line();
    }
  }

  /** As {@link #to(long)}, with something to say besides, such as a rate of another kind. */
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
