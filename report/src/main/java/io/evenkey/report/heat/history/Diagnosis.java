/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import io.evenkey.layout.Layout;
import io.evenkey.report.heat.counters.Skew;
import io.evenkey.report.terminal.Amount;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Describes in words the load that columns of a table show, since the last change of its layout or
 * regions: what a change has cured is not found again.
 *
 * <p>Growing keys are one hot span that only moves up or stays last. A hot key or entity is a hot
 * span that stays in place. Too few buckets are uneven servers although every region is busy.
 */
final class Diagnosis {
  /** Minimum requests per second for a finding: a single client makes more. */
  private static final double BUSY = 20;

  private static final double HOT_SHARE = 0.5;

  /**
   * The share of upward moves of the hottest span that shows growing keys; a load that restarts
   * moves down.
   */
  private static final double RISING = 0.75;

  /** The number of busy columns that show whether a hot span stays or moves. */
  private static final int ENOUGH = 3;

  private static final double UNEVEN = 2;
  private static final double EVEN = 1.5;

  /** Below this rate of requests a second, a table with a single region is no problem. */
  private static final double MANY_READS = 1_000;

  private static final double MANY_WRITES = 100;

  /** A salt without the fields that it depends on. */
  private static final Pattern WHOLE_KEY = Pattern.compile("^salt\\(\\d+[;)]");

  private final String table;
  private final @Nullable Layout layout;

  /** Since the last change of regions: they show whether the load is even. */
  private final List<TableHeat> strips;

  /** Since the last change of rows: they show how a hot span moves. */
  private final List<TableHeat> generation;

  private final Axis axis;
  private final int liveServers;
  private final HeatTimes times;
  private final List<Finding> findings = new ArrayList<>();

  private Diagnosis(
      String table,
      @Nullable Layout layout,
      List<TableHeat> strips,
      List<TableHeat> generation,
      int liveServers,
      HeatTimes times) {
    this.table = table;
    this.layout = layout;
    this.strips = strips;
    this.generation = generation;
    this.axis = Axis.union(strips);
    this.liveServers = liveServers;
    this.times = times;
  }

  /**
   * The findings of all tables that the last column has, the worst first.
   *
   * @param columns at least one, in time order
   * @param earlier all columns up to the last one, which show since when a load is as it is
   */
  static List<Finding> of(List<HeatColumn> columns, List<HeatColumn> earlier, LayoutTimes layouts) {
    HeatColumn newest = columns.get(columns.size() - 1);
    Map<String, Long> split = new HashMap<>();
    for (HeatColumn column : columns) {
      for (RegionEvent mark : column.marks()) {
        if (mark.kind() == RegionEvent.Kind.SPLIT || mark.kind() == RegionEvent.Kind.MERGE) {
          split.merge(mark.table(), mark.at(), Math::max);
        }
      }
    }
    int servers =
        (int)
            newest.strips().stream()
                .flatMap(TableHeat::servers)
                .filter(server -> !server.isEmpty())
                .distinct()
                .count();
    List<Finding> all = new ArrayList<>();
    for (TableHeat last : newest.strips()) {
      String table = last.table();
      if (OwnNamespace.has(table)) {
        continue;
      }
      long changed = layouts.changedAt(table, newest.to(), Long.MIN_VALUE);
      long since = Math.max(changed, split.getOrDefault(table, Long.MIN_VALUE));
      List<TableHeat> strips = new ArrayList<>();
      List<TableHeat> generation = new ArrayList<>();
      for (HeatColumn column : columns) {
        TableHeat strip = column.strip(table);
        if (strip == null) {
          continue;
        }
        // The regions of a split count from it on, those of another generation from later on.
        boolean present = column.equals(newest) && column.to() > changed;
        if (present || column.from() >= since) {
          strips.add(strip);
        }
        if (present || column.from() >= changed) {
          generation.add(strip);
        }
      }
      if (!strips.isEmpty()) {
        Layout layout = layouts.of(table, newest.to());
        HeatTimes times = new HeatTimes(table, earlier, changed);
        all.addAll(new Diagnosis(table, layout, strips, generation, servers, times).findings());
      }
    }
    all.sort((a, b) -> Integer.compare(b.severity(), a.severity()));
    return all;
  }

  private List<Finding> findings() {
    boolean wrote = look(Measure.WRITES);
    boolean read = look(Measure.READS);
    if (!wrote && !read) {
      add("idle", 0, "No client reads or writes it.", "");
    }
    boolean even = findings.stream().noneMatch(finding -> finding.severity() > 0);
    if (wrote && even && layout != null) {
      BucketLoad.of(strips)
          .outgrown(layout)
          .ifPresent(text -> findings.add(new Finding(table, "outgrown", 1, text, "step", 0, "")));
    }
    return findings;
  }

  private boolean look(Measure measure) {
    double[] total = new double[axis.size()];
    double hotShare = 0;
    double rate = 0;
    int busyColumns = 0;
    for (TableHeat strip : strips) {
      double all = 0;
      int hot = 0;
      for (int span = 0; span < strip.size(); span++) {
        all += strip.value(measure, span);
        if (strip.value(measure, span) > strip.value(measure, hot)) {
          hot = span;
        }
      }
      axis.lay(strip, (at, span, share) -> total[at] += strip.value(measure, span) * share);
      if (all >= BUSY) {
        busyColumns++;
        rate += all;
        hotShare += strip.value(measure, hot) / all;
      }
    }
    if (busyColumns == 0) {
      return false;
    }
    hotShare /= busyColumns;
    rate /= busyColumns;
    TableHeat newest = strips.get(strips.size() - 1);
    // Where the regions are now: a region that was moved takes its load with it.
    Map<String, Double> servers = new TreeMap<>();
    axis.lay(
        newest, (at, span, share) -> servers.merge(newest.server(span), total[at], Double::sum));
    servers.remove("");
    int regions = newest.size();
    if (regions == 1) {
      oneRegion(measure, rate);
    } else if (regions > 1 && hotShare >= Math.max(HOT_SHARE, 2.0 / regions)) {
      hot(measure, hottest(measure), hotShare, regions);
    } else {
      spread(measure, total, servers, regions);
    }
    return true;
  }

  /** A hot span. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record HotSpan(byte[] start, byte[] end) {
    boolean overlaps(HotSpan other) {
      return (end.length == 0 || Arrays.compareUnsigned(other.start, end) < 0)
          && (other.end.length == 0 || Arrays.compareUnsigned(start, other.end) < 0);
    }
  }

  /** The hot spans in time order; one that only became longer or shorter is the same one. */
  private List<HotSpan> hottest(Measure measure) {
    List<HotSpan> hottest = new ArrayList<>();
    for (TableHeat strip : generation) {
      double all = 0;
      int hot = 0;
      for (int span = 0; span < strip.size(); span++) {
        all += strip.value(measure, span);
        hot = strip.value(measure, span) > strip.value(measure, hot) ? span : hot;
      }
      if (all >= BUSY && strip.value(measure, hot) >= HOT_SHARE * all) {
        HotSpan now = new HotSpan(strip.start(hot), strip.end(hot));
        HotSpan before = hottest.isEmpty() ? now : hottest.get(hottest.size() - 1);
        hottest.add(before.overlaps(now) ? before : now);
      }
    }
    return hottest;
  }

  private static String named(Measure measure) {
    return measure == Measure.WRITES ? "writes" : "reads";
  }

  private boolean isSpread() {
    return layout != null && !layout.isPlain();
  }

  private int buckets() {
    return layout == null ? 0 : layout.buckets().orElse(0);
  }

  /** The cost of one server having a share of the load. */
  private String cost(double share) {
    if (liveServers < 2 || share * liveServers < EVEN) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        "One server carries %.0f %% of it at a time, %.1f times an even share of %d servers: the"
            + " table cannot grow beyond what that server can do.",
        100 * share,
        share * liveServers,
        liveServers);
  }

  private void oneRegion(Measure measure, double rate) {
    boolean writes = measure == Measure.WRITES;
    int severity = rate >= (writes ? MANY_WRITES : MANY_READS) ? writes ? 2 : 1 : 0;
    String text =
        String.format(
            Locale.ROOT,
            "All %,.0f %s/s go to the table's only region, and so to one server.",
            rate,
            named(measure));
    if (severity == 0 || liveServers < 2) {
      add("one-region", 0, text, "");
    } else if (isSpread()) {
      hot("one-region", severity, measure, text + " " + needsRegions(1), "regions", 1);
    } else {
      hot(
          "one-region",
          severity,
          measure,
          text + " Where keys grow, splitting will not help; see advice.",
          "advice",
          1);
    }
  }

  private String needsRegions(int regions) {
    return String.format(
        Locale.ROOT,
        "Its layout spreads the keys, but %d buckets share %s: it needs regions, cut between the"
            + " buckets.",
        Math.max(2, buckets()),
        Amount.of(regions, "region"));
  }

  private void hot(
      String kind, int severity, Measure measure, String text, String remedy, double share) {
    findings.add(
        new Finding(
            table, kind, severity, text, remedy, times.hotSince(measure, BUSY), cost(share)));
  }

  private void hot(Measure measure, List<HotSpan> hottest, double share, int regions) {
    String what = named(measure);
    String percent = String.format(Locale.ROOT, "%.0f %%", 100 * share);
    TreeSet<byte[]> starts = new TreeSet<>(Arrays::compareUnsigned);
    int ups = 0;
    int moves = 0;
    for (int i = 0; i < hottest.size(); i++) {
      starts.add(hottest.get(i).start);
      int way = i == 0 ? 0 : Arrays.compareUnsigned(hottest.get(i).start, hottest.get(i - 1).start);
      ups += way > 0 ? 1 : 0;
      moves += way == 0 ? 0 : 1;
    }
    int places = starts.size();
    boolean rising = moves > 0 && ups >= RISING * moves;
    byte[] last = hottest.get(hottest.size() - 1).start;
    TableHeat newest = strips.get(strips.size() - 1);
    boolean atTheEnd = newest.spanOf(last) == newest.size() - 1;
    if (measure == Measure.WRITES && rising && (places > 2 || atTheEnd && places > 1)) {
      hot(
          "sequential",
          2,
          measure,
          String.format(
              Locale.ROOT,
              "A single rising diagonal: keys grow, and %s of all writes go to one of %d regions at"
                  + " a time. Keys are sequential; see advice.",
              percent,
              regions),
          "advice",
          share);
    } else if (measure == Measure.WRITES && atTheEnd && places == 1) {
      hot(
          "last-region",
          2,
          measure,
          String.format(
              Locale.ROOT,
              "%s of all writes go to the last of %d regions: keys grow, so that new rows are"
                  + " always last. Splitting will not help; see advice.",
              percent,
              regions),
          "advice",
          share);
    } else if (places == 1) {
      String where =
          String.format(
              Locale.ROOT,
              "%s of all %s go to one of %d regions, from %s on",
              percent,
              what,
              regions,
              label(last));
      if (isSpread() && regions < buckets()) {
        hot("hot-region", 2, measure, where + ". " + needsRegions(regions), "regions", share);
      } else {
        hot(
            "hot-region",
            2,
            measure,
            where
                + (hottest.size() < ENOUGH
                    ? ": a hot key, or keys that grow; more readings will tell which. "
                    : ": one hot key, or few. ")
                + separated(),
            isSpread() ? "hotkeys" : "advice",
            share);
      }
    } else {
      add(
          "moving-hot-spot",
          1,
          "%s of all %s go to one of %d regions at a time, and not always the same one: work in the"
              + " order of keys, such as a full scan or a sorted load.",
          "advice",
          percent,
          what,
          regions);
    }
  }

  private String separated() {
    if (!isSpread()) {
      return "A spread would separate them; see advice.";
    }
    return WHOLE_KEY.matcher(String.valueOf(layout)).find()
        ? "Its salt hashes the whole key, so only requests for the same few rows can meet in one"
            + " region: see the table's hot keys."
        : "See the hot keys of the table; rows of one entity need more variants, or a salt of the"
            + " whole key.";
  }

  private void spread(Measure measure, double[] total, Map<String, Double> servers, int regions) {
    String what = measure == Measure.WRITES ? "Writes" : "Reads";
    double regionSkew = skew(total);
    double serverSkew = skew(servers.values().stream().mapToDouble(Double::doubleValue).toArray());
    if (serverSkew >= EVEN && regionSkew < UNEVEN && servers.size() > 1) {
      add(
          "uneven-servers",
          1,
          "%s are even over the regions (skew %.2f) but not over the servers (%.2f): regions are"
              + " badly placed, or too few for %d servers. Balance, or split regions.",
          "plan",
          what,
          regionSkew,
          serverSkew,
          servers.size());
    } else if (regionSkew >= UNEVEN) {
      add(
          "uneven-regions",
          1,
          "%s are uneven: the busiest of %d regions takes %.1f times its share.",
          layout == null ? "advice" : "hotkeys",
          what,
          regions,
          regionSkew);
    } else {
      add(
          "even",
          0,
          "%s are even: skew %.2f over %s, %.2f over %s.",
          "",
          what,
          regionSkew,
          Amount.of(regions, "region"),
          serverSkew,
          Amount.of(servers.size(), "server"));
    }
  }

  private static double skew(double[] load) {
    long[] scaled = new long[load.length];
    Arrays.setAll(scaled, i -> Math.round(load[i] * 1000));
    return Skew.of(scaled);
  }

  private String label(byte[] start) {
    if (start.length == 0) {
      return "the table's beginning";
    }
    return KeyLabel.of(layout, start);
  }

  private void add(String kind, int severity, String format, String remedy, Object... values) {
    findings.add(
        new Finding(
            table, kind, severity, String.format(Locale.ROOT, format, values), remedy, 0, ""));
  }
}
