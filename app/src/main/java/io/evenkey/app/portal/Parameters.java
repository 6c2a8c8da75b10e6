package io.evenkey.app.portal;

import io.javalin.http.Context;

/**
 * What the query of a request says. Stateless; whatever is wrong is an {@link
 * IllegalArgumentException}.
 */
final class Parameters {
  private Parameters() {}

  /** A text that has to be there. */
  static String required(Context request, String name) {
    String value = request.queryParam(name);
    if (value == null) {
      throw new IllegalArgumentException("parameter missing: " + name + "; give it in the query");
    }
    return value;
  }

  /** A text, or the usual one. */
  static String text(Context request, String name, String usual) {
    String value = request.queryParam(name);
    return value == null || value.isBlank() ? usual : value;
  }

  /** A number, or the usual one. */
  static double number(Context request, String name, double usual) {
    String value = request.queryParam(name);
    if (value == null || value.isBlank()) {
      return usual;
    }
    try {
      return Double.parseDouble(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not a number: " + name + "=" + value, e);
    }
  }

  /** A whole number, or the usual one. */
  static long whole(Context request, String name, long usual) {
    String value = request.queryParam(name);
    if (value == null || value.isBlank()) {
      return usual;
    }
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not a whole number: " + name + "=" + value, e);
    }
  }

  /** As {@link #whole}, of numbers that are not as large. */
  static int integer(Context request, String name, int usual) {
    long value = whole(request, name, usual);
    if (value != (int) value) {
      throw new IllegalArgumentException("number too large: " + name + "=" + value);
    }
    return (int) value;
  }
}
