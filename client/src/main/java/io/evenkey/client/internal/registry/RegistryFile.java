/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.evenkey.client.failure.PlanConflictException;
import io.evenkey.client.failure.RegistryException;
import io.evenkey.client.plan.Plan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;

/**
 * The plans and layouts of a registry as one JSON document, for backup or for another registry.
 * Immutable.
 *
 * <pre>
 * {"format":1, "plans":{"orders":{…}, "shop:*":{…}}, "layouts":{"orders":{"layout":…, "since":…}}}
 * </pre>
 *
 * @param plans the plans of tables and namespaces
 * @param layouts the recorded layouts of tables
 */
public record RegistryFile(Map<Scope, Versioned<Plan>> plans, List<LayoutRecord> layouts) {
  /**
   * The outcome of storing it.
   *
   * @param stored plans that were stored
   * @param unchanged plans that were there already
   * @param recorded layouts of tables that were recorded
   */
  public record Outcome(int stored, int unchanged, int recorded) {}

  /** Reads all plans and layouts of a registry. */
  public static RegistryFile of(Registry registry) throws RegistryException {
    return new RegistryFile(registry.plans().all(), registry.layouts().all());
  }

  /**
   * Reads a document.
   *
   * @param name its name in messages
   * @throws RegistryException if it is none, or was written by a later version
   */
  public static RegistryFile parse(byte[] json, String name) throws RegistryException {
    ObjectNode document = RegistryJson.object(json, name);
    RegistryJson.refuseUnknown(document, Set.of("format", "plans", "layouts"), name);
    Map<Scope, Versioned<Plan>> plans = new LinkedHashMap<>();
    JsonNode planned = document.path("plans");
    for (String scope : names(planned)) {
      String place = name + " plan " + scope;
      plans.put(scope(scope, place), RegistryJson.plan(object(planned.get(scope), place), place));
    }
    List<LayoutRecord> layouts = new ArrayList<>();
    JsonNode recorded = document.path("layouts");
    for (String table : names(recorded)) {
      String place = name + " layout of " + table;
      TableName tableName = ((Scope.Table) scope(table, place)).name();
      layouts.add(RegistryJson.layout(object(recorded.get(table), place), tableName, place));
    }
    return new RegistryFile(plans, layouts);
  }

  // JsonNode.properties is missing in the Jackson that Hadoop brings.
  private static Iterable<String> names(JsonNode object) {
    return object::fieldNames;
  }

  private static Scope scope(String text, String place) throws RegistryException {
    try {
      return Scope.parse(text);
    } catch (IllegalArgumentException e) {
      throw RegistryJson.unreadable(place, String.valueOf(e.getMessage()), e);
    }
  }

  private static ObjectNode object(JsonNode json, String place) throws RegistryException {
    return RegistryJson.object(RegistryJson.bytes(json), place);
  }

  /** The document. */
  public byte[] toJson() {
    ObjectNode document = RegistryJson.object();
    ObjectNode allPlans = document.putObject("plans");
    plans.forEach((scope, plan) -> allPlans.set(scope.toString(), RegistryJson.of(plan)));
    ObjectNode recordedLayouts = document.putObject("layouts");
    layouts.forEach(
        table -> recordedLayouts.set(table.table().getNameAsString(), RegistryJson.of(table)));
    return RegistryJson.bytes(document);
  }

  /**
   * Stores the plans, and records the layouts of tables of which none is recorded.
   *
   * @param replace whether plans that are there and say something else are replaced
   * @throws RegistryException if there are such and they are not to be replaced: nothing is stored
   *     then
   * @throws PlanConflictException if another client stores another plan at the same time; plans
   *     before it are stored then, and doing it again is no harm
   */
  public Outcome storeIn(Registry registry, boolean replace) throws RegistryException {
    Map<Scope, Versioned<Plan>> wanted = new LinkedHashMap<>();
    int unchanged = 0;
    for (Map.Entry<Scope, Versioned<Plan>> plan : plans.entrySet()) {
      Versioned<Plan> now = registry.plans().get(plan.getKey());
      if (now.value().equals(plan.getValue().value())) {
        unchanged++;
      } else if (now.value().isEmpty() || replace) {
        wanted.put(
            plan.getKey(),
            new Versioned<>(plan.getValue().value(), now.version(), now.author(), now.at()));
      } else {
        throw new RegistryException(
            "another plan is stored: plan="
                + plan.getKey()
                + " there="
                + now.value()
                + " file="
                + plan.getValue().value()
                + "; nothing was stored; replace it expressly, or take it out of the file");
      }
    }
    for (Map.Entry<Scope, Versioned<Plan>> plan : wanted.entrySet()) {
      registry.plans().store(plan.getKey(), plan.getValue().value(), plan.getValue().version());
    }
    int recorded = 0;
    for (LayoutRecord table : layouts) {
      if (registry.layouts().get(table.table()).isEmpty()) {
        registry.layouts().recordFirst(table.table(), table.layout());
        recorded++;
      }
    }
    return new Outcome(wanted.size(), unchanged, recorded);
  }
}
