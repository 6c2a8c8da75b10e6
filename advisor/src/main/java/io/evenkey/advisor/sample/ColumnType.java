/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.sample;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Field types for columns, from all their values: what every one of them is. Numbers with leading
 * zeros, which a number would lose, are digits; numbers of milliseconds between 2000 and 2100 are
 * moments, and so are those in another unit in a column that is called a time; a column that is
 * called so, and has dots in nearly every value, holds domains.
 */
final class ColumnType {
  /** The type of times whose written form does not sort. */
  static final String UNSORTED_TIME = "unsorted time";

  /** Of times that a key has as numbers; before their unit, as {@code --time-unit} has it. */
  static final String NUMBERED_TIME = "time in ";

  private static final Pattern CALLED_A_TIME =
      Pattern.compile(
          "(?i).*(time|stamp|date|epoch|when|(^|_)(ts|at))(_?(s|sec|seconds|us|micros|ns|nanos|utc))?");
  private static final Pattern DAY =
      Pattern.compile("(19[89]|20[0-9])[0-9](0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])");
  private static final Pattern SECOND = Pattern.compile(DAY + "([01][0-9]|2[0-3])([0-5][0-9]){2}");
  private static final Pattern NANOSECONDS = Pattern.compile("[1-4][0-9]{18}");

  private static final Pattern WHOLE = Pattern.compile("0|-?[1-9][0-9]{0,17}");
  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,30}");
  private static final Pattern TIME =
      Pattern.compile(
          "[0-9]{4}-[0-9]{2}-[0-9]{2}"
              + "[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,3})?)?(Z|[+-][0-9]{2}:[0-9]{2})?");
  private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
  private static final Pattern UUID =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
  private static final Pattern DOMAIN =
      Pattern.compile("([A-Za-z0-9_-]+\\.)+[A-Za-z][A-Za-z0-9-]+\\.?");
  // A program's name has a dot, too.
  private static final Pattern NAMED_SO =
      Pattern.compile("(?i)domain|host|url|site|dns|server|address");
  private static final long YEAR_2000 = 946_684_800_000L;
  private static final long YEAR_2100 = 4_102_444_800_000L;
  private static final double NEARLY_ALL = 0.9;

  private ColumnType() {}

  static String infer(String name, List<String> values) {
    if (all(values, WHOLE) && areMoments(values, YEAR_2000, YEAR_2100)) {
      return "timestamp";
    }
    String unit = CALLED_A_TIME.matcher(name).matches() ? unit(values) : null;
    if (unit != null) {
      return NUMBERED_TIME + unit;
    }
    if (all(values, WHOLE)) {
      return "int64";
    }
    if (all(values, DIGITS)) {
      int width = values.get(0).length();
      return values.stream().allMatch(value -> value.length() == width)
          ? "digits(" + width + ")"
          : "string";
    }
    if (all(values, TIME)) {
      return "timestamp";
    }
    if (all(values, DATE)) {
      return "date";
    }
    if (all(values, UUID)) {
      return "uuid";
    }
    if (UnsortedTime.is(values)) {
      return UNSORTED_TIME;
    }
    long domains = values.stream().filter(value -> DOMAIN.matcher(value).matches()).count();
    return NAMED_SO.matcher(name).find()
            && domains >= NEARLY_ALL * values.size()
            && values.stream().allMatch(ColumnType::isHost)
        ? "domain"
        : "string";
  }

  /** The field type for keys of values of a type. */
  static String keyType(String type) {
    return type.equals(UNSORTED_TIME)
        ? "string"
        : type.equals(NUMBERED_TIME + "ns")
            ? "digits(19)"
            : type.startsWith(NUMBERED_TIME) ? "int64" : type;
  }

  /** The unit or pattern of numbers that may be times, but not in milliseconds; null for none. */
  private static @Nullable String unit(List<String> values) {
    if (all(values, NANOSECONDS)) {
      return areMoments(values, YEAR_2000 * 1_000_000, YEAR_2100 * 1_000_000) ? "ns" : null;
    }
    if (!all(values, WHOLE)) {
      return null;
    }
    return all(values, DAY)
        ? "yyyyMMdd"
        : all(values, SECOND)
            ? "yyyyMMddHHmmss"
            : areMoments(values, YEAR_2000 / 1_000, YEAR_2100 / 1_000)
                ? "s"
                : areMoments(values, YEAR_2000 * 1_000, YEAR_2100 * 1_000) ? "us" : null;
  }

  private static boolean areMoments(List<String> values, long from, long before) {
    return values.stream()
        .mapToLong(Long::parseLong)
        .allMatch(number -> number >= from && number < before);
  }

  // Without a dot, or an address, it still is a host; what has no host at all is not.
  private static boolean isHost(String value) {
    return !value.isEmpty()
        && value.chars().allMatch(c -> c > ' ' && c != '/' && c != '@' && c != ':')
        && !value.startsWith(".")
        && !value.contains("..");
  }

  private static boolean all(List<String> values, Pattern pattern) {
    return !values.isEmpty() && values.stream().allMatch(v -> pattern.matcher(v).matches());
  }
}
