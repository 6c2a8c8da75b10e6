/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.evenkey.client.internal.registry.IndexWork;
import io.evenkey.jobs.index.IndexReport;
import java.util.List;
import java.util.Locale;

/**
 * The comparison of a table with an index of it, as JSON. Immutable.
 *
 * @param index the name of the index
 * @param found the numbers of differences of each kind
 */
@JsonNaming(SnakeCaseStrategy.class)
public record IndexReportJson(
    String index,
    boolean complete,
    long rows,
    long entries,
    @JsonUnwrapped DifferenceCounts found,
    long settled,
    long added,
    long removed,
    List<Difference> differences) {
  /** Copies the list. */
  public IndexReportJson {
    differences = List.copyOf(differences);
  }

  /** How many differences there are of each kind. */
  @JsonNaming(SnakeCaseStrategy.class)
  public record DifferenceCounts(
      long missing,
      long covered,
      long unfit,
      long secured,
      long stale,
      long phantoms,
      long unreadable) {
    static DifferenceCounts of(IndexWork.DifferenceCounts found) {
      return new DifferenceCounts(
          found.missing(),
          found.covered(),
          found.unfit(),
          found.secured(),
          found.stale(),
          found.phantoms(),
          found.unreadable());
    }
  }

  /** One difference: its kind, and the key that it is at. */
  public record Difference(String kind, String key) {}

  /** The report on the index of a name. */
  public static IndexReportJson of(String index, IndexReport report) {
    return new IndexReportJson(
        index,
        report.isComplete(),
        report.rows(),
        report.entries(),
        DifferenceCounts.of(report.found()),
        report.settled(),
        report.added(),
        report.removed(),
        report.differences().stream()
            .map(one -> new Difference(one.kind().name().toLowerCase(Locale.ROOT), one.label()))
            .toList());
  }
}
