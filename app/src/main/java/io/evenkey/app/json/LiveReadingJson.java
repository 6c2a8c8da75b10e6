/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.json;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;

/**
 * The newest reading of HBase's counters as JSON. Immutable.
 *
 * @param at in milliseconds since 1970; 0 before the first one
 * @param problem why the last reading failed; empty if it did not
 */
public record LiveReadingJson(long at, String problem, List<LiveTable> tables) {
  /** Copies the list. */
  public LiveReadingJson {
    tables = List.copyOf(tables);
  }

  /** The load of a table. */
  @JsonNaming(SnakeCaseStrategy.class)
  public record LiveTable(String name, double reads, double writes, SkewJson writeSkew) {}
}
