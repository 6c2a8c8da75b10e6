/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a plan would make of a table, as JSON. Immutable.
 *
 * @param explained left out if the layout is invalid
 * @param size the rule's number of regions
 * @param evenRegions the number of regions that is even over the buckets and the servers
 * @param regions the number of regions that the table would get; left out for a namespace, as the
 *     keys and the settings
 * @param splits the first of the keys between them
 * @param error left out if the plan is valid
 */
@JsonNaming(SnakeCaseStrategy.class)
public record PlanPreviewJson(
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable LayoutJson explained,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable RegionCountJson size,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer evenRegions,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer servers,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer regions,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<SplitKeyJson> splits,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<String> settings,
    boolean valid,
    @JsonUnwrapped @Nullable ErrorJson error) {
  /** A preview without figures. */
  public static final PlanPreviewJson EMPTY =
      new PlanPreviewJson(null, null, null, null, null, null, null, true, null);

  /** Returns this preview with the number of regions by rule. */
  public PlanPreviewJson sized(LayoutJson layout, RegionCountJson count, int even, int live) {
    return new PlanPreviewJson(layout, count, even, live, regions, splits, settings, valid, error);
  }

  /** Returns this preview with the regions of a table. */
  public PlanPreviewJson split(int planned, List<SplitKeyJson> keys, List<String> reasons) {
    return new PlanPreviewJson(
        explained, size, evenRegions, servers, planned, keys, reasons, valid, error);
  }

  /** Returns this preview of an impossible plan. */
  public PlanPreviewJson refused(ErrorJson why) {
    return new PlanPreviewJson(
        explained, size, evenRegions, servers, regions, splits, settings, false, why);
  }
}
