/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.json;

import io.evenkey.client.plan.Plan;
import io.evenkey.layout.bytes.ByteString;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A plan as JSON, for commands and the portal's pages. Stateless. */
public final class PlanJson {
  private PlanJson() {}

  /** All entries of a plan; null for entries that it leaves open. A new, mutable map. */
  public static Map<String, @Nullable Object> of(Plan plan) {
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    document.put("layout", plan.layout() == null ? null : plan.layout().toString());
    document.put("regions", plan.regions());
    document.put("algorithm", plan.algorithm() == null ? null : plan.algorithm().toString());
    document.put("splits_hex", plan.splits().stream().map(ByteString::toString).toList());
    document.put("families", plan.families());
    document.put("compression", plan.compression());
    document.put("whole_buckets", plan.wholeBuckets());
    document.put("optimize_for", plan.optimizeFor() == null ? null : plan.optimizeFor().toString());
    return document;
  }
}
