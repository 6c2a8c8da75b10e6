/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.evenkey.client.internal.registry.Scope;
import io.evenkey.client.internal.registry.Versioned;
import io.evenkey.client.plan.Plan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A version of the plan of a table or a namespace as JSON. Immutable.
 *
 * @param scope the table, or the namespace with {@code :*}
 * @param plan its entries, of which none is inherited
 * @param version of the plan; -1 if none is stored
 * @param author who stored it
 * @param at when it was stored; null if it was not
 * @param inAll the same with the entries of the namespace's plan; left out where it is not asked
 * @param exists whether there is a table of this name; left out where it is not asked
 */
@JsonNaming(SnakeCaseStrategy.class)
public record StoredPlanJson(
    String scope,
    @JsonUnwrapped PlanJson plan,
    int version,
    String author,
    @Nullable String at,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable PlanJson inAll,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean exists) {
  /** All plans. */
  public record StoredPlans(List<StoredPlanJson> plans) {
    /** Copies the list. */
    public StoredPlans {
      plans = List.copyOf(plans);
    }
  }

  /** The last versions of a plan, the newest first. */
  public record PlanHistory(String scope, List<StoredPlanJson> versions) {
    /** Copies the list. */
    public PlanHistory {
      versions = List.copyOf(versions);
    }

    /** The versions of the plan of a table or a namespace. */
    public static PlanHistory of(Scope scope, List<Versioned<Plan>> versions) {
      return new PlanHistory(
          scope.toString(),
          versions.stream().map(version -> StoredPlanJson.of(scope, version)).toList());
    }
  }

  /** A stored plan. */
  public static StoredPlanJson of(Scope scope, Versioned<Plan> stored) {
    return new StoredPlanJson(
        scope.toString(),
        PlanJson.of(stored.value()),
        stored.version(),
        stored.author(),
        stored.exists() ? stored.at().toString() : null,
        null,
        null);
  }

  /** Returns this plan with the values that its namespace's plan adds. */
  public StoredPlanJson within(Plan whole, boolean tableExists) {
    return new StoredPlanJson(scope, plan, version, author, at, PlanJson.of(whole), tableExists);
  }
}
