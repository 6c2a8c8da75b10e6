/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import io.evenkey.report.json.SkewJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a step costs: while it is taken, and afterwards. Immutable.
 *
 * @param step the step itself
 * @param writeSkew writes after the step, of the busiest server divided by the mean
 * @param runs operations on the table, beside tables that did not grow
 */
record Growth(GrowthStep step, double writeSkew, List<GrowthRun> runs) {
  /** Copies the list. */
  public Growth {
    runs = List.copyOf(runs);
  }

  /** One JSON document. */
  public Map<String, Object> toMap(GrowthSettings settings, int servers) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("rows", settings.rows());
    document.put("buckets_before", settings.before());
    document.put("buckets_after", settings.after());
    document.put("encoding", settings.encoding().name());
    document.put("servers", servers);
    document.put("rounds", settings.rounds());
    document.put("step_seconds", BenchRun.rounded(step.seconds()));
    document.put("longest_write_ms", BenchRun.rounded(step.longestWriteMs()));
    document.put("longest_read_ms", BenchRun.rounded(step.longestReadMs()));
    document.put("rewritten_cells", step.rewrittenCells());
    document.put("write_skew", SkewJson.of(BenchRun.rounded(writeSkew)));
    document.put("runs", runs.stream().map(GrowthRun::toMap).toList());
    return document;
  }

  /** The step in words. */
  public String summary(GrowthSettings settings) {
    return String.format(
        Locale.ROOT,
        "step from %d to %d buckets in %.1f s: %,d cells rewritten, longest write %.0f ms, longest"
            + " read %.0f ms; writes after it %.2f of the mean on the busiest server",
        settings.before(),
        settings.after(),
        step.seconds(),
        step.rewrittenCells(),
        step.longestWriteMs(),
        step.longestReadMs(),
        writeSkew);
  }

  /** A table, a row for each run. */
  public List<List<String>> table() {
    List<List<String>> table = new ArrayList<>();
    table.add(List.of("WHAT", "NARROW", "WIDE", "GROWN", "UNIT", "GROWN/OTHER"));
    for (GrowthRun run : runs) {
      table.add(
          List.of(
              run.name(),
              BenchReport.number(run.narrow()),
              BenchReport.number(run.wide()),
              BenchReport.number(run.grown()),
              run.unit(),
              BenchReport.ratio(run.ratio())));
    }
    return table;
  }
}
