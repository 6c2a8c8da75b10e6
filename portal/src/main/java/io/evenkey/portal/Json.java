/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.report.cluster.OperatorStatement;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/** Requests and responses as JSON. Stateless. */
final class Json {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  static void answer(Context request, Object document) {
    request.contentType("application/json").result(bytes(document));
  }

  static byte[] bytes(Object document) {
    try {
      return MAPPER.writeValueAsBytes(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("figures and texts can always be written as JSON", e);
    }
  }

  /**
   * The JSON object in the body of a request.
   *
   * @throws IllegalArgumentException if the body is not a JSON object
   */
  static ObjectNode object(Context request) {
    JsonNode read;
    try {
      read = MAPPER.readTree(request.body());
    } catch (JsonProcessingException e) {
      throw new EvenkeyArgumentException("body is not JSON: " + e.getOriginalMessage(), e);
    }
    if (read instanceof ObjectNode object) {
      return object;
    }
    throw new EvenkeyArgumentException("body is not a JSON object; send one");
  }

  /** A text of an object; null if it is missing or empty. */
  static @Nullable String text(JsonNode object, String name) {
    JsonNode value = object.get(name);
    if (value == null || value.isNull() || value.isTextual() && value.asText().isBlank()) {
      return null;
    }
    if (!value.isTextual()) {
      throw new EvenkeyArgumentException(name + " is not a text: " + value);
    }
    return value.asText().strip();
  }

  /** Whether an entry is true; false if it is missing. */
  static boolean flag(JsonNode object, String name) {
    JsonNode value = object.path(name);
    if (!value.isMissingNode() && !value.isNull() && !value.isBoolean()) {
      throw new EvenkeyArgumentException(name + " is neither true nor false: " + value);
    }
    return value.asBoolean(false);
  }

  /** The operator's statement of the table that a request is to change. */
  static OperatorStatement statement(JsonNode object) {
    return new OperatorStatement(flag(object, "others_stopped"), flag(object, "replication_ended"));
  }

  /** A whole number of an object; null if it is missing. */
  static @Nullable Integer integer(JsonNode object, String name) {
    JsonNode value = object.get(name);
    if (value == null || value.isNull()) {
      return null;
    }
    if (!value.isInt()) {
      throw new EvenkeyArgumentException(name + " is not a whole number: " + value);
    }
    return value.asInt();
  }
}
