/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.json;

import io.evenkey.client.internal.registry.IndexWork;
import io.evenkey.jobs.index.IndexReport;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The comparison of a table with an index of it, as JSON. Stateless. */
public final class IndexReportJson {
  private IndexReportJson() {}

  /** The report on the index of a name. */
  public static Map<String, Object> of(String index, IndexReport report) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("index", index);
    document.put("complete", report.isComplete());
    document.put("rows", report.rows());
    document.put("entries", report.entries());
    addTo(document, report.found());
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

  /** Adds the numbers of differences of each kind. */
  static void addTo(Map<String, Object> document, IndexWork.Found found) {
    document.put("missing", found.missing());
    document.put("covered", found.covered());
    document.put("unfit", found.unfit());
    document.put("secured", found.secured());
    document.put("stale", found.stale());
    document.put("phantoms", found.phantoms());
    document.put("unreadable", found.unreadable());
  }
}
