/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.evenkey.report.heat.history.Finding;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A table of the cluster as JSON. Immutable.
 *
 * @param generation the table that applications use now
 * @param kind {@code table}, {@code index}, {@code generation} and others
 * @param layout left out if the table has none
 */
@JsonNaming(SnakeCaseStrategy.class)
public record TableJson(
    String name,
    String generation,
    String kind,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String layout,
    int regions,
    double megabytes,
    double reads,
    double writes,
    SkewJson readSkew,
    SkewJson writeSkew) {
  /**
   * All tables that HBase lists for the user.
   *
   * @param hidden the number of application tables that HBase does not list: the user has neither
   *     ADMIN nor CREATE on them
   */
  public record ListedTables(List<ListedTable> tables, int hidden) {
    /** Copies the list. */
    public ListedTables {
      tables = List.copyOf(tables);
    }
  }

  /**
   * A table in a list.
   *
   * @param severity of its worst finding: 2 a problem, 1 worth a check, 0 no problem
   */
  public record ListedTable(@JsonUnwrapped TableJson table, int severity) {}

  /**
   * A table with its parts.
   *
   * @param explained left out if the table has no layout
   * @param settings of the table and its families, by name
   */
  @JsonNaming(SnakeCaseStrategy.class)
  public record DescribedTable(
      @JsonUnwrapped TableJson table,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable LayoutJson explained,
      List<RegionLoadJson> regionsNow,
      List<IndexJson> indexes,
      Map<String, String> settings,
      List<Finding> findings) {
    /** Copies the lists. */
    public DescribedTable {
      regionsNow = List.copyOf(regionsNow);
      indexes = List.copyOf(indexes);
      findings = List.copyOf(findings);
    }
  }
}
