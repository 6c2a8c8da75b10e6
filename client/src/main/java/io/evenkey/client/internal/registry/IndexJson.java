/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.evenkey.client.failure.RegistryException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/** {@link IndexWork} as JSON. Stateless. */
final class IndexJson {
  private static final Set<String> KNOWN =
      Set.of(
          "format",
          "since",
          "nonce",
          "done",
          "rows",
          "entries",
          "rows_per_second",
          "finished",
          "verified",
          "swept");

  private IndexJson() {}

  static ObjectNode of(IndexWork work) {
    IndexWork.Filling filling = work.filling();
    ObjectNode json = RegistryJson.object().put("since", work.since().toString());
    json.put("nonce", filling.nonce()).put("rows", filling.rows());
    json.put("entries", filling.entries());
    ArrayNode done = json.putArray("done");
    filling.done().forEach(range -> done.addArray().add(range.start()).add(range.stop()));
    if (filling.rowsPerSecond() > 0) {
      json.put("rows_per_second", filling.rowsPerSecond());
    }
    if (filling.finished() != null) {
      json.put("finished", filling.finished().toString());
    }
    IndexWork.Verification verified = work.verified();
    if (verified != null) {
      IndexWork.DifferenceCounts found = verified.found();
      json.putObject("verified")
          .put("at", verified.at().toString())
          .put("rows", verified.rows())
          .put("entries", verified.entries())
          .put("missing", found.missing())
          .put("covered", found.covered())
          .put("unfit", found.unfit())
          .put("secured", found.secured())
          .put("stale", found.stale())
          .put("phantoms", found.phantoms())
          .put("unreadable", found.unreadable())
          .put("added", verified.added())
          .put("removed", verified.removed());
    }
    IndexWork.Sweep swept = work.swept();
    if (swept != null) {
      json.putObject("swept")
          .put("at", swept.at().toString())
          .put("entries", swept.entries())
          .put("stale", swept.stale())
          .put("removed", swept.removed())
          .put("settled", swept.settled());
    }
    return json;
  }

  static IndexWork parse(ObjectNode json, TableName table, String index, String place)
      throws RegistryException {
    RegistryJson.refuseUnknown(json, KNOWN, place);
    try {
      List<IndexWork.Range> done = new ArrayList<>();
      for (JsonNode range : json.path("done")) {
        done.add(new IndexWork.Range(range.path(0).asText(), range.path(1).asText()));
      }
      return new IndexWork(
          table,
          index,
          Instant.parse(json.path("since").asText()),
          new IndexWork.Filling(
              json.path("nonce").asText(),
              done,
              json.path("rows").asLong(),
              json.path("entries").asLong(),
              json.path("rows_per_second").asLong(),
              json.hasNonNull("finished") ? Instant.parse(json.get("finished").asText()) : null),
          verification(json.get("verified")),
          sweep(json.get("swept")));
    } catch (DateTimeException e) {
      throw RegistryJson.unreadable(place, String.valueOf(e.getMessage()), e);
    }
  }

  private static IndexWork.@Nullable Verification verification(@Nullable JsonNode json) {
    if (json == null) {
      return null;
    }
    long missing = json.path("missing").asLong();
    long stale = json.path("stale").asLong();
    // Earlier versions stored one sum of both. No more than the stale entries were removed, so at
    // least the others were added; they did not store phantoms.
    long repaired = json.path("repaired").asLong();
    long added = Math.min(missing, Math.max(0, repaired - stale));
    return new IndexWork.Verification(
        Instant.parse(json.path("at").asText()),
        json.path("rows").asLong(),
        json.path("entries").asLong(),
        new IndexWork.DifferenceCounts(
            missing,
            json.path("covered").asLong(),
            json.path("unfit").asLong(),
            json.path("secured").asLong(),
            stale,
            json.path("phantoms").asLong(),
            json.path("unreadable").asLong()),
        json.path("added").asLong(added),
        json.path("removed").asLong(repaired - added));
  }

  private static IndexWork.@Nullable Sweep sweep(@Nullable JsonNode json) {
    return json == null
        ? null
        : new IndexWork.Sweep(
            Instant.parse(json.path("at").asText()),
            json.path("entries").asLong(),
            json.path("stale").asLong(),
            json.path("removed").asLong(),
            json.path("settled").asLong());
  }
}
