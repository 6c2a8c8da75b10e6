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
  /** The version of all values but migrations, and the newest that is understood. */
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
    return object(json, FORMAT, place);
  }

  /**
   * Reads a JSON object of a format that is understood.
   *
   * @param newest the newest format that is understood
   * @param place where it was found
   */
  static ObjectNode object(byte[] json, int newest, String place) throws RegistryException {
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
    if (format > newest || format < 1) {
      throw new RegistryException(
          "written by another version of Evenkey: place="
              + place
              + " format="
              + format
              + " understood="
              + newest
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
    if (!json.path(name).canConvertToInt()) {
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
