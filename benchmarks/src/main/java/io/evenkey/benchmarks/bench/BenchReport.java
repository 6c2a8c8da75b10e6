/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Prints the figures of a comparison as text or JSON. */
final class BenchReport {
  private BenchReport() {}

  /** One JSON document. */
  public static Map<String, Object> toMap(
      List<BenchRun> runs, BenchSettings settings, int servers) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("rows", settings.rows().count());
    if (settings.over() > 0) {
      document.put("over", settings.over());
    }
    document.put("encoding", settings.encoding().name());
    document.put("servers", servers);
    document.put("rounds", settings.rounds());
    document.put("runs", runs.stream().map(BenchRun::toMap).toList());
    return document;
  }

  /** A table, a row for each run. */
  public static List<List<String>> table(List<BenchRun> runs) {
    List<List<String>> table = new ArrayList<>();
    table.add(
        List.of(
            "WHAT",
            "BUCKETS",
            "PLAIN",
            "EVENKEY",
            "CLIENT",
            "NAIVE",
            "PHOENIX",
            "UNIT",
            "EVENKEY/PLAIN"));
    runs.forEach(run -> table.addAll(rows(run)));
    return table;
  }

  /** The row of one run, and rows of the time of its calls if that was measured. */
  public static List<List<String>> rows(BenchRun run) {
    List<List<String>> rows = new ArrayList<>(List.of(row(run)));
    if (run.figures().values().stream().anyMatch(figures -> figures.latency() != null)) {
      rows.add(latency(run, "p50", Latency::p50Millis));
      rows.add(latency(run, "p99", Latency::p99Millis));
    }
    return rows;
  }

  private static List<String> latency(
      BenchRun run, String name, ToDoubleFunction<Latency> percentile) {
    List<String> row = new ArrayList<>(List.of("  " + name, String.valueOf(run.buckets())));
    Map<String, Double> bySide = new LinkedHashMap<>();
    for (String side : BenchRun.SIDES) {
      BenchRun.Figures figures = run.figures().get(side);
      Latency latency = figures == null ? null : figures.latency();
      if (latency != null) {
        bySide.put(side, percentile.applyAsDouble(latency));
      }
      row.add(latency == null ? "–" : number(percentile.applyAsDouble(latency)));
    }
    row.add(Task.Unit.MILLISECONDS.toString());
    row.add(
        String.format(
            Locale.ROOT,
            "%.2f",
            bySide.getOrDefault("evenkey", Double.NaN) / bySide.getOrDefault("plain", Double.NaN)));
    return row;
  }

  private static List<String> row(BenchRun run) {
    List<String> row = new ArrayList<>(List.of(run.name(), String.valueOf(run.buckets())));
    for (String side : BenchRun.SIDES) {
      BenchRun.Figures figures = run.figures().get(side);
      row.add(figures == null ? "–" : number(figures.value()));
    }
    row.add(run.unit());
    row.add(ratio(run.ratio()));
    return row;
  }

  static String ratio(Quartiles ratio) {
    return String.format(
        Locale.ROOT, "%.2f (%.2f – %.2f)", ratio.median(), ratio.low(), ratio.high());
  }

  static String number(double value) {
    return String.format(Locale.ROOT, value >= 100 ? "%,.0f" : "%.2f", value);
  }
}
