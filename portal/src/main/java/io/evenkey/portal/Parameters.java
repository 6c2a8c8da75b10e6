/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.javalin.http.Context;

/**
 * Reads the query parameters of a request. Stateless; an invalid parameter is an {@link
 * IllegalArgumentException}.
 */
final class Parameters {
  private Parameters() {}

  /** A required text. */
  static String required(Context request, String name) {
    String value = request.queryParam(name);
    if (value == null) {
      throw new EvenkeyArgumentException("parameter missing: " + name + "; give it in the query");
    }
    return value;
  }

  /** A text, or its default. */
  static String text(Context request, String name, String usual) {
    String value = request.queryParam(name);
    return value == null || value.isBlank() ? usual : value;
  }

  /** A number, or its default. */
  static double number(Context request, String name, double usual) {
    String value = request.queryParam(name);
    if (value == null || value.isBlank()) {
      return usual;
    }
    try {
      return Double.parseDouble(value);
    } catch (NumberFormatException e) {
      throw new EvenkeyArgumentException("not a number: " + name + "=" + value, e);
    }
  }

  /** A whole number, or its default. */
  static long whole(Context request, String name, long usual) {
    String value = request.queryParam(name);
    if (value == null || value.isBlank()) {
      return usual;
    }
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new EvenkeyArgumentException("not a whole number: " + name + "=" + value, e);
    }
  }

  /** Like {@link #whole}, for smaller numbers. */
  static int integer(Context request, String name, int usual) {
    long value = whole(request, name, usual);
    if (value != (int) value) {
      throw new EvenkeyArgumentException("number too large: " + name + "=" + value);
    }
    return (int) value;
  }
}
