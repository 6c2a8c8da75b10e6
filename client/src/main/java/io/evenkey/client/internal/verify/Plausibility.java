/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.verify;

import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.Numbers;
import io.evenkey.layout.message.Quoted;
import io.evenkey.layout.text.LayoutException;
import io.evenkey.layout.text.RowException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How likely values are to be what the application wrote. Rows of {@code Bytes.toBytes(ts)} are
 * rows of {@code ts:timestamp} too, byte by byte, but then all values are millions of years ago.
 */
public enum Plausibility {
  /** Times of today, or numbers near 0. */
  LIKELY,
  /** Values that tell nothing. */
  OPEN,
  /** Times that are not of today, or numbers that are negative or near an end of their type. */
  DOUBTFUL;

  /** Applications store times between these: 1990 and 2100. */
  private static final Instant EARLIEST = Instant.parse("1990-01-01T00:00:00Z");

  private static final Instant LATEST = Instant.parse("2100-01-01T00:00:00Z");

  /** Text of digits in eight bytes is more. */
  private static final long NANOSECONDS_OF_2050 = 2_524_608_000_000_000_000L;

  /** A share of rows may have anything, such as 0 for an unknown time. */
  private static final double MOST = 0.9;

  private static final List<String> EIGHT_BYTES =
      List.of("timestamp(long)", "timestamp", "timestamp desc", "long", "int64", "int64 desc");

  private static final List<String> FOUR_BYTES = List.of("int", "int32", "int32 desc");

  /** Types of this width whose bytes applications write, the likeliest first. */
  public static List<String> types(int width) {
    return width == Long.BYTES ? EIGHT_BYTES : width == Integer.BYTES ? FOUR_BYTES : List.of();
  }

  /**
   * Judges the values of a field.
   *
   * @param values at least one
   */
  public static Plausibility of(Field field, List<Object> values) {
    Numbers numbers = field.type().numbers();
    if (field.type().toString().startsWith("timestamp")) {
      long now = values.stream().filter(value -> isNow(Instant.ofEpochMilli((Long) value))).count();
      return isMost(now, values) ? LIKELY : DOUBTFUL;
    }
    if (numbers == null || !(numbers.width() == Long.BYTES || numbers.width() == Integer.BYTES)) {
      return OPEN;
    }
    if (numbers.unit() == Numbers.Unit.DAY) {
      long now =
          values.stream()
              .filter(value -> isNow(((LocalDate) value).atStartOfDay().toInstant(ZoneOffset.UTC)))
              .count();
      return isMost(now, values) ? LIKELY : DOUBTFUL;
    }
    return ofNumbers(field, numbers, values);
  }

  private static boolean isNow(Instant time) {
    return time.isAfter(EARLIEST) && time.isBefore(LATEST);
  }

  /** Whether so many of some values are enough to judge all of them by. */
  public static boolean isMost(long count, List<?> values) {
    return count >= MOST * values.size();
  }

  // Small numbers, in whichever form, lie near the least, the middle or the greatest bytes. Nearly
  // all applications count upwards from 0.
  private static Plausibility ofNumbers(Field field, Numbers numbers, List<Object> values) {
    int bits = 8 * numbers.width();
    long all = -1L >>> Long.SIZE - bits;
    long middle = 1L << bits - 1;
    long zero = numbers.least() < 0 ? middle : 0;
    Field ascending = new Field(field.name(), field.type(), false);
    long atZero = 0;
    long elsewhere = 0;
    long negative = 0;
    for (Object value : values) {
      long bytes = 0;
      for (byte one : ascending.encoded(value)) {
        bytes = bytes << 8 | one & 0xff;
      }
      if (Long.compareUnsigned(bytes, zero) < 0) {
        negative++;
      }
      if (isNear(bytes, zero, bits)) {
        atZero++;
      } else if (isNear(bytes, 0, bits)
          || isNear(bytes, middle, bits)
          || isNear(bytes, all, bits)) {
        elsewhere++;
      }
    }
    // Not near 0, but what applications store.
    if (!field.descending()
        && isMost(values.stream().filter(Plausibility::isNanoseconds).count(), values)) {
      return LIKELY;
    }
    if (negative == values.size() && negative > 1) {
      return DOUBTFUL;
    }
    return isMost(atZero, values) ? LIKELY : isMost(elsewhere, values) ? DOUBTFUL : OPEN;
  }

  private static boolean isNanoseconds(Object value) {
    return value instanceof Long time
        && time < NANOSECONDS_OF_2050
        && isNow(Instant.ofEpochSecond(0, time));
  }

  private static boolean isNear(long bytes, long place, int bits) {
    long distance = Long.compareUnsigned(bytes, place) > 0 ? bytes - place : place - bytes;
    return Long.compareUnsigned(distance, 1L << bits - 8) < 0;
  }

  /**
   * The fields of a layout whose values are doubtful, each as a sentence with a type that would
   * read them well, if there is one.
   *
   * @param rows those that do not fit are passed over
   */
  public static List<String> doubts(Layout layout, List<byte[]> rows) {
    List<byte[]> fitting = new ArrayList<>();
    List<Values> records = new ArrayList<>();
    for (byte[] row : rows) {
      try {
        records.add(layout.decode(row));
        fitting.add(row);
      } catch (RowException e) {
        // Counted as foreign elsewhere.
      }
    }
    List<String> doubts = new ArrayList<>();
    for (Field field : layout.fields()) {
      byte[] example = null;
      List<Object> values = new ArrayList<>();
      for (int i = 0; i < records.size(); i++) {
        Object value = records.get(i).get(field.name());
        if (value != null) {
          values.add(value);
          example = example == null ? fitting.get(i) : example;
        }
      }
      if (example != null && of(field, values) == DOUBTFUL) {
        doubts.add(doubt(layout, field, values, example, rows));
      }
    }
    return doubts;
  }

  private static String doubt(
      Layout layout, Field field, List<Object> values, byte[] example, List<byte[]> rows) {
    String text =
        String.format(
            Locale.ROOT,
            "values of %s are implausible: field=%s value=%s row=%s rows=%,d",
            field.type(),
            field,
            field.type().display(values.get(0)),
            ByteText.printable(example),
            values.size());
    return better(layout, field, rows)
        .map(other -> text + "; " + other + " fits the rows too, and reads " + other.label(example))
        .orElse(text + "; are these rows of another layout?");
  }

  /** The layout with another type of a field that fits all rows and is likely, if there is one. */
  private static Optional<Layout> better(Layout layout, Field field, List<byte[]> rows) {
    for (String type : types(field.type().width())) {
      String changedTo = Quoted.name(field.name()) + ":" + type;
      String line = layout.toString().replace(field.toString(), changedTo);
      try {
        Layout other = Layout.parse(line);
        Field changed = other.fields().get(layout.fields().indexOf(field));
        if (FittingRows.of(other, rows).isComplete()
            && of(changed, rows.stream().map(row -> other.decode(row).get(field.name())).toList())
                == LIKELY) {
          return Optional.of(other);
        }
      } catch (LayoutException e) {
        // This type cannot stand here.
      }
    }
    return Optional.empty();
  }
}
