/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.terminal;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Shows the progress of a task: a bar with what is done and the remaining time on a terminal;
 * otherwise a plain line every ten seconds and one at the end. Not thread-safe.
 */
public final class Progress implements AutoCloseable {
  private static final long LINE_EVERY_NANOS = Duration.ofSeconds(10).toNanos();

  /** The rate and the remaining time of a shorter run are noise. */
  private static final double LEAST_SECONDS = 1;

  private static final String PERCENT = " %";
  private static final String MEGABYTES = " MB";
  private static final String KILOBYTES = " kB";
  private static final double MEGABYTE = 1 << 20;
  private static final double KILOBYTE = 1 << 10;
  private static final String CLEAR_TO_END = "\u001b[K";

  private final PrintStream out;
  private final String task;
  private final long total;
  private final String unit;
  private final long start = System.nanoTime();
  private final @Nullable ProgressBar bar;

  // The library draws the bar in a thread of its own.
  private volatile String details = "";
  private volatile long done;
  private volatile boolean stopped;
  private long nextLine = start + LINE_EVERY_NANOS;

  private Progress(PrintStream out, int columns, String task, long total, String unit) {
    this.out = out;
    this.task = task;
    this.total = total;
    this.unit = unit;
    this.bar = columns == 0 ? null : bar(columns);
  }

  /**
   * Starts to show progress.
   *
   * @param out the output
   * @param columns the width of the terminal behind {@code out}, or 0 if it is not a terminal
   * @param task the task in a few words
   * @param total the total number of units, or 0 if unknown
   * @param unit the unit, such as " rows"; " %" for a task that knows only its share
   */
  public static Progress of(PrintStream out, int columns, String task, long total, String unit) {
    return new Progress(out, columns, task, total, unit);
  }

  /**
   * Starts to show the progress of a task that counts bytes; it is shown in megabytes, or in
   * kilobytes if there is less than a tenth of one, or as a count if there is less than a kilobyte.
   *
   * @param total the total number of bytes, or 0 if unknown
   */
  public static Progress ofBytes(PrintStream out, int columns, String task, long total) {
    if (total > 0 && total < KILOBYTE) {
      return new Progress(out, columns, task, total, " bytes");
    }
    boolean isSmall = total > 0 && total < MEGABYTE / 10;
    return new Progress(out, columns, task, total, isSmall ? KILOBYTES : MEGABYTES);
  }

  /** Starts to show the progress of a task of which only the share is known that is done. */
  public static Progress ofShare(PrintStream out, int columns, String task) {
    return new Progress(out, columns, task, 100, PERCENT);
  }

  // The library's own console output takes over the terminal's signals: Ctrl-C would kill this
  // process immediately, with its HBase running.
  private ProgressBar bar(int columns) {
    return new ProgressBarBuilder()
        .setTaskName(task)
        .setInitialMax(total == 0 ? -1 : total)
        .setUpdateIntervalMillis(100)
        .setRenderer((state, width) -> drawn(width))
        .setConsumer(new DelegatingProgressBarConsumer(this::draw, Math.max(40, columns - 1)))
        .build();
  }

  private void draw(String line) {
    if (!stopped) {
      out.print("\r" + line + CLEAR_TO_END);
    }
  }

  /** Draws no more, for a process that ends. */
  public void stop() {
    stopped = true;
  }

  /** Sets the number of finished units. */
  public void to(long count) {
    done = count;
    if (bar != null) {
      bar.stepTo(count);
    } else if (System.nanoTime() > nextLine) {
      nextLine += LINE_EVERY_NANOS;
      out.println(task + ": " + String.join(", ", facts()));
    }
  }

  /** Like {@link #to(long)}, with an additional text, such as another rate. */
  public void to(long count, String detail) {
    details = detail;
    to(count);
  }

  // A third of the line is the bar's, whatever there is to say: facts that do not fit are left out,
  // the least important ones first.
  private String drawn(int width) {
    int strip = total == 0 ? 0 : (width + 2) / 3;
    String name = task.length() <= width / 3 ? task : task.substring(0, width / 3 - 1) + "…";
    StringBuilder line = new StringBuilder(name).append(' ');
    if (total > 0) {
      double share = (double) done / total;
      int inside = strip - 2;
      String filled = Shades.bar(share, inside);
      line.append('│').append(filled).append(" ".repeat(inside - filled.length())).append("│ ");
    }
    String separator = "";
    for (String fact : facts()) {
      if (line.length() + separator.length() + fact.length() <= width) {
        line.append(separator).append(fact);
        separator = ", ";
      }
    }
    return line.toString();
  }

  /** The known figures, the most important first. */
  private List<String> facts() {
    List<String> facts = new ArrayList<>();
    double seconds = (System.nanoTime() - start) / 1e9;
    if (unit.equals(PERCENT)) {
      facts.add(done + PERCENT);
    } else {
      String of = total == 0 ? "" : " of " + amount(total);
      facts.add(amount(done) + of + unit(total == 0 ? done : total));
    }
    boolean finished = total > 0 && done >= total;
    if (total == 0 || finished) {
      facts.add(time(seconds));
    } else if (done > 0 && seconds >= LEAST_SECONDS) {
      facts.add(time(seconds * (total - done) / done) + " left");
    }
    if (!details.isEmpty()) {
      facts.add(details);
    }
    if (!unit.equals(PERCENT) && seconds >= LEAST_SECONDS) {
      long rate = Math.round(done / seconds);
      if (rate > 0 || done == 0) {
        facts.add(amount(rate) + unit(rate) + "/s");
      }
    }
    return facts;
  }

  private String unit(long count) {
    return count == 1 && unit.endsWith("s") ? unit.substring(0, unit.length() - 1) : unit;
  }

  private String amount(long count) {
    if (unit.equals(MEGABYTES) || unit.equals(KILOBYTES)) {
      double size = count / (unit.equals(MEGABYTES) ? MEGABYTE : KILOBYTE);
      return String.format(Locale.ROOT, size < 9.95 ? "%.1f" : "%,.0f", size);
    }
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** A duration in the units of a person who waits. */
  private static String time(double seconds) {
    if (seconds < 9.95) {
      return String.format(Locale.ROOT, "%.1f s", seconds);
    }
    long whole = Math.round(seconds);
    if (whole < 120) {
      return whole + " s";
    }
    return whole < 7200 ? (whole + 30) / 60 + " min" : (whole + 1800) / 3600 + " h";
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      if (!stopped) {
        out.println();
      }
    } else if (!stopped) {
      out.println(task + ": " + String.join(", ", facts()));
    }
  }
}
