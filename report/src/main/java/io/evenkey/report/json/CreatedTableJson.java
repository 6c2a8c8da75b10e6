/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.evenkey.client.plan.NewTable;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteText;
import java.util.List;

/**
 * A table that was created, as JSON. Immutable.
 *
 * @param settings the settings of the table and their reasons
 */
@JsonNaming(SnakeCaseStrategy.class)
public record CreatedTableJson(
    String table,
    String layout,
    int regions,
    List<String> splitsHex,
    List<String> settings,
    List<String> warnings) {
  /** Copies the lists. */
  public CreatedTableJson {
    splitsHex = List.copyOf(splitsHex);
    settings = List.copyOf(settings);
    warnings = List.copyOf(warnings);
  }

  /**
   * A table.
   *
   * @param servers the number of region servers
   */
  public static CreatedTableJson of(NewTable planned, Layout layout, int servers) {
    int regions = planned.splits().size() + 1;
    return new CreatedTableJson(
        planned.descriptor().getTableName().getNameAsString(),
        layout.toString(),
        regions,
        planned.splits().stream().map(ByteText::hex).toList(),
        planned.reasons(),
        layout.warnings(regions, servers));
  }
}
