/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints the figures of a comparison as text or JSON. */
public final class BenchReport {
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
            "WHAT", "BUCKETS", "PLAIN", "EVENKEY", "NAIVE", "PHOENIX", "UNIT", "EVENKEY/PLAIN"));
    runs.forEach(run -> table.add(row(run)));
    return table;
  }

  /** The row of one run. */
  public static List<String> row(BenchRun run) {
    List<String> row = new ArrayList<>(List.of(run.name(), String.valueOf(run.buckets())));
    for (String side : BenchRun.SIDES) {
      BenchRun.Figures figures = run.figures().get(side);
      row.add(figures == null ? "–" : number(figures.value()));
    }
    row.add(run.unit());
    row.add(
        String.format(
            Locale.ROOT,
            "%.2f (%.2f – %.2f)",
            run.ratio().median(),
            run.ratio().low(),
            run.ratio().high()));
    return row;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value >= 100 ? "%,.0f" : "%.2f", value);
  }
}
