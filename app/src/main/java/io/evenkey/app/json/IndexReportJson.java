/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.json;

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
