package io.evenkey.layout;

import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.ValueException;
import io.evenkey.layout.text.SyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Layouts made from the grammar, and values for their fields. */
final class RandomLayout {
  private static final String[] TYPES = {
    "string", "string(4)", "digits", "digits(5)", "int64", "timestamp"
  };
  private static final String[] SEPARATORS = {"-", "!", "--", "/x"};
  private static final String[] LETTERS = {
    "a", "b", "~", "é", "日", "\uD83D\uDE00", "\uFFFD", "z", "0", "_", " "
  };

  private final SplittableRandom random;
  private final int size;

  RandomLayout(SplittableRandom random, int size) {
    this.random = random;
    this.size = size;
  }

  /** A layout with up to four fields. */
  Layout layout() {
    Layout layout = null;
    while (layout == null) {
      layout = parsed(line());
    }
    return layout;
  }

  // Some fields cannot stand together, such as digits before a sign above '9'.
  private static Layout parsed(String line) {
    try {
      return Layout.parse(line);
    } catch (SyntaxException e) {
      return null;
    }
  }

  private String line() {
    int fields = 1 + random.nextInt(Math.min(4, size));
    List<String> parts = new ArrayList<>();
    String prefix = prefix(fields);
    if (!prefix.isEmpty()) {
      parts.add(prefix);
    }
    for (int i = 0; i < fields; i++) {
      String field = "f" + i + ":" + pick(TYPES) + (random.nextInt(3) == 0 ? " desc" : "");
      parts.add(random.nextInt(6) == 0 ? "reverse(" + field + ")" : field);
      if (i + 1 < fields && random.nextInt(3) == 0) {
        parts.add('"' + pick(SEPARATORS) + '"');
      }
    }
    return String.join(" + ", parts);
  }

  private String prefix(int fields) {
    String field = "f" + random.nextInt(fields);
    return switch (random.nextInt(8)) {
      case 0, 1 -> "salt(" + (1 + random.nextInt(20)) + ")";
      case 2, 3 -> "salt(" + (1 + random.nextInt(20)) + ", " + field + ")";
      case 4 -> "salt(300, " + field + ")";
      case 5 -> "md5(" + field + ")[3..5]:HEX + \":\"";
      case 6 -> "md5(" + field + "):bytes";
      default -> "";
    };
  }

  /** A value for each field; some may be refused by the key. */
  Values values(Layout layout) {
    Values values = Values.of(Map.of());
    for (Field field : layout.fields()) {
      values = values.and(field.name(), value(field));
    }
    return values;
  }

  /** Values that a key can hold. */
  Values acceptedValues(Layout layout) {
    for (int i = 0; i < 200; i++) {
      Values values = values(layout);
      if (isAccepted(layout, values)) {
        return values;
      }
    }
    throw new AssertionError("no acceptable value for " + layout);
  }

  // Some have a sign of a separator in them, or are too long.
  private static boolean isAccepted(Layout layout, Values values) {
    try {
      layout.encode(values);
      return true;
    } catch (ValueException e) {
      return false;
    }
  }

  Object value(Field field) {
    String type = field.type().toString();
    return switch (type) {
      case "string", "string(4)" -> text(random.nextInt(type.equals("string") ? size : 3));
      case "digits" -> digits(1 + random.nextInt(size));
      case "digits(5)" -> field.parse(digits(1 + random.nextInt(Math.min(5, size))));
      default -> number();
    };
  }

  private String text(int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(pick(LETTERS));
    }
    return text.toString();
  }

  private String digits(int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(random.nextInt(10));
    }
    return text.toString();
  }

  private Long number() {
    return switch (random.nextInt(6)) {
      case 0 -> Long.MIN_VALUE;
      case 1 -> Long.MAX_VALUE;
      case 2 -> random.nextLong();
      default -> (long) random.nextInt(-size, size + 1);
    };
  }

  private String pick(String[] choices) {
    return choices[random.nextInt(choices.length)];
  }

  /** The order of two records by the natural order of their values, turned round for desc. */
  static int compare(Layout layout, Values a, Values b) {
    for (Field field : layout.fields()) {
      int order = compareValues(a.get(field.name()), b.get(field.name()));
      if (order != 0) {
        return field.descending() ? -order : order;
      }
    }
    return 0;
  }

  static int compareValues(Object a, Object b) {
    if (a instanceof Long number) {
      return number.compareTo((Long) b);
    }
    return Arrays.compareUnsigned(
        ((String) a).getBytes(StandardCharsets.UTF_8),
        ((String) b).getBytes(StandardCharsets.UTF_8));
  }
}
