/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.cli;

import io.evenkey.app.json.IndexReportJson;
import io.evenkey.jobs.index.IndexDifference;
import io.evenkey.jobs.index.IndexReport;
import java.util.List;
import java.util.Locale;

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
      console.json(IndexReportJson.of(index, report));
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
}
