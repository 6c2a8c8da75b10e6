/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Checks what commands and the portal write against {@code docs/json-schema.json}. */
public final class PublishedSchema {
  static final Path FILE = Path.of("..", "docs", "json-schema.json");

  /** Definitions by the command, of which a document has one. */
  private static final Map<String, String> COMMANDS =
      Map.ofEntries(
          Map.entry("adopt", "Adoption"),
          Map.entry("advise", "Advice"),
          Map.entry("count", "RowCount"),
          Map.entry("create", "CreatedTable"),
          Map.entry("decode", "DecodedKey"),
          Map.entry("demo", "Demo"),
          Map.entry("doctor", "Doctor"),
          Map.entry("explain", "ExplainedKey|Layout"),
          Map.entry("export", "Export"),
          Map.entry("get", ""),
          Map.entry("grow", "Growth"),
          Map.entry("heat", "Heat|TableHotKeys"),
          Map.entry("import", "Import"),
          Map.entry("index add", "IndexReport"),
          Map.entry("index drop", "DroppedIndex"),
          Map.entry("index list", "Indexes"),
          Map.entry("index show", "Index"),
          Map.entry("index sweep", "IndexReport"),
          Map.entry("index verify", "IndexReport"),
          Map.entry("init", "Starter"),
          Map.entry("migrate", "Migration|MigrationPreview"),
          Map.entry("plan", "StoredPlan|StoredPlans|PlanHistory"),
          Map.entry("put", "WrittenRow"),
          Map.entry("ranges", "Scatter"),
          Map.entry("regions", "UsedRegions|RepairedLinks"),
          Map.entry("scan", "ReadPlan|ScannedRows"),
          Map.entry("server install", "GuardInstallation|GuardSettings"),
          Map.entry("server remove", "GuardRemoval|GuardSettings"),
          Map.entry("server status", "GuardSurvey"),
          Map.entry("size", "RegionCount"),
          Map.entry("splits", "SplitKeys"),
          Map.entry("verify", "Comparison|TableCheck"));

  /** Definitions by the beginning of a route; the longest that fits counts. */
  private static final Map<String, String> ROUTES =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("GET /api/about", "Portal"),
              Map.entry("GET /api/live", "Live"),
              Map.entry("GET /api/openapi.json", ""),
              Map.entry("GET /health", "PortalHealth"),
              Map.entry("GET /ready", "PortalHealth"),
              Map.entry("GET /api/layout", "CheckedLine"),
              Map.entry("GET /api/layout/encode", "ExplainedKey"),
              Map.entry("GET /api/layout/decode", "DecodedKey"),
              Map.entry("GET /api/layout/ranges", "Scatter"),
              Map.entry("GET /api/size", "RegionCount"),
              Map.entry("GET /api/tables", "ListedTables"),
              Map.entry("GET /api/tables/*", "DescribedTable"),
              Map.entry("POST /api/tables/*", "CreatedTable"),
              Map.entry("GET /api/tables/*/rows", "BrowsedRows"),
              Map.entry("GET /api/tables/*/rows/layout", "Adoption"),
              Map.entry("PUT /api/tables/*/rows/layout", "Adoption"),
              Map.entry("GET /api/tables/*/splits", "SplitPreview"),
              Map.entry("POST /api/tables/*/splits", "Job"),
              Map.entry("POST /api/tables/*/indexes", "Job"),
              Map.entry("DELETE /api/tables/*/indexes", "Job"),
              Map.entry("GET /api/plans", "StoredPlans"),
              Map.entry("GET /api/plans/*", "StoredPlan"),
              Map.entry("PUT /api/plans/*", "StoredPlan"),
              Map.entry("DELETE /api/plans/*", "StoredPlan"),
              Map.entry("GET /api/plans/*/history", "PlanHistory"),
              Map.entry("GET /api/plans/*/preview", "PlanPreview"),
              Map.entry("GET /api/heat/cell", "RegionLoads"),
              Map.entry("GET /api/heat/findings", "HeatFindings"),
              Map.entry("GET /api/hotkeys", "HotKeys"),
              Map.entry("PUT /api/hotkeys", "HotKeys"),
              Map.entry("GET /api/jobs", "Jobs"),
              Map.entry("GET /api/jobs/*", "Job"),
              Map.entry("POST /api/jobs", "Job"),
              Map.entry("DELETE /api/jobs", "CancelledJob"),
              Map.entry("POST /api/uploads", "UploadedFile"),
              Map.entry("GET /api/migrations", "Migrations"),
              Map.entry("GET /api/migrations/*", "Migration"),
              Map.entry("POST /api/migrations", "Job"),
              Map.entry("PUT /api/migrations/*/goal", "Job"),
              Map.entry("PUT /api/migrations/*/pace", "Migration")));

  /** Definitions of the results of jobs, by their kinds. */
  private static final Map<String, String> RESULTS =
      Map.of(
          "advice", "AdviceSummary",
          "import", "Import",
          "index", "IndexReport|DroppedIndex",
          "migration", "Migration",
          "preview", "MigrationPreview",
          "split", "Split");

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final JsonNode definitions;

  private PublishedSchema(JsonNode definitions) {
    this.definitions = definitions;
  }

  /** Checks what a command has printed. */
  public static void checkCommand(List<String> arguments, JsonNode document) {
    String first = arguments.get(0);
    String group = String.join(" ", arguments.subList(0, Math.min(2, arguments.size())));
    String expected = COMMANDS.getOrDefault(group, COMMANDS.get(first));
    check(expected, document, String.join(" ", arguments));
  }

  /** Checks an answer of the portal. */
  public static void checkAnswer(String method, String path, int status, JsonNode document) {
    String asked = method + " " + path;
    boolean failed = status >= 400 && !path.equals("/ready");
    String expected = failed ? "Error" : null;
    for (Map.Entry<String, String> route : ROUTES.entrySet()) {
      String pattern = route.getKey().replace(".", "\\.").replace("*", "[^/]+") + "(/.*)?";
      // Sorted: the last that fits is the longest.
      if (!failed && asked.matches(pattern)) {
        expected = route.getValue();
      }
    }
    check(expected, document, asked);
    if ("Job".equals(expected) && document.get("state").asText().equals("done")) {
      String kind = document.get("kind").asText();
      check(RESULTS.get(kind), document.get("result"), asked + " " + kind);
    }
  }

  private static void check(@Nullable String definitions, JsonNode document, String what) {
    assertThat(definitions).as("definition of the document of: " + what).isNotNull();
    if (definitions == null || definitions.isEmpty()) {
      return;
    }
    PublishedSchema schema = read();
    List<String> problems = new ArrayList<>();
    for (String name : definitions.split("\\|", -1)) {
      List<String> found = new ArrayList<>();
      schema.check(Map.of("$ref", "#/$defs/" + name), document, name, found);
      if (found.isEmpty()) {
        return;
      }
      problems.addAll(found);
    }
    assertThat(problems).as(what + "\n" + document).isEmpty();
  }

  private static PublishedSchema read() {
    try {
      return new PublishedSchema(MAPPER.readTree(FILE.toFile()).get("$defs"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void check(Object given, JsonNode value, String place, List<String> problems) {
    JsonNode schema = MAPPER.valueToTree(given);
    if (schema.has("$ref")) {
      String name = schema.get("$ref").asText().replaceFirst(".*/", "");
      checkObject(definitions.path(name), value, place, problems);
    } else if (schema.has("type") && !hasType(schema.get("type"), value)) {
      problems.add(place + " is " + value + ", not of type " + schema.get("type"));
    } else if (schema.has("items")) {
      for (int i = 0; i < value.size(); i++) {
        check(schema.get("items"), value.get(i), place + "[" + i + "]", problems);
      }
    } else if (schema.has("additionalProperties")) {
      value
          .fieldNames()
          .forEachRemaining(
              name ->
                  check(
                      schema.get("additionalProperties"),
                      value.get(name),
                      place + "." + name,
                      problems));
    }
  }

  private void checkObject(JsonNode schema, JsonNode value, String place, List<String> problems) {
    if (!value.isObject()) {
      problems.add(place + " is " + value + ", not an object");
      return;
    }
    JsonNode properties = schema.path("properties");
    schema
        .path("required")
        .forEach(
            name -> {
              if (!value.has(name.asText())) {
                problems.add(place + "." + name.asText() + " is missing");
              }
            });
    value
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (properties.has(name)) {
                check(properties.get(name), value.get(name), place + "." + name, problems);
              } else {
                problems.add(place + "." + name + " is not in the schema");
              }
            });
  }

  private static boolean hasType(JsonNode type, JsonNode value) {
    if (type.isArray()) {
      for (JsonNode one : type) {
        if (hasType(one, value)) {
          return true;
        }
      }
      return false;
    }
    return switch (type.asText()) {
      case "string" -> value.isTextual();
      case "boolean" -> value.isBoolean();
      case "integer" -> value.isIntegralNumber();
      case "number" -> value.isNumber();
      case "array" -> value.isArray();
      case "object" -> value.isObject();
      default -> value.isNull();
    };
  }
}
