/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.evenkey.client.internal.registry.Scope;
import io.evenkey.client.internal.registry.Versioned;
import io.evenkey.client.plan.NewTable;
import io.evenkey.client.plan.OptimizationGoal;
import io.evenkey.client.plan.Plan;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.size.RegionCount;
import io.evenkey.layout.size.TableLoad;
import io.evenkey.layout.split.SplitAlgorithm;
import io.evenkey.layout.text.SyntaxException;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.json.ErrorJson;
import io.evenkey.report.json.LayoutJson;
import io.evenkey.report.json.PlanJson;
import io.evenkey.report.json.PlanPreviewJson;
import io.evenkey.report.json.RegionCountJson;
import io.evenkey.report.json.SplitKeyJson;
import io.evenkey.report.json.StoredPlanJson;
import io.javalin.http.Context;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.apache.hadoop.hbase.client.Admin;
import org.jspecify.annotations.Nullable;

/** Routes for the plans of tables and namespaces. */
final class PlanRoutes {
  private static final int SHOWN = 1_000;

  private final Cluster cluster;

  PlanRoutes(Cluster cluster) {
    this.cluster = cluster;
  }

  List<ApiRoute> routes() {
    return List.of(
        ApiRoute.get("/api/plans", this::all),
        ApiRoute.get("/api/plans/{scope}", this::one),
        ApiRoute.put("/api/plans/{scope}", this::store),
        ApiRoute.delete("/api/plans/{scope}", this::remove),
        ApiRoute.get("/api/plans/{scope}/history", this::history),
        ApiRoute.get("/api/plans/{scope}/preview", this::preview));
  }

  private void all(Context request) throws IOException {
    List<StoredPlanJson> plans = new ArrayList<>();
    cluster
        .registry()
        .plans()
        .all()
        .forEach((scope, plan) -> plans.add(StoredPlanJson.of(scope, plan)));
    Json.answer(request, new StoredPlanJson.StoredPlans(plans));
  }

  private void one(Context request) throws IOException {
    Scope scope = scope(request);
    StoredPlanJson document = StoredPlanJson.of(scope, cluster.registry().plans().get(scope));
    if (scope instanceof Scope.Table table) {
      Plan whole = cluster.registry().plans().effective(table.name());
      try (Admin admin = cluster.connection().getAdmin()) {
        document = document.within(whole, admin.tableExists(table.name()));
      }
    }
    Json.answer(request, document);
  }

  private void history(Context request) throws IOException {
    Scope scope = scope(request);
    Json.answer(
        request, StoredPlanJson.PlanHistory.of(scope, cluster.registry().plans().history(scope)));
  }

  private void store(Context request) throws IOException {
    Scope scope = scope(request);
    ObjectNode body = Json.object(request);
    Integer version = Json.integer(body, "version");
    if (version == null) {
      throw new EvenkeyArgumentException(
          "version missing: send the version that the change is based on, -1 for a new plan");
    }
    Plan before = cluster.registry().plans().get(scope).value();
    Plan plan = plan(body, before);
    if (scope instanceof Scope.Table table) {
      cluster.checkCreatable(table.name(), plan);
    }
    request.attribute(
        Guard.CHANGE,
        "plan "
            + scope
            + " version "
            + (version + 1)
            + ": "
            + new String(Json.bytes(PlanJson.of(plan)), StandardCharsets.UTF_8));
    Json.answer(
        request, StoredPlanJson.of(scope, cluster.registry().plans().store(scope, plan, version)));
  }

  private void remove(Context request) throws IOException {
    Scope scope = scope(request);
    int version = Parameters.integer(request, "version", Versioned.NONE);
    request.attribute(Guard.CHANGE, "remove plan " + scope + " version " + version);
    cluster.registry().plans().remove(scope, version);
    request.status(204);
  }

  private static Plan plan(ObjectNode body, Plan before) {
    String line = Json.text(body, "layout");
    String algorithm = Json.text(body, "algorithm");
    List<String> families = new ArrayList<>();
    body.path("families").forEach(family -> families.add(family.asText()));
    Layout layout = line == null ? null : Layout.parse(line);
    Integer regions = Json.integer(body, "regions");
    SplitAlgorithm way = algorithm == null ? null : algorithm(algorithm);
    String goal = Json.text(body, "optimize_for");
    return new Plan.Builder()
        .layout(layout)
        .regions(regions)
        .algorithm(way)
        .splits(splits(before, layout, regions, way))
        .families(families)
        .compression(Json.text(body, "compression"))
        .wholeBuckets(
            body.hasNonNull("whole_buckets") ? body.get("whole_buckets").asBoolean() : null)
        .optimizeFor(goal == null ? null : OptimizationGoal.of(goal))
        .build();
  }

  // Split keys of a sample are valid for one layout and number of regions only.
  private static List<ByteString> splits(
      Plan before,
      @Nullable Layout layout,
      @Nullable Integer regions,
      @Nullable SplitAlgorithm algorithm) {
    return Objects.equals(layout, before.layout())
            && Objects.equals(regions, before.regions())
            && algorithm == before.algorithm()
        ? before.splits()
        : List.of();
  }

  private static SplitAlgorithm algorithm(String name) {
    try {
      return SplitAlgorithm.valueOf(name.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new EvenkeyArgumentException(
          "no such algorithm: " + name + "; expected hex, decimal, uniform or bucket", e);
    }
  }

  // Called while a user types: an impossible plan is a regular response, not an error.
  private void preview(Context request) throws IOException {
    Scope scope = scope(request);
    PlanPreviewJson seen = PlanPreviewJson.EMPTY;
    try {
      Layout layout = Layout.parse(Parameters.required(request, "layout"));
      int servers = servers();
      RegionCount size =
          RegionCount.of(
              new TableLoad(
                  Parameters.number(request, "gb", 1), TableLoad.Weight.EVEN, 0, servers));
      seen =
          seen.sized(
              LayoutJson.of(layout),
              RegionCountJson.of(size),
              NewTable.spreadRegions(layout, size.regions(), servers),
              servers);
      String regions = request.queryParam("regions");
      Plan plan = Plan.EMPTY.withLayout(layout);
      if (regions != null && !regions.isBlank()) {
        plan = plan.withRegions(Parameters.integer(request, "regions", 1));
      }
      String algorithm = Parameters.text(request, "algorithm", "");
      if (!algorithm.isEmpty()) {
        plan = plan.withAlgorithm(algorithm(algorithm));
      }
      if (scope instanceof Scope.Table table) {
        Plan stored = cluster.registry().plans().get(scope).value();
        plan = plan.withSplits(splits(stored, layout, plan.regions(), plan.algorithm()));
        NewTable planned = cluster.planned(table.name(), plan);
        seen =
            seen.split(
                planned.splits().size() + 1,
                SplitKeyJson.all(
                    layout, planned.splits().subList(0, Math.min(SHOWN, planned.splits().size()))),
                planned.reasons());
      }
    } catch (SyntaxException e) {
      seen = seen.refused(ErrorJson.of(e));
    } catch (IllegalArgumentException e) {
      seen = seen.refused(ErrorJson.of(Problems.text(e)));
    }
    Json.answer(request, seen);
  }

  private int servers() throws IOException {
    try (Admin admin = cluster.connection().getAdmin()) {
      return admin.getRegionServers().size();
    }
  }

  private static Scope scope(Context request) {
    return Scope.parse(request.pathParam("scope"));
  }
}
