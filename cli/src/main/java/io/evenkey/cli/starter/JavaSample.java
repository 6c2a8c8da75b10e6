/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.starter;

import io.evenkey.advisor.query.Query;
import io.evenkey.advisor.query.QueryCondition;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.message.Quoted;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * A Java program that writes one record of a table and reads by its main query. Immutable.
 *
 * @param className the name of its class
 * @param source its text
 */
record JavaSample(String className, String source) {
  private static final int USUAL_LIMIT = 10;

  static JavaSample of(Requirements wanted, Layout layout, ExampleRecord example) {
    String className = className(wanted.table().getQualifierAsString());
    String source =
        template()
            .replace("{{class}}", className)
            .replace("{{table}}", Quoted.literal(wanted.table().getNameAsString()))
            .replace("{{family}}", Quoted.literal(wanted.family()))
            .replace("{{values}}", values(layout, example))
            .replace("{{selection}}", selection(wanted.mainQuery(), layout, example));
    return new JavaSample(className, source);
  }

  private static String template() {
    try (InputStream in = JavaSample.class.getResourceAsStream("sample.java.txt")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The table's name in capitals and small letters: {@code web_orders} is WebOrdersSample. */
  static String className(String table) {
    StringBuilder name = new StringBuilder();
    for (String word : table.split("[^\\p{L}\\p{N}]+", -1)) {
      if (!word.isEmpty()) {
        name.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
      }
    }
    return (name.isEmpty() || !Character.isJavaIdentifierStart(name.charAt(0)) ? "Table" : "")
        + name
        + "Sample";
  }

  private static String values(Layout layout, ExampleRecord example) {
    List<String> calls = new ArrayList<>();
    for (Field field : layout.fields()) {
      Object value = Objects.requireNonNull(example.values().get(field.name()));
      calls.add("(" + Quoted.literal(field.name()) + ", " + literal(value) + ")");
    }
    String first = "Values.of" + calls.get(0);
    return first
        + calls.stream()
            .skip(1)
            .map(call -> "\n              .and" + call)
            .collect(Collectors.joining());
  }

  // All classes that Values lists.
  private static String literal(Object value) {
    if (value instanceof String text) {
      return Quoted.literal(text);
    }
    String text = value.toString();
    if (value instanceof Long) {
      return text + "L";
    } else if (value instanceof Float) {
      return "Float.valueOf(\"" + text + "\")";
    } else if (value instanceof Double) {
      return "Double.valueOf(\"" + text + "\")";
    } else if (value instanceof BigInteger) {
      return "new java.math.BigInteger(\"" + text + "\")";
    } else if (value instanceof BigDecimal) {
      return "new java.math.BigDecimal(\"" + text + "\")";
    } else if (value instanceof UUID) {
      return "java.util.UUID.fromString(\"" + text + "\")";
    } else if (value instanceof LocalDate) {
      return "java.time.LocalDate.parse(\"" + text + "\")";
    } else if (value instanceof ByteString) {
      return "io.evenkey.layout.bytes.ByteString.fromHex(\"" + text + "\")";
    }
    return text;
  }

  private static String selection(Query query, Layout layout, ExampleRecord example) {
    StringBuilder calls = new StringBuilder();
    String where =
        query.conditions().stream()
            .map(condition -> condition(condition, layout, example))
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining(" and "));
    if (!where.isEmpty()) {
      calls.append(".where(").append(Quoted.literal(where)).append(")");
    }
    boolean newestLast =
        layout.fields().stream()
            .filter(FirstLayout::isTime)
            .findFirst()
            .map(time -> !time.descending())
            .orElse(true);
    if (query.order() == Query.Order.NEWEST_FIRST && newestLast
        || query.order() == Query.Order.OLDEST_FIRST && !newestLast) {
      calls.append(".reversed()");
    }
    int limit = query.limit() == 0 ? USUAL_LIMIT : query.limit();
    return calls.append(".limit(").append(limit).append(")").toString();
  }

  // The bounds of a range are of the example itself, so that the program finds what it wrote.
  private static String condition(QueryCondition condition, Layout layout, ExampleRecord example) {
    boolean isField =
        layout.fields().stream().anyMatch(field -> field.name().equals(condition.column()));
    if (!isField || condition.operator() == QueryCondition.Operator.UNDER) {
      return "";
    }
    String name = Quoted.name(condition.column());
    String value = value(Objects.requireNonNull(example.texts().get(condition.column())));
    return switch (condition.operator()) {
      case EQUAL, IN -> name + " = " + value;
      case STARTS_WITH -> name + " starts with " + value;
      case AT_MOST, LESS -> name + " <= " + value;
      default -> name + " >= " + value;
    };
  }

  private static String value(String text) {
    return text.chars().allMatch(c -> c >= ' ' && c != '\'' && c != '\\')
        ? "'" + text + "'"
        : Quoted.literal(text);
  }
}
