/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.evenkey.report.heat.history.Finding;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The load of tables between two readings of HBase's counters, as JSON. Immutable. */
public record HeatJson(List<TableHeat> tables, List<Finding> findings) {
  /** Copies the lists. */
  public HeatJson {
    tables = List.copyOf(tables);
    findings = List.copyOf(findings);
  }

  /**
   * The load of one table.
   *
   * @param hotKeys left out if all tables are shown
   */
  @JsonNaming(SnakeCaseStrategy.class)
  public record TableHeat(
      String table,
      SkewJson writeSkew,
      SkewJson readSkew,
      List<RegionLoadJson> regions,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable HotKeysJson hotKeys) {
    /** Copies the list. */
    public TableHeat {
      regions = List.copyOf(regions);
    }
  }
}
