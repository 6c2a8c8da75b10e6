/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.heat.history;

import io.evenkey.app.heat.counters.Skew;
import io.evenkey.layout.Layout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Describes in words the load that the last columns of a table show. Stateless.
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

  private static final double UNEVEN = 2;
  private static final double EVEN = 1.5;

  private final String table;
  private final @Nullable Layout layout;
  private final List<TableHeat> strips;
  private final Axis axis;
  private final List<Finding> findings = new ArrayList<>();

  private Diagnosis(String table, @Nullable Layout layout, List<TableHeat> strips) {
    this.table = table;
    this.layout = layout;
    this.strips = strips;
    this.axis = Axis.union(strips);
  }

  /**
   * The findings of all existing tables, the worst first.
   *
   * @param columns at least one, in time order
   */
  static List<Finding> of(List<HeatColumn> columns, Map<String, Layout> layouts) {
    Map<String, List<TableHeat>> byTable = new TreeMap<>();
    HeatColumn newest = columns.get(columns.size() - 1);
    for (HeatColumn column : columns) {
      for (TableHeat strip : column.strips()) {
        if (!OwnNamespace.has(strip.table()) && newest.strip(strip.table()) != null) {
          byTable.computeIfAbsent(strip.table(), name -> new ArrayList<>()).add(strip);
        }
      }
    }
    List<Finding> all = new ArrayList<>();
    byTable.forEach(
        (table, strips) -> all.addAll(new Diagnosis(table, layouts.get(table), strips).findings()));
    all.sort((a, b) -> Integer.compare(b.severity(), a.severity()));
    return all;
  }

  private List<Finding> findings() {
    boolean wrote = look(Measure.WRITES);
    boolean read = look(Measure.READS);
    if (!wrote && !read) {
      findings.add(new Finding(table, "idle", 0, "No client reads or writes it.", ""));
    }
    boolean even = findings.stream().noneMatch(finding -> finding.severity() > 0);
    if (wrote && even && layout != null) {
      BucketLoad.of(strips)
          .outgrown(table, layout)
          .ifPresent(text -> findings.add(new Finding(table, "outgrown", 1, text, "")));
    }
    return findings;
  }

  private boolean look(Measure measure) {
    double[] total = new double[axis.size()];
    Map<String, Double> servers = new TreeMap<>();
    List<Integer> hottest = new ArrayList<>();
    double hotShare = 0;
    int busyColumns = 0;
    for (TableHeat strip : strips) {
      double all = 0;
      int hot = 0;
      for (int span = 0; span < strip.size(); span++) {
        all += strip.value(measure, span);
        if (strip.value(measure, span) > strip.value(measure, hot)) {
          hot = span;
        }
        servers.merge(strip.server(span), (double) strip.value(measure, span), Double::sum);
      }
      axis.lay(strip, (at, span, share) -> total[at] += strip.value(measure, span) * share);
      if (all >= BUSY) {
        busyColumns++;
        hotShare += strip.value(measure, hot) / all;
        hottest.add(axis.spanOf(strip.start(hot)));
      }
    }
    if (busyColumns == 0) {
      return false;
    }
    hotShare /= busyColumns;
    servers.remove("");
    int regions = strips.get(strips.size() - 1).size();
    if (regions > 1 && hotShare >= Math.max(HOT_SHARE, 2.0 / regions)) {
      hot(measure, hottest, hotShare, regions);
    } else {
      spread(measure, total, servers, regions);
    }
    return true;
  }

  private void hot(Measure measure, List<Integer> hottest, double share, int regions) {
    String what = measure == Measure.WRITES ? "writes" : "reads";
    String percent = String.format(Locale.ROOT, "%.0f %%", 100 * share);
    int places = new TreeSet<>(hottest).size();
    int ups = 0;
    int moves = 0;
    for (int i = 1; i < hottest.size(); i++) {
      ups += hottest.get(i) > hottest.get(i - 1) ? 1 : 0;
      moves += hottest.get(i).equals(hottest.get(i - 1)) ? 0 : 1;
    }
    boolean rising = moves > 0 && ups >= RISING * moves;
    int last = hottest.get(hottest.size() - 1);
    TableHeat newest = strips.get(strips.size() - 1);
    boolean atTheEnd = newest.spanOf(axis.starts()[last]) == newest.size() - 1;
    if (measure == Measure.WRITES && rising && (places > 2 || atTheEnd && places > 1)) {
      add(
          "sequential",
          2,
          "A single rising diagonal: keys grow, and %s of all writes go to one of %d regions at a time."
              + " Keys are sequential; see advice.",
          "advice",
          percent,
          regions);
    } else if (measure == Measure.WRITES && atTheEnd && places == 1) {
      add(
          "last-region",
          2,
          "%s of all writes go to the last of %d regions: keys grow, so that new rows are always last."
              + " Splitting will not help; see advice.",
          "advice",
          percent,
          regions);
    } else if (places == 1) {
      add(
          "hot-region",
          2,
          "%s of all %s go to one of %d regions, from %s on: one hot key, or few. %s",
          "hotkeys",
          percent,
          what,
          regions,
          label(axis.starts()[last]),
          layout == null || layout.isPlain()
              ? "A spread would separate them; see advice."
              : "See the hot keys of the table; rows of one entity need more variants, or a salt of the"
                  + " whole key.");
    } else {
      add(
          "moving-hot-spot",
          1,
          "%s of all %s go to one of %d regions at a time, and not always the same one: work in the order"
              + " of keys, such as a full scan or a sorted load.",
          "advice",
          percent,
          what,
          regions);
    }
  }

  private void spread(Measure measure, double[] total, Map<String, Double> servers, int regions) {
    String what = measure == Measure.WRITES ? "Writes" : "Reads";
    double regionSkew = skew(total);
    double serverSkew = skew(servers.values().stream().mapToDouble(Double::doubleValue).toArray());
    if (serverSkew >= EVEN && regionSkew < UNEVEN && servers.size() > 1) {
      add(
          "uneven-servers",
          1,
          "%s are even over the regions (skew %.2f) but not over the servers (%.2f): regions are badly"
              + " placed, or too few for %d servers. Balance, or plan more regions.",
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
          "%s are even: skew %.2f over %d regions, %.2f over %d servers.",
          "",
          what,
          regionSkew,
          regions,
          serverSkew,
          servers.size());
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
        new Finding(table, kind, severity, String.format(Locale.ROOT, format, values), remedy));
  }
}
