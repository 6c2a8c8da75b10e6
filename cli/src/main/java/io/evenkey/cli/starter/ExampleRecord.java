/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.starter;

import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.FieldType;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One record that a layout can hold, as text and as values. Immutable.
 *
 * @param texts the text of each field, as on a command line
 * @param values the values that these texts stand for
 */
public record ExampleRecord(Map<String, String> texts, Values values) {
  private static final long MOMENT_MS = 1_769_848_200_000L;

  /**
   * A record with the values of a real one, and made-up ones for the fields that it lacks.
   *
   * @param known the text of fields by name
   */
  public static ExampleRecord of(Layout layout, Map<String, String> known) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (Field field : layout.fields()) {
      @Nullable String text = known.get(field.name());
      texts.put(field.name(), text == null ? text(field) : text);
    }
    return new ExampleRecord(texts, layout.read(texts::get));
  }

  private static String text(Field field) {
    FieldType type = field.type();
    String name = type.toString().replaceFirst("\\(.*", "");
    return switch (name) {
      case "string" -> text(field.name().toLowerCase(Locale.ROOT) + "1", type.width());
      case "bytes" -> "01".repeat(Math.max(1, type.width()));
      case "bool" -> "true";
      case "uuid" -> "00000000-0000-4000-8000-000000000001";
      case "timestamp" -> type.display(field.convert(MOMENT_MS));
      case "date" -> "2026-01-31";
      case "digits", "hex", "decimal" -> "1";
      default -> name.matches("u?int[0-9]*|long|float[0-9]+") ? "1" : "www.example.com";
    };
  }

  private static String text(String value, int width) {
    String ascii = value.replaceAll("[^a-z0-9]", "");
    return width < 0 || ascii.length() <= width ? ascii : ascii.substring(ascii.length() - width);
  }
}
