/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.internal.registry.IndexWork;
import io.evenkey.jobs.index.IndexDifference;
import io.evenkey.jobs.index.IndexReport;
import io.evenkey.report.json.IndexReportJson;
import io.evenkey.report.terminal.Amount;
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
            "%s: %s, %,d without their entry; %s read, %,d without their row%n",
            index,
            Amount.of(report.rows(), "row"),
            report.found().missing() + report.found().toWriteAgain(),
            Amount.of(report.entries(), "entry"),
            report.found().stale());
    long all = 0;
    for (IndexDifference.Kind kind : IndexDifference.Kind.values()) {
      long count = report.count(kind);
      all += count;
      if (count > 0) {
        console
            .out()
            .printf(
                Locale.ROOT,
                "%-11s %,d  %s; %s%n",
                name(kind),
                count,
                kind.meaning(),
                report.isLeft(kind) ? CommandWords.in(kind.remedy()) : "repaired");
      }
    }
    if (report.added() + report.removed() > 0) {
      console
          .out()
          .printf(
              Locale.ROOT,
              "repaired: %s added, %,d removed%n",
              Amount.of(report.added(), "entry"),
              report.removed());
    }
    List<IndexDifference> differences = report.differences();
    for (IndexDifference one : differences.subList(0, Math.min(SHOWN, differences.size()))) {
      console.out().printf(Locale.ROOT, "%-11s %s%n", name(one.kind()), one.label());
    }
    if (all > SHOWN) {
      console.out().printf(Locale.ROOT, "… of %,d%n", all);
    }
  }

  private static String name(IndexDifference.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  /** The findings of a verification, as lists show them. */
  static String found(IndexWork.DifferenceCounts found, boolean isSweptSince) {
    StringBuilder text = new StringBuilder();
    text.append(String.format(Locale.ROOT, "%,d missing", found.missing()));
    append(text, found.covered(), "covered");
    append(text, found.unfit(), "unfit");
    append(text, found.secured(), "secured");
    text.append(
        String.format(
            Locale.ROOT, ", %,d stale%s", found.stale(), isSweptSince ? " before the sweep" : ""));
    append(text, found.unreadable(), "unreadable");
    return text.toString();
  }

  private static void append(StringBuilder text, long count, String kind) {
    if (count > 0) {
      text.append(String.format(Locale.ROOT, ", %,d %s", count, kind));
    }
  }
}
