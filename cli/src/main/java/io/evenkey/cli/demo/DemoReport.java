/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.demo;

import io.evenkey.report.heat.counters.WriteTrace;
import io.evenkey.report.terminal.Amount;
import io.evenkey.report.terminal.Prose;
import io.evenkey.report.terminal.Shades;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Prints a {@link DemoResult} as text, 80 columns wide. */
public final class DemoReport {
  private static final int STRIP = 48;
  private static final int BAR = 6;
  private static final int COLUMNS = 80;
  private static final int MOST_REGIONS_SHOWN = 32;
  private static final int FEW_RECORDS = 600;

  /** Smaller differences are not reported. */
  private static final double CLEARLY = 1.1;

  private final DemoResult result;
  private final List<String> tryNext;
  private final PrintStream out;

  private DemoReport(DemoResult result, List<String> tryNext, PrintStream out) {
    this.result = result;
    this.tryNext = tryNext;
    this.out = out;
  }

  /**
   * Prints the whole report.
   *
   * @param tryNext commands at its end, in lines
   */
  public static void print(DemoResult result, List<String> tryNext, PrintStream out) {
    DemoReport report = new DemoReport(result, tryNext, out);
    report.facts();
    report.table("NAIVE", result.naive());
    report.table("SPREAD", result.spread());
    report.comparison();
    report.collisions();
    report.closing();
  }

  private void facts() {
    WriteTrace trace = result.naive().trace();
    int windows = trace.windows().size();
    line("");
    line("Input    %s", result.input());
    line("         %s, in arrival order", Amount.of(result.records(), "record"));
    int spread = result.spread().trace().regions();
    // Of few keys, a plain table cannot be cut into as many.
    line(
        "HBase    %s; %s",
        Amount.of(result.servers(), "region server"),
        Amount.of(trace.regions(), "region")
            + (spread == trace.regions()
                ? " a table"
                : " for plain keys, " + spread + " for spread"));
    line("Measure  write requests as the region servers counted them,");
    line(
        "         in %s of about %s",
        Amount.of(windows, "window"), Amount.of(result.records() / windows, "record"));
  }

  private void table(String name, TableRun run) {
    WriteTrace trace = run.trace();
    line("");
    line("%-6s   %s", name, run.table().layout());
    line("               share of the writes, first window to last           total");
    rows("server", trace, WriteTrace.Window::byServer, trace.totalByServer());
    if (trace.regions() <= MOST_REGIONS_SHOWN) {
      line("");
      rows("region", trace, WriteTrace.Window::byRegion, trace.totalByRegion());
    }
  }

  private void rows(
      String what, WriteTrace trace, Function<WriteTrace.Window, long[]> loads, long[] totals) {
    long all = Math.max(1, Arrays.stream(totals).sum());
    long busiest = Math.max(1, Arrays.stream(totals).max().orElse(0));
    for (int i = 0; i < totals.length; i++) {
      int row = i;
      double[] shares =
          trace.windows().stream()
              .map(loads)
              .mapToDouble(load -> (double) load[row] / Math.max(1, Arrays.stream(load).sum()))
              .toArray();
      double total = (double) totals[i] / all;
      line(
          "  %-6s %3d   │%s│ %s %s",
          what,
          i + 1,
          Shades.strip(fitted(shares), 1),
          Shades.percent(total),
          Shades.bar((double) totals[i] / busiest, BAR));
    }
  }

  /** Downsamples values to the width of a strip, by means. */
  private static double[] fitted(double[] values) {
    double[] fitted = new double[STRIP];
    for (int i = 0; i < STRIP; i++) {
      int from = i * values.length / STRIP;
      int to = Math.max(from + 1, (i + 1) * values.length / STRIP);
      fitted[i] = Arrays.stream(values, from, to).average().orElse(0);
    }
    return fitted;
  }

  private void comparison() {
    TableRun naive = result.naive();
    TableRun spread = result.spread();
    line("");
    line("%-30s %9s %9s", "", "naive", "spread");
    compare(
        "skew over servers, per window",
        TableRun::serverSkew,
        "1 is even, %d is one server",
        result.servers());
    compare(
        "skew over regions, per window",
        TableRun::regionSkew,
        "1 is even, %d is one region",
        spread.trace().regions());
    line(
        "%-30s %9s %9s  %s",
        "same rows, order and values",
        verdict(naive),
        verdict(spread),
        spread.check().merged() ? "merged as they were read" : "sorted after reading");
    result.differences().forEach(difference -> line("  WRONG: %s", difference));
    if (!spread.check().merged()) {
      line("This layout does not support ordered scans: its rows were sorted here.");
    }
  }

  private void compare(String what, ToDoubleFunction<TableRun> figure, String scale, int worst) {
    line(
        "%-30s %9.2f %9.2f  " + scale,
        what,
        figure.applyAsDouble(result.naive()),
        figure.applyAsDouble(result.spread()),
        worst);
  }

  private static String verdict(TableRun run) {
    return run.check().passed() ? "yes" : "NO";
  }

  private void collisions() {
    DuplicateKeys lost = result.collisions();
    if (lost.records() == 0) {
      return;
    }
    line("");
    line(
        "FAULT OF THE LAYOUT: %,d of %,d records have the key of another one,",
        lost.records(), result.records());
    line("and HBase keeps one row for a key, the latest. For example:");
    lost.examples().forEach(example -> line("  %s", example));
    out.println(Prose.wrapped("Remedy: " + lost.proposal(), COLUMNS));
  }

  private void closing() {
    double naive = result.naive().serverSkew();
    double spread = result.spread().serverSkew();
    int servers = result.servers();
    line("");
    if (result.spread().table().layout().isPlain()) {
      line("This layout spreads nothing, so both tables did the same: put salt(N) in front.");
    } else if (result.records() < FEW_RECORDS) {
      line(
          "With %s chance decides where they go: try some thousands.",
          Amount.of(result.records(), "record"));
    } else if (naive > spread * CLEARLY) {
      line("At any moment of the load, plain keys gave the busiest of %d region servers", servers);
      line("%.1f times its share of the writes; spread keys gave it %.2f times.", naive, spread);
      line(
          "Read back, both gave the same %s in the same logical order.",
          Amount.of(result.spread().check().rows(), "row"));
    } else if (spread > naive * CLEARLY) {
      line(
          "The spread keys are less even (%.2f) than the plain ones (%.2f): one value of",
          spread, naive);
      line("the fields that the prefix hashes has too large a share. Hash more of the key.");
    } else {
      line("These plain keys do not grow with arrival: they are about as even (%.2f)", naive);
      line("as the spread ones (%.2f), and this load needs no salt for its writes.", spread);
    }
    unevenBuckets();
    line("Try next:");
    tryNext.forEach(command -> line("  %s", command));
  }

  private void unevenBuckets() {
    int buckets = result.plan().layout().buckets().orElse(0);
    int servers = result.servers();
    if (buckets % servers != 0 && buckets < 20 * servers) {
      int more = buckets / servers + 1;
      line(
          "%s cannot be distributed evenly over %s; %d can.",
          Amount.of(buckets, "bucket"), Amount.of(servers, "server"), more * servers);
    }
  }

  private void line(String format, Object... arguments) {
    out.println(String.format(Locale.ROOT, format, arguments));
  }
}
