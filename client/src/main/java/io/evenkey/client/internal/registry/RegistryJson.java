/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.registry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.evenkey.client.failure.RegistryException;
import io.evenkey.client.plan.OptimizationGoal;
import io.evenkey.client.plan.Plan;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.split.SplitAlgorithm;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * The registry's values as JSON. A value that this version does not understand is refused: what a
 * later version has written must not be lost by storing it again. Stateless.
 */
final class RegistryJson {
  /** The version of everything stored, and the newest that is understood. */
  static final int FORMAT = 1;

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private static final Set<String> PLAN =
      Set.of(
          "format",
          "layout",
          "regions",
          "algorithm",
          "splits",
          "families",
          "compression",
          "whole_buckets",
          "optimize_for",
          "version",
          "author",
          "at");

  private static final Set<String> MIGRATION =
      Set.of(
          "format",
          "source",
          "target",
          "stage",
          "goal",
          "turn",
          "fence",
          "by",
          "rounds",
          "copied",
          "rows",
          "compared_through",
          "changed_since",
          "repaired",
          "rows_per_second",
          "latency_ms",
          "held_to",
          "since",
          "step_before",
          "step_after",
          "key_before",
          "key_after",
          "key_columns");

  private RegistryJson() {}

  static ObjectNode object() {
    return MAPPER.createObjectNode().put("format", FORMAT);
  }

  static byte[] bytes(JsonNode json) {
    try {
      return MAPPER.writeValueAsBytes(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("numbers and texts can always be written as JSON", e);
    }
  }

  /**
   * Reads a JSON object of a format that is understood.
   *
   * @param place where it was found
   */
  static ObjectNode object(byte[] json, String place) throws RegistryException {
    JsonNode read;
    try {
      read = MAPPER.readTree(json);
    } catch (IOException e) {
      throw unreadable(place, "not JSON", e);
    }
    if (!(read instanceof ObjectNode object)) {
      throw unreadable(place, "not a JSON object", null);
    }
    int format = object.path("format").asInt(0);
    if (format > FORMAT || format < 1) {
      throw new RegistryException(
          "written by another version of Evenkey: place="
              + place
              + " format="
              + format
              + " understood="
              + FORMAT
              + "; use that version or a later one");
    }
    return object;
  }

  static ObjectNode of(Versioned<Plan> stored) {
    Plan plan = stored.value();
    ObjectNode json = object();
    if (plan.layout() != null) {
      json.put("layout", plan.layout().toString());
    }
    if (plan.regions() != null) {
      json.put("regions", plan.regions());
    }
    if (plan.algorithm() != null) {
      json.put("algorithm", plan.algorithm().toString());
    }
    if (!plan.splits().isEmpty()) {
      ArrayNode splits = json.putArray("splits");
      plan.splits().forEach(split -> splits.add(split.toString()));
    }
    if (!plan.families().isEmpty()) {
      ArrayNode families = json.putArray("families");
      plan.families().forEach(families::add);
    }
    if (plan.compression() != null) {
      json.put("compression", plan.compression());
    }
    if (plan.wholeBuckets() != null) {
      json.put("whole_buckets", plan.wholeBuckets());
    }
    if (plan.optimizeFor() != null) {
      json.put("optimize_for", plan.optimizeFor().toString());
    }
    return json.put("version", stored.version())
        .put("author", stored.author())
        .put("at", stored.at().toString());
  }

  static Versioned<Plan> plan(ObjectNode json, String place) throws RegistryException {
    refuseUnknown(json, PLAN, place);
    String layout = text(json, "layout");
    String algorithm = text(json, "algorithm");
    try {
      String goal = text(json, "optimize_for");
      Plan plan =
          new Plan.Builder()
              .layout(layout == null ? null : Layout.parse(layout))
              .regions(json.has("regions") ? number(json, "regions") : null)
              .algorithm(
                  algorithm == null
                      ? null
                      : SplitAlgorithm.valueOf(algorithm.toUpperCase(Locale.ROOT)))
              .splits(texts(json, "splits").stream().map(ByteString::fromHex).toList())
              .families(texts(json, "families"))
              .compression(text(json, "compression"))
              .wholeBuckets(
                  json.hasNonNull("whole_buckets") ? json.get("whole_buckets").asBoolean() : null)
              .optimizeFor(goal == null ? null : OptimizationGoal.of(goal))
              .build();
      return new Versioned<>(
          plan, json.path("version").asInt(Versioned.NONE), author(json), at(json));
    } catch (IllegalArgumentException | DateTimeException e) {
      throw unreadable(place, String.valueOf(e.getMessage()), e);
    }
  }

  static ObjectNode of(LayoutRecord table) {
    ObjectNode json = object().put("layout", table.layout());
    if (!table.indexes().isEmpty()) {
      // Earlier versions refuse a record with it.
      json.put("indexes", table.indexes());
    }
    if (table.keyChanged()) {
      // The same.
      json.put("key_changed", true);
    }
    return json.put("since", table.since().toString());
  }

  static LayoutRecord layout(ObjectNode json, TableName table, String place)
      throws RegistryException {
    refuseUnknown(json, Set.of("format", "layout", "indexes", "key_changed", "since"), place);
    String layout = text(json, "layout");
    if (layout == null) {
      throw unreadable(place, "no layout", null);
    }
    try {
      String indexes = text(json, "indexes");
      return new LayoutRecord(
          table,
          layout,
          indexes == null ? "" : indexes,
          json.path("key_changed").asBoolean(),
          Instant.parse(json.path("since").asText()));
    } catch (DateTimeException e) {
      throw unreadable(place, String.valueOf(e.getMessage()), e);
    }
  }

  static ObjectNode of(Migration migration) {
    ObjectNode json =
        object()
            .put("source", migration.source().getNameAsString())
            .put("target", migration.target().getNameAsString())
            .put("stage", lower(migration.stage()))
            .put("goal", lower(migration.goal()))
            .put("turn", migration.turn())
            .put("fence", migration.fence().name().toLowerCase(Locale.ROOT))
            .put("by", migration.work().by().name().toLowerCase(Locale.ROOT));
    ArrayNode rounds = json.putArray("rounds");
    migration.work().rounds().forEach(rounds::add);
    if (migration.step() != null) {
      json.put("step_before", migration.step().before())
          .put("step_after", migration.step().after());
    }
    Migration.KeyChange change = migration.keyChange();
    if (change != null) {
      json.put("key_before", change.before())
          .put("key_after", change.after())
          .put("key_columns", change.columns());
    }
    return json.put("copied", migration.work().copied())
        .put("rows", migration.work().rows())
        .put("compared_through", migration.work().comparedThrough())
        .put("changed_since", migration.work().changedSince())
        .put("repaired", migration.work().repaired())
        .put("rows_per_second", migration.pace().rowsPerSecond())
        .put("latency_ms", migration.pace().latencyMs())
        .put("held_to", migration.pace().heldTo())
        .put("since", migration.since().toString());
  }

  static Migration migration(ObjectNode json, TableName table, String place)
      throws RegistryException {
    if (json.has("epoch")) {
      throw new RegistryException(
          "migration of an earlier version of Evenkey, by another protocol: table="
              + table
              + " place="
              + place
              + " stage="
              + json.path("stage").asText()
              + "; finish it or roll it back with that version; if it is over, remove the node");
    }
    refuseUnknown(json, MIGRATION, place);
    try {
      return new Migration(
          table,
          TableName.valueOf(json.path("source").asText()),
          TableName.valueOf(json.path("target").asText()),
          stage(json, "stage"),
          stage(json, "goal"),
          number(json, "turn"),
          Migration.Fence.valueOf(json.path("fence").asText("guard").toUpperCase(Locale.ROOT)),
          new Migration.Work(
              Migration.By.valueOf(json.path("by").asText().toUpperCase(Locale.ROOT)),
              texts(json, "rounds"),
              number(json, "copied"),
              json.path("rows").asLong(),
              json.path("compared_through").asInt(),
              json.path("changed_since").asLong(),
              json.path("repaired").asLong()),
          new Migration.Pace(
              json.path("rows_per_second").asLong(),
              json.path("latency_ms").asLong(),
              json.path("held_to").asLong()),
          Instant.parse(json.path("since").asText()),
          step(json),
          keyChange(json));
    } catch (IllegalArgumentException | DateTimeException e) {
      throw unreadable(place, String.valueOf(e.getMessage()), e);
    }
  }

  private static Migration.@Nullable Step step(ObjectNode json) {
    String before = text(json, "step_before");
    String after = text(json, "step_after");
    return before == null || after == null ? null : new Migration.Step(before, after);
  }

  private static Migration.@Nullable KeyChange keyChange(ObjectNode json) {
    String before = text(json, "key_before");
    String after = text(json, "key_after");
    String columns = text(json, "key_columns");
    return before == null || after == null || columns == null
        ? null
        : new Migration.KeyChange(before, after, columns);
  }

  private static String lower(Stage stage) {
    return stage.name().toLowerCase(Locale.ROOT);
  }

  private static Stage stage(ObjectNode json, String name) {
    return Stage.valueOf(json.path(name).asText().toUpperCase(Locale.ROOT));
  }

  static void refuseUnknown(ObjectNode json, Set<String> known, String place)
      throws RegistryException {
    for (Iterator<String> names = json.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!known.contains(name)) {
        throw unreadable(place, "unknown entry '" + name + "'", null);
      }
    }
  }

  private static int number(ObjectNode json, String name) {
    if (!json.get(name).canConvertToInt()) {
      throw new IllegalArgumentException(name + " is not a number: " + json.get(name));
    }
    return json.get(name).asInt();
  }

  private static @Nullable String text(ObjectNode json, String name) {
    return json.hasNonNull(name) ? json.get(name).asText() : null;
  }

  private static List<String> texts(ObjectNode json, String name) {
    List<String> texts = new ArrayList<>();
    json.path(name).forEach(text -> texts.add(text.asText()));
    return texts;
  }

  private static String author(ObjectNode json) {
    return json.path("author").asText();
  }

  private static Instant at(ObjectNode json) {
    return json.has("at") ? Instant.parse(json.get("at").asText()) : Instant.EPOCH;
  }

  static RegistryException unreadable(String place, String problem, @Nullable Throwable cause) {
    return new RegistryException(
        "cannot be read: place=" + place + " problem=" + problem + "; correct or remove it", cause);
  }
}
