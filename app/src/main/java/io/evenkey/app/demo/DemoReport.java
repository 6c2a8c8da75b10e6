package io.evenkey.app.demo;

import io.evenkey.app.terminal.Shades;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Draws a {@link DemoResult} for people. */
public final class DemoReport {
  private static final int STRIP = 60;
  private static final int BAR = 24;
  private static final int MOST_REGIONS_SHOWN = 32;

  private final DemoResult result;
  private final PrintStream out;

  private DemoReport(DemoResult result, PrintStream out) {
    this.result = result;
    this.out = out;
  }

  /** Prints the whole report. */
  public static void print(DemoResult result, PrintStream out) {
    DemoReport report = new DemoReport(result, out);
    report.facts();
    for (TableRun run : List.of(result.naive(), result.spread())) {
      report.table(run);
    }
    report.comparison();
    report.collisions();
    report.closing();
  }

  private void facts() {
    int windows = result.naive().trace().windows().size();
    line("");
    line(
        "Input    %s: %,d records, in the order in which they arrived",
        result.input(), result.records());
    line(
        "HBase    %d region servers; each table cut into %d regions",
        result.servers(), result.naive().trace().regions());
    line(
        "Measure  write requests as the region servers counted them, in %,d windows of about %,d"
            + " records",
        windows, result.records() / windows);
  }

  private void table(TableRun run) {
    WriteTrace trace = run.trace();
    line("");
    line("%s   %s", name(run).toUpperCase(Locale.ROOT), run.table().layout());
    line(
        "  region server   share of the writes, from the first window to the last%stotal",
        " ".repeat(6));
    rows("server", trace, WriteTrace.Window::byServer, trace.totalByServer(), 1.0);
    if (trace.regions() <= MOST_REGIONS_SHOWN) {
      line("  region");
      rows("region", trace, WriteTrace.Window::byRegion, trace.totalByRegion(), 1.0);
    }
  }

  private static String name(TableRun run) {
    return run.table().name().getQualifierAsString().replace("demo_", "");
  }

  private void rows(
      String what,
      WriteTrace trace,
      Function<WriteTrace.Window, long[]> loads,
      long[] totals,
      double most) {
    long all = Math.max(1, Arrays.stream(totals).sum());
    for (int i = 0; i < totals.length; i++) {
      int row = i;
      double[] shares =
          trace.windows().stream()
              .mapToDouble(
                  window -> {
                    long[] load = loads.apply(window);
                    return (double) load[row] / Math.max(1, Arrays.stream(load).sum());
                  })
              .toArray();
      line(
          "  %-6s %3d     │%s│ %s %s",
          what,
          i + 1,
          Shades.strip(folded(shares), most),
          Shades.percent((double) totals[i] / all),
          Shades.bar((double) totals[i] / all, BAR));
    }
  }

  /** As many values as a line holds, each the mean of those it stands for. */
  private static double[] folded(double[] values) {
    if (values.length <= STRIP) {
      return values;
    }
    double[] folded = new double[STRIP];
    for (int i = 0; i < STRIP; i++) {
      int from = i * values.length / STRIP;
      int to = (i + 1) * values.length / STRIP;
      folded[i] = Arrays.stream(values, from, to).average().orElse(0);
    }
    return folded;
  }

  private void comparison() {
    TableRun naive = result.naive();
    TableRun spread = result.spread();
    line("");
    line("%-38s %12s %12s", "", "naive", "spread");
    line(
        "%-38s %12.2f %12.2f   1.00 is even, %d.00 is one server",
        "skew over region servers, per window",
        naive.trace().serverSkew(),
        spread.trace().serverSkew(),
        result.servers());
    line(
        "%-38s %12.2f %12.2f   1.00 is even, %d.00 is one region",
        "skew over regions, per window",
        naive.trace().regionSkew(),
        spread.trace().regionSkew(),
        naive.trace().regions());
    line(
        "%-38s %12s %12s   rows/s",
        "read back, all rows",
        rate(naive, naive.check().seconds()),
        rate(spread, spread.check().seconds()));
    line(
        "%-38s %12s %12s   %s",
        "same rows, same order, same values", verdict(naive), verdict(spread), order(spread));
    result.differences().forEach(difference -> line("  WRONG: %s", difference));
  }

  private static String rate(TableRun run, double seconds) {
    return String.format(Locale.ROOT, "%,.0f", run.check().rows() / Math.max(seconds, 1e-3));
  }

  private static String verdict(TableRun run) {
    return run.check().passed() ? "yes" : "NO";
  }

  private static String order(TableRun spread) {
    return spread.check().merged()
        ? "merged in logical order as they were read"
        : "sorted here: this layout cannot be read in logical order";
  }

  private void collisions() {
    Collisions lost = result.collisions();
    if (lost.records() == 0) {
      return;
    }
    line("");
    line(
        "FAULT OF THE LAYOUT: %,d of %,d records have the key of another one, and HBase keeps one row"
            + " for a key.",
        lost.records(), result.records());
    lost.examples().forEach(example -> line("  %s", example));
    line("  Remedy: %s", lost.proposal());
  }

  private void closing() {
    double naive = result.naive().trace().serverSkew();
    double spread = result.spread().trace().serverSkew();
    line("");
    if (result.spread().table().layout().isPlain()) {
      line(
          "This layout spreads nothing, so both tables did the same. Put salt(%d) in front of it.",
          16);
    } else if (naive > spread * 1.1) {
      line(
          "With plain keys the busiest of %d region servers took %.1f times its share at any moment of"
              + " the load;%nspread by the layout it took %.2f times. The %,d rows came back in the"
              + " same logical order from both.",
          result.servers(), naive, spread, result.spread().check().rows());
    } else {
      line(
          "These plain keys do not grow with arrival, so they are about as even (%.2f) as the spread"
              + " ones (%.2f):%nthis load does not need a salt for its writes.",
          naive, spread);
    }
    unevenBuckets();
    line("Try next:");
    line(
        "  ./evenkey explain '%s' --set …   # the bytes of one key, part by part",
        result.plan().layout());
    line("  ./evenkey demo --csv FILE --key COLUMN,…          # your own records");
    line(
        "  ./evenkey dev                                     # an HBase to keep, for your application");
  }

  private void unevenBuckets() {
    var buckets = result.plan().layout().buckets();
    if (buckets.isPresent()
        && buckets.getAsInt() % result.servers() != 0
        && buckets.getAsInt() < 20 * result.servers()) {
      int even = (buckets.getAsInt() / result.servers() + 1) * result.servers();
      line(
          "%d buckets cannot be dealt out evenly to %d servers: %d would be.",
          buckets.getAsInt(), result.servers(), even);
    }
  }

  private void line(String format, Object... arguments) {
    out.println(String.format(Locale.ROOT, format, arguments));
  }
}
