/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.internal.registry.Scope;
import io.evenkey.client.internal.registry.Versioned;
import io.evenkey.client.plan.Plan;
import io.evenkey.report.json.StoredPlanJson;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Prints plans as text or JSON. */
final class PlanView {
  private static final int SHOWN = 6;

  private final Console console;
  private final boolean json;

  PlanView(Console console, boolean json) {
    this.console = console;
    this.json = json;
  }

  /** Prints all plans. */
  void plans(Map<Scope, Versioned<Plan>> plans) {
    if (json) {
      console.json(
          new StoredPlanJson.StoredPlans(
              plans.entrySet().stream()
                  .map(plan -> StoredPlanJson.of(plan.getKey(), plan.getValue()))
                  .toList()));
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("TABLE", "REGIONS", "FAMILIES", "LAYOUT"));
    plans.forEach(
        (scope, plan) ->
            rows.add(
                List.of(
                    scope.toString(),
                    regionsOf(plan.value()),
                    String.join(",", plan.value().families()),
                    plan.value().layout() == null ? "" : plan.value().layout().toString())));
    console.table(rows);
  }

  private static String regionsOf(Plan plan) {
    if (!plan.splits().isEmpty()) {
      return String.valueOf(plan.splits().size() + 1);
    }
    return plan.regions() == null ? "" : plan.regions().toString();
  }

  /** Prints the last versions of a plan. */
  void history(Scope scope, List<Versioned<Plan>> versions) {
    if (json) {
      console.json(StoredPlanJson.PlanHistory.of(scope, versions));
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("VERSION", "AT", "BY", "REGIONS", "LAYOUT"));
    for (Versioned<Plan> version : versions) {
      Plan plan = version.value();
      rows.add(
          List.of(
              String.valueOf(version.version()),
              version.at().truncatedTo(ChronoUnit.SECONDS).toString(),
              version.author(),
              regionsOf(plan),
              plan.layout() == null ? "(nothing planned)" : plan.layout().toString()));
    }
    console.table(rows);
  }

  /**
   * Prints one plan.
   *
   * @param stored the plan of exactly this table or namespace
   * @param all the same plan, with values that it leaves open taken from its namespace's plan
   */
  void plan(Scope scope, Versioned<Plan> stored, Plan all) {
    if (json) {
      console.json(StoredPlanJson.of(scope, stored));
      return;
    }
    if (stored.value().isEmpty()) {
      console.out().println("nothing is planned for " + scope);
    } else {
      console.out().println("plan for   " + scope + ", version " + stored.version());
      describe(stored.value());
    }
    if (!all.equals(stored.value())) {
      console.out().println("merged with the plan of its namespace:");
      describe(all);
    }
    if (all.layout() != null) {
      console.warnings(all.layout().warnings());
    }
  }

  private void describe(Plan plan) {
    if (plan.layout() != null) {
      console.out().println("layout     " + plan.layout());
    }
    if (plan.regions() != null || !plan.splits().isEmpty()) {
      console.out().println("regions    " + regionsOf(plan));
    }
    if (plan.algorithm() != null) {
      console.out().println("algorithm  " + plan.algorithm());
    }
    if (!plan.splits().isEmpty()) {
      console
          .out()
          .println(
              "splits     "
                  + plan.splits().subList(0, Math.min(SHOWN, plan.splits().size()))
                  + (plan.splits().size() > SHOWN ? " …" : ""));
    }
    if (!plan.families().isEmpty()) {
      console.out().println("families   " + String.join(", ", plan.families()));
    }
    if (plan.compression() != null) {
      console.out().println("compress   " + plan.compression());
    }
    if (Boolean.TRUE.equals(plan.wholeBuckets())) {
      console.out().println("splitting  between buckets only");
    }
    if (plan.optimizeFor() != null) {
      console.out().println("optimize   for " + plan.optimizeFor());
    }
  }
}
