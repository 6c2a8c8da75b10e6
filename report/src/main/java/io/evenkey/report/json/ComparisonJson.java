/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.evenkey.jobs.compare.ComparisonResult;
import io.evenkey.jobs.compare.Difference;
import io.evenkey.layout.bytes.ByteText;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.TableName;

/**
 * The comparison of two tables as JSON. Immutable.
 *
 * @param suspects rows that were read again
 * @param found differences before a repair
 * @param differences those that are left
 */
@JsonNaming(SnakeCaseStrategy.class)
public record ComparisonJson(
    String table,
    String against,
    boolean same,
    boolean complete,
    long rows,
    long againstRows,
    long cells,
    long suspects,
    int found,
    double seconds,
    List<RowDifference> differences) {
  /** Copies the list. */
  public ComparisonJson {
    differences = List.copyOf(differences);
  }

  /** A row that differs. */
  @JsonNaming(SnakeCaseStrategy.class)
  public record RowDifference(String kind, String keyHex, String key) {}

  /**
   * A comparison.
   *
   * @param left the differences that remain
   */
  public static ComparisonJson of(
      TableName first, TableName second, ComparisonResult result, List<Difference> left) {
    return new ComparisonJson(
        first.getNameAsString(),
        second.getNameAsString(),
        result.complete() && left.isEmpty(),
        result.complete(),
        result.rows(),
        result.otherRows(),
        result.cells(),
        result.suspects(),
        result.differences().size(),
        result.seconds(),
        left.stream()
            .map(
                difference ->
                    new RowDifference(
                        difference.kind().name().toLowerCase(Locale.ROOT),
                        ByteText.hex(difference.key()),
                        difference.label()))
            .toList());
  }
}
