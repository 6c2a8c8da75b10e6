/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import static java.math.BigDecimal.ONE;

import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.FieldType;
import io.evenkey.layout.field.Numbers;
import io.evenkey.layout.field.ValueException;
import io.evenkey.layout.message.Quoted;
import io.evenkey.layout.spread.Prefix;
import io.evenkey.layout.text.SyntaxException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;

/** Layouts made from the grammar, and values for their fields. */
public final class RandomLayout {
  private static final String[] TYPES = {
    "string",
    "string",
    "string(4)",
    "bytes",
    "bytes",
    "bytes(3)",
    "digits",
    "digits(5)",
    "hex(4)",
    "int8",
    "int16",
    "int32",
    "int64",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "int",
    "long",
    "timestamp(long)",
    "float32",
    "float64",
    "decimal",
    "decimal",
    "bool",
    "uuid",
    "timestamp",
    "timestamp(\"yyyyMMdd HH\")",
    "date"
  };
  private static final String[] PHOENIX_TYPES = {
    "string", "int32", "int64", "uint64", "decimal", "timestamp", "float64"
  };
  private static final String[] HOSTS = {
    "",
    "a",
    "b.a",
    "www.example.com",
    "mail.example.com",
    "example.com.",
    "10.0.0.1",
    "[::1]",
    "http://b.a",
    "https://b.a:8080/x?y#z",
    "b.a:80",
    "b.a/x",
    "b.a?x",
    "日.jp/é",
    "file:///a"
  };
  private static final String[] SEPARATORS = {"-", "!", "--", "/x"};
  private static final String[] LETTERS = {
    "a", "b", "~", "é", "日", "\uD83D\uDE00", "\uFFFD", "z", "0", "_", " "
  };

  private final SplittableRandom random;
  private final int size;

  public RandomLayout(SplittableRandom random, int size) {
    this.random = random;
    this.size = size;
  }

  /** A layout with up to four fields. */
  public Layout layout() {
    Layout layout = null;
    while (layout == null) {
      layout = parsed(line());
    }
    Layout sliced = random.nextBoolean() ? null : parsed(withSlices(layout));
    layout = sliced == null ? layout : sliced;
    Layout stepped = random.nextBoolean() ? null : parsed(withSteps(layout));
    return stepped == null ? layout : stepped;
  }

  /** The line with slices in its salt; no layout where no hashed field can have them. */
  private String withSlices(Layout layout) {
    String line = layout.toString();
    Prefix prefix = layout.spread().prefix();
    if (prefix == null || prefix.fields().isEmpty()) {
      return "";
    }
    String name = prefix.fields().get(0);
    FieldType type = layout.fields().get(layout.key().indexOf(name)).type();
    int width = 2 + random.nextInt(random.nextInt(3) == 0 ? 1_000_000 : 20);
    String unit = type.toString().equals("date") ? "d" : pick(new String[] {"ms", "s", "m", "h"});
    boolean time = type.numbers() != null && type.numbers().unit() != Numbers.Unit.ONE;
    return line.replaceFirst(
        ", " + name, ", " + name + (time ? " every " + width + unit : " / " + width));
  }

  /**
   * The line with steps in its salt; no layout where it has none, or no field that can have them.
   */
  private String withSteps(Layout layout) {
    String line = layout.toString();
    Field field = layout.fields().get(random.nextInt(layout.fields().size()));
    if (!line.startsWith("salt(") || !field.type().canHaveSteps()) {
      return "";
    }
    TreeMap<byte[], String> values = new TreeMap<>(Arrays::compareUnsigned);
    for (int i = random.nextInt(4); i >= 0; i--) {
      Object value = value(field);
      values.put(field.encoded(value), Quoted.literal(field.type().format(value)));
    }
    String prefix = layout.spread().prefix().toString();
    StringBuilder steps = new StringBuilder(prefix.substring(0, prefix.length() - 1));
    steps.append(prefix.contains(";") ? "" : ";");
    String comma = prefix.contains(";") ? ", " : " ";
    for (String value : values.values()) {
      int buckets = 1 + random.nextInt(random.nextInt(4) == 0 ? 300 : 20);
      steps.append(comma).append(buckets).append(" from ").append(field.name()).append(" ");
      steps.append(value);
      comma = ", ";
    }
    return steps.append(')').append(line.substring(prefix.length())).toString();
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
    if (random.nextInt(10) == 0) {
      return phoenixLine(fields);
    }
    List<String> parts = new ArrayList<>();
    String prefix = prefix(fields);
    if (!prefix.isEmpty()) {
      parts.add(prefix);
    }
    for (int i = 0; i < fields; i++) {
      String desc = random.nextInt(3) == 0 ? " desc" : "";
      String field =
          random.nextInt(20) == 0
              ? "reverse_domain(f" + i + ":string" + desc + ")"
              : "f" + i + ":" + pick(TYPES) + desc;
      parts.add(random.nextInt(6) == 0 ? "reverse(" + field + ")" : field);
      if (i + 1 < fields && random.nextInt(3) == 0) {
        parts.add('"' + pick(SEPARATORS) + '"');
      }
    }
    return String.join(" + ", parts);
  }

  private String phoenixLine(int fields) {
    StringBuilder line = new StringBuilder("phoenix_salt(" + random.nextInt(5) + ")");
    for (int i = 0; i < fields; i++) {
      line.append(" + f" + i + ":" + pick(PHOENIX_TYPES));
      line.append(random.nextInt(3) == 0 ? " desc" : "");
    }
    return line.toString();
  }

  private String prefix(int fields) {
    String field = "f" + random.nextInt(fields);
    int buckets = 1 + random.nextInt(20);
    return switch (random.nextInt(16)) {
      case 0, 1 -> "salt(" + buckets + ")";
      case 2, 3 -> "salt(" + buckets + ", " + field + ")";
      case 4 -> "salt(300, " + field + ")";
      case 5 -> "md5(" + field + ")[3..5]:HEX + \":\"";
      case 6 -> "md5(" + field + "):bytes";
      case 7 -> "murmur3(" + field + ")[1..3]";
      case 8 -> "xxh3(" + field + ")[0..1]:bytes";
      case 9 -> "salt(" + buckets + ", random; as=letters, sep=\"-\")";
      case 10 -> "salt(" + buckets + "; as=digits(2), sep=\"_\")";
      case 11 -> "salt(" + buckets + ", " + field + "; over=" + (1 + buckets / 3) + ", as=hex(3))";
      case 12 -> "hbasewd_salt(" + buckets + ")";
      case 13 -> "hbasewd_salt(" + buckets + ", rotating)";
      default -> "";
    };
  }

  /** A value for each field; some may be refused by the key. */
  public Values values(Layout layout) {
    Values values = Values.of(Map.of());
    for (Field field : layout.fields()) {
      boolean none = layout.key().allowsNull() && random.nextInt(4) == 0;
      values = values.and(field.name(), none ? null : value(field));
    }
    return values;
  }

  /** Values that a key can hold. */
  public Values acceptedValues(Layout layout) {
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

  public Object value(Field field) {
    String type = field.type().toString();
    Object value =
        switch (type) {
          case "string", "string(4)" -> text(random.nextInt(type.equals("string") ? size : 3));
          case "bytes" -> bytes(random.nextInt(size));
          case "bytes(3)" -> bytes(3);
          case "digits" -> digits(1 + random.nextInt(size));
          case "digits(4)", "digits(5)" -> digits(1 + random.nextInt(Math.min(4, size)));
          case "hex(3)" -> Integer.toHexString(random.nextInt(0x1000));
          case "hex(4)" -> Integer.toHexString(random.nextInt(0x10000));
          case "timestamp(\"yyyy-MM-dd\")" -> Math.floorMod(number(), 7000L * 365) * 86_400_000L;
          case "bool" -> random.nextBoolean();
          case "uuid" -> new UUID(number(), number());
          case "date" -> LocalDate.ofEpochDay(narrowed("int32", number()));
          case "float32" ->
              Float.intBitsToFloat(random.nextBoolean() ? number().intValue() : half());
          case "float64" -> random.nextBoolean() ? real() : Double.longBitsToDouble(number());
          case "decimal" -> decimal();
          case "uint64" -> new BigInteger(Long.toUnsignedString(number()));
          case "reverse_domain" -> pick(HOSTS);
          case "timestamp(\"yyyyMMdd HH\")" ->
              Math.floorMod(number(), 7000L * 365 * 24) * 3_600_000L;
          default -> narrowed(type, number());
        };
    return field.convert(value);
  }

  private static Long narrowed(String type, Long number) {
    return switch (type) {
      case "int8" -> (long) number.byteValue();
      case "int16" -> (long) number.shortValue();
      case "int32" -> (long) number.intValue();
      case "uint8" -> number & 0xff;
      case "uint16" -> number & 0xffff;
      case "uint32" -> number & 0xffff_ffffL;
      case "int" -> number & Integer.MAX_VALUE;
      case "long", "timestamp(long)" -> number & Long.MAX_VALUE;
      default -> number;
    };
  }

  private int half() {
    return Float.floatToIntBits(random.nextInt(-size, size + 1) / 2f);
  }

  private double real() {
    double[] special = {0.0, -0.0, Double.NaN, Double.NEGATIVE_INFINITY, Double.MIN_VALUE, -1.5};
    return special[random.nextInt(special.length)];
  }

  private BigDecimal decimal() {
    return BigDecimal.valueOf(random.nextInt(-size, size + 1), random.nextInt(-3, 4))
        .multiply(random.nextInt(5) == 0 ? new BigDecimal("1e" + random.nextInt(-60, 60)) : ONE);
  }

  private ByteString bytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] =
          (byte) new int[] {0, 0, 1, 0xff, 0xfe, 'a', random.nextInt(256)}[random.nextInt(7)];
    }
    return ByteString.of(bytes);
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
  public static int compare(Layout layout, Values a, Values b) {
    for (Field field : layout.fields()) {
      Object mine = a.get(field.name());
      Object other = b.get(field.name());
      int order = compareValues(field, mine, other);
      if (order != 0) {
        // Nulls, which only Phoenix has, come first either way.
        boolean nulls = isNull(mine) || isNull(other);
        return field.descending() && !(nulls && layout.key().allowsNull()) ? -order : order;
      }
    }
    return 0;
  }

  private static boolean isNull(Object value) {
    return value == null || value.equals("");
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // two values of one field are of one class
  static int compareValues(Field field, Object a, Object b) {
    if (a == null || b == null) {
      return Boolean.compare(!isNull(a), !isNull(b));
    }
    if (a instanceof UUID) {
      return a.toString().compareTo(b.toString());
    }
    if (field.type().toString().equals("reverse_domain")) {
      return Arrays.compareUnsigned(field.encoded(a), field.encoded(b));
    }
    if (a instanceof String text) {
      return Arrays.compareUnsigned(
          text.getBytes(StandardCharsets.UTF_8), ((String) b).getBytes(StandardCharsets.UTF_8));
    }
    return ((Comparable) a).compareTo(b);
  }
}
