/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.evenkey.client.plan.Plan;
import io.evenkey.layout.bytes.ByteString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A plan as JSON, for commands and the portal's pages; null for entries that it leaves open.
 * Immutable.
 */
@JsonNaming(SnakeCaseStrategy.class)
public record PlanJson(
    @Nullable String layout,
    @Nullable Integer regions,
    @Nullable String algorithm,
    List<String> splitsHex,
    List<String> families,
    @Nullable String compression,
    @Nullable Boolean wholeBuckets,
    @Nullable String optimizeFor) {
  /** Copies the lists. */
  public PlanJson {
    splitsHex = List.copyOf(splitsHex);
    families = List.copyOf(families);
  }

  /** A plan. */
  public static PlanJson of(Plan plan) {
    return new PlanJson(
        plan.layout() == null ? null : plan.layout().toString(),
        plan.regions(),
        plan.algorithm() == null ? null : plan.algorithm().toString(),
        plan.splits().stream().map(ByteString::toString).toList(),
        plan.families(),
        plan.compression(),
        plan.wholeBuckets(),
        plan.optimizeFor() == null ? null : plan.optimizeFor().toString());
  }
}
