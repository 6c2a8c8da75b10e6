/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.cli;

import io.evenkey.jobs.index.IndexDifference;
import io.evenkey.jobs.index.IndexReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints the comparison of a table with an index of it, as text or JSON. */
final class IndexView {
  private static final int SHOWN = 20;

  private final Console console;
  private final String index;
  private final boolean json;

  IndexView(Console console, String index, boolean json) {
    this.console = console;
    this.index = index;
    this.json = json;
  }

  void show(IndexReport report) {
    if (json) {
      console.json(document(report));
      return;
    }
    console
        .out()
        .printf(
            Locale.ROOT,
            "%s: %,d rows, %,d without their entry; %,d entries read, %,d without their row%n",
            index,
            report.rows(),
            report.missing(),
            report.entries(),
            report.stale());
    if (report.phantoms() > 0) {
      console
          .out()
          .printf(
              Locale.ROOT,
              "%,d settled entries without their row: readers take them for rows%n",
              report.phantoms());
    }
    if (report.added() + report.removed() > 0) {
      console
          .out()
          .printf(
              Locale.ROOT,
              "repaired: %,d entries added, %,d removed%n",
              report.added(),
              report.removed());
    }
    List<IndexDifference> differences = report.differences();
    for (IndexDifference one : differences.subList(0, Math.min(SHOWN, differences.size()))) {
      console
          .out()
          .printf(
              Locale.ROOT, "%-11s %s%n", one.kind().name().toLowerCase(Locale.ROOT), one.label());
    }
    long all = report.missing() + report.stale();
    if (all > SHOWN) {
      console.out().printf(Locale.ROOT, "… of %,d%n", all);
    }
  }

  private Map<String, Object> document(IndexReport report) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("index", index);
    document.put("complete", report.isComplete());
    document.put("rows", report.rows());
    document.put("entries", report.entries());
    document.put("missing", report.missing());
    document.put("stale", report.stale());
    document.put("phantoms", report.phantoms());
    document.put("settled", report.settled());
    document.put("added", report.added());
    document.put("removed", report.removed());
    document.put(
        "differences",
        report.differences().stream()
            .map(
                one ->
                    Map.of("kind", one.kind().name().toLowerCase(Locale.ROOT), "key", one.label()))
            .toList());
    return document;
  }
}
