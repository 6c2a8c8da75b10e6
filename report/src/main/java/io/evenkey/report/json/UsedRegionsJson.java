/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The regions of a table and their use as JSON. Immutable.
 *
 * @param layout null if the table has none
 * @param merges left out unless asked for
 * @param merged whether the merges were made; left out with them
 */
public record UsedRegionsJson(
    String table,
    @Nullable String layout,
    List<UsedRegionJson> regions,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<RegionMergeJson> merges,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean merged) {
  /** Copies the list. */
  public UsedRegionsJson {
    regions = List.copyOf(regions);
  }

  /**
   * A region.
   *
   * @param begins its first key in readable form
   */
  @JsonNaming(SnakeCaseStrategy.class)
  public record UsedRegionJson(String region, String startHex, String begins, String use) {}

  /** Empty regions and the one that takes them. */
  public record RegionMergeJson(List<String> empty, String into) {
    /** Copies the list. */
    public RegionMergeJson {
      empty = List.copyOf(empty);
    }
  }
}
