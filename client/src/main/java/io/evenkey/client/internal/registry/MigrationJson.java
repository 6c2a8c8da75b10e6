/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.registry;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.cfg.EnumFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.evenkey.client.failure.RegistryException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;

/**
 * {@link Migration} as JSON: the entries of a record, all of which a node has to have. Stateless.
 */
final class MigrationJson {
  /** The version of what is stored of migrations, and the newest that is understood. */
  static final int FORMAT = 3;

  /** The version in which the kind of a migration followed from several entries. */
  private static final int WITHOUT_KIND = 1;

  /** The last version without the other clusters of a replicated table. */
  private static final int WITHOUT_CLUSTERS = 2;

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE)
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .addMixIn(Kind.class, NamedKind.class)
          .build();

  private MigrationJson() {}

  /** The names of the kinds. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "name")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Kind.AnotherSpread.class, name = "another_spread"),
    @JsonSubTypes.Type(value = Kind.AnotherKey.class, name = "another_key"),
    @JsonSubTypes.Type(value = Kind.StepInPlace.class, name = "step_in_place"),
    @JsonSubTypes.Type(value = Kind.StepWithRewriting.class, name = "step_with_rewriting"),
    @JsonSubTypes.Type(value = Kind.Renaming.class, name = "renaming")
  })
  private interface NamedKind {}

  /** The entries of a node. */
  private record Entries(
      int format,
      Kind kind,
      String source,
      String target,
      Stage stage,
      Stage goal,
      int turn,
      Migration.Fence fence,
      Migration.By by,
      List<String> rounds,
      int copied,
      long rows,
      int comparedThrough,
      long changedSince,
      long repaired,
      long rowsPerSecond,
      long latencyMs,
      long heldTo,
      Migration.Clusters clusters,
      String since) {}

  static ObjectNode of(Migration migration) {
    Migration.Work work = migration.work();
    Migration.Pace pace = migration.pace();
    return MAPPER.valueToTree(
        new Entries(
            FORMAT,
            migration.kind(),
            migration.source().getNameAsString(),
            migration.target().getNameAsString(),
            migration.stage(),
            migration.goal(),
            migration.turn(),
            migration.fence(),
            work.by(),
            work.rounds(),
            work.copied(),
            work.rows(),
            work.comparedThrough(),
            work.changedSince(),
            work.repaired(),
            pace.rowsPerSecond(),
            pace.latencyMs(),
            pace.heldTo(),
            migration.clusters(),
            migration.since().toString()));
  }

  static Migration parse(ObjectNode json, TableName table, String place) throws RegistryException {
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
    try {
      Entries read = MAPPER.treeToValue(upgraded(json, table), Entries.class);
      return new Migration(
          table,
          read.kind,
          TableName.valueOf(read.source),
          TableName.valueOf(read.target),
          read.stage,
          read.goal,
          read.turn,
          read.fence,
          new Migration.Work(
              read.by,
              read.rounds,
              read.copied,
              read.rows,
              read.comparedThrough,
              read.changedSince,
              read.repaired),
          new Migration.Pace(read.rowsPerSecond, read.latencyMs, read.heldTo),
          read.clusters,
          Instant.parse(read.since));
    } catch (JsonMappingException e) {
      String entry =
          e.getPath().stream()
              .map(JsonMappingException.Reference::getFieldName)
              .collect(Collectors.joining("."));
      throw RegistryJson.unreadable(place, "entry '" + entry + "': " + e.getOriginalMessage(), e);
    } catch (JsonProcessingException e) {
      throw RegistryJson.unreadable(place, e.getOriginalMessage(), e);
    } catch (IllegalArgumentException | DateTimeException e) {
      throw RegistryJson.unreadable(place, String.valueOf(e.getMessage()), e);
    }
  }

  private static ObjectNode upgraded(ObjectNode json, TableName table) {
    int format = json.path("format").asInt();
    ObjectNode read = format == WITHOUT_KIND ? withKind(json, table) : json.deepCopy();
    if (format >= WITHOUT_KIND && format <= WITHOUT_CLUSTERS) {
      read.set("clusters", MAPPER.valueToTree(Migration.Clusters.NONE));
    }
    return read;
  }

  private static ObjectNode withKind(ObjectNode json, TableName table) {
    String source = json.path("source").asText();
    String target = json.path("target").asText();
    ObjectNode upgraded = json.deepCopy();
    ObjectNode kind = upgraded.putObject("kind");
    if (json.has("step_before")) {
      kind.put("name", source.equals(target) ? "step_in_place" : "step_with_rewriting");
      kind.set("before", upgraded.remove("step_before"));
      kind.set("after", upgraded.remove("step_after"));
    } else if (json.has("key_before")) {
      kind.put("name", "another_key");
      kind.set("before", upgraded.remove("key_before"));
      kind.set("after", upgraded.remove("key_after"));
      kind.set("columns", upgraded.remove("key_columns"));
    } else {
      kind.put("name", target.equals(table.getNameAsString()) ? "renaming" : "another_spread");
    }
    return upgraded;
  }
}
