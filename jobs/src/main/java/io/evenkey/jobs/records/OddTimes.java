/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.layout.Layout;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.Numbers;
import io.evenkey.layout.message.FailureMessage;
import io.evenkey.layout.scatter.Where;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds whole numbers that are hardly milliseconds since 1970, as which they are taken: they are of
 * the years from 1980 to 2100 in another unit, and of none as milliseconds. Not thread-safe.
 */
public final class OddTimes {
  private static final long YEAR_1980 = 315_532_800L;
  private static final long YEAR_2100 = 4_102_444_800L;
  private static final Pattern DATE =
      Pattern.compile("(19[89]|20[0-9])[0-9](0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])");
  private static final Pattern TIME = Pattern.compile(DATE + "([01][0-9]|2[0-3])([0-5][0-9]){2}");

  /** A whole number that is a value by itself, and no part of a date. */
  private static final Pattern NUMBER =
      Pattern.compile("(?<![\\p{Alnum}:.+-])[0-9]{8,19}(?![\\p{Alnum}:.+-])");

  private final Map<String, Long> counts = new TreeMap<>();
  private final Map<String, String> examples = new TreeMap<>();

  /** The unit or pattern of which a number more likely is, or null. */
  static @Nullable String unit(String text) {
    String number = text.strip();
    if (!number.matches("[0-9]{8,19}")) {
      return null;
    }
    if (DATE.matcher(number).matches()) {
      return "yyyyMMdd";
    }
    if (TIME.matcher(number).matches()) {
      return "yyyyMMddHHmmss";
    }
    return is(number, "")
        ? "s"
        : is(number, "000000") ? "us" : is(number, "000000000") ? "ns" : null;
  }

  private static boolean is(String number, String zeros) {
    return isLess(YEAR_1980 + zeros, number) && isLess(number, YEAR_2100 + zeros);
  }

  private static boolean isLess(String one, String other) {
    return one.length() < other.length()
        || one.length() == other.length() && one.compareTo(other) < 0;
  }

  /** Counts a value that is taken as milliseconds. */
  void add(String field, String text) {
    String unit = unit(text);
    if (unit != null) {
      counts.merge(unit, 1L, Long::sum);
      examples.computeIfAbsent(
          unit,
          key -> {
            long milliseconds = Long.parseLong(text.strip());
            return "field=" + field + " value=" + text + " time=" + shown(milliseconds);
          });
    }
  }

  private static String shown(long milliseconds) {
    return Instant.ofEpochMilli(milliseconds).toString();
  }

  /** Whether a field takes whole numbers as milliseconds since 1970. */
  static boolean isTime(Field field) {
    Numbers numbers = field.type().numbers();
    return numbers != null && numbers.unit() == Numbers.Unit.MILLISECOND;
  }

  /**
   * Warns of values of a key's fields, as they are typed.
   *
   * @param values by the names of their fields; null where there is none
   */
  public static List<String> warnings(Layout layout, Function<String, @Nullable String> values) {
    List<String> warnings = new ArrayList<>();
    for (Field field : layout.fields()) {
      String text = values.apply(field.name());
      if (text != null && isTime(field)) {
        warn(field.name(), text, warnings);
      }
    }
    return warnings;
  }

  /** Warns of the values in a condition, as they are typed. */
  public static List<String> warnings(Where condition) {
    List<String> warnings = new ArrayList<>();
    condition
        .comparisons()
        .forEach(
            (field, comparisons) -> {
              if (isTime(field)) {
                Matcher number = NUMBER.matcher(String.join(" ", comparisons));
                while (number.find()) {
                  warn(field.name(), number.group(), warnings);
                }
              }
            });
    return warnings;
  }

  private static void warn(String field, String text, List<String> warnings) {
    String unit = unit(text);
    if (unit == null) {
      return;
    }
    String number = text.strip();
    warnings.add(
        FailureMessage.of(
                "time that is hardly in milliseconds since 1970, the unit that was assumed")
            .with("field", field)
            .with("value", number)
            .with("time", shown(Long.parseLong(number)))
            .remedy(remedy(unit, number)));
  }

  private static String remedy(String unit, String number) {
    try {
      return "write " + shown(meant(unit, number)) + " if it is " + named(unit);
    } catch (IllegalArgumentException e) {
      return "it looks like a date that does not exist";
    }
  }

  private static long meant(String unit, String number) {
    BigInteger count = new BigInteger(number);
    return switch (unit) {
      case "s" -> count.multiply(BigInteger.valueOf(1_000)).longValueExact();
      case "us" -> count.divide(BigInteger.valueOf(1_000)).longValueExact();
      case "ns" -> count.divide(BigInteger.valueOf(1_000_000)).longValueExact();
      default -> Long.parseLong(WrittenTimes.of(unit).milliseconds(number));
    };
  }

  private static String named(String unit) {
    return switch (unit) {
      case "s" -> "seconds";
      case "us" -> "microseconds";
      case "ns" -> "nanoseconds";
      default -> "a date";
    };
  }

  /** The number of values by the unit of which they more likely are. */
  public Map<String, Long> counts() {
    return counts;
  }

  /** The warnings. */
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    counts.forEach((unit, count) -> warnings.add(warning(unit, count, examples.get(unit))));
    return warnings;
  }

  /** A warning of some values. */
  public static String warning(String unit, long count, @Nullable String example) {
    return "times that are hardly in milliseconds since 1970, the unit that was assumed: records="
        + count
        + (example == null ? "" : " " + example)
        + "; if they are what they seem to be, "
        + Remedy.NAME_TIME_UNIT
        + ": unit="
        + unit;
  }
}
