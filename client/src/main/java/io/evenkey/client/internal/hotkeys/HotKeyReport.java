/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.hotkeys;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.hotkeys.HotItem;
import io.evenkey.layout.hotkeys.HotItems;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The keys that one client counted on one table in one interval. Immutable.
 *
 * @param from when the while began, in milliseconds since 1970
 * @param to when it ended
 * @param hashed whether the items are hashes
 * @param readKeys logical keys read, by Gets
 * @param readFields leading fields of those
 * @param writeKeys logical keys written
 * @param writeFields leading fields of those
 */
public record HotKeyReport(
    long from,
    long to,
    boolean hashed,
    HotItems readKeys,
    HotItems readFields,
    HotItems writeKeys,
    HotItems writeFields) {
  private static final int FORMAT = 1;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  byte[] toJson() throws IOException {
    ObjectNode json = MAPPER.createObjectNode();
    json.put("format", FORMAT).put("from", from).put("to", to).put("hashed", hashed);
    write(readKeys, json.putObject("read_keys"));
    write(readFields, json.putObject("read_fields"));
    write(writeKeys, json.putObject("write_keys"));
    write(writeFields, json.putObject("write_fields"));
    return MAPPER.writeValueAsBytes(json);
  }

  private static void write(HotItems items, ObjectNode json) {
    json.put("total", items.total()).put("error", items.error());
    ArrayNode rows = json.putArray("items");
    for (HotItem item : items.items()) {
      rows.addArray()
          .add(item.item().toString())
          .add(item.estimate())
          .add(item.lower())
          .add(item.upper());
    }
  }

  /**
   * Reads a report.
   *
   * @throws IOException if it is of another format, or damaged
   */
  public static HotKeyReport parse(byte[] bytes) throws IOException {
    JsonNode json = MAPPER.readTree(bytes);
    int format = json.path("format").asInt();
    if (format != FORMAT) {
      throw new IOException(
          "hot keys of another version: format=" + format + " understood=" + FORMAT);
    }
    return new HotKeyReport(
        json.path("from").asLong(),
        json.path("to").asLong(),
        json.path("hashed").asBoolean(),
        read(json.path("read_keys")),
        read(json.path("read_fields")),
        read(json.path("write_keys")),
        read(json.path("write_fields")));
  }

  private static HotItems read(JsonNode json) {
    List<HotItem> items = new ArrayList<>();
    for (JsonNode row : json.path("items")) {
      items.add(
          new HotItem(
              ByteString.fromHex(row.path(0).asText()),
              row.path(1).asLong(),
              row.path(2).asLong(),
              row.path(3).asLong()));
    }
    return new HotItems(json.path("total").asLong(), json.path("error").asLong(), items);
  }
}
