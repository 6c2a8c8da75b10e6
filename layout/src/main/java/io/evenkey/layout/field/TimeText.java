/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;

/**
 * Moments as people write them: a whole number of milliseconds since 1970, or ISO 8601 ({@code
 * 2026-01-31T08:30:00.250+01:00}, seconds and fraction optional; {@code 2026-01-31}). A time
 * without an offset is taken as UTC; part of a millisecond is refused, since it could not be read
 * back. Stateless.
 */
final class TimeText {
  private static final DateTimeFormatter ISO =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .optionalStart()
          .appendLiteral('T')
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .optionalStart()
          .appendOffsetId()
          .optionalEnd()
          .optionalEnd()
          .toFormatter();

  private TimeText() {}

  static Long milliseconds(String text) throws IllegalValue {
    String time = text.strip();
    if (!isNumber(time)) {
      return iso(time);
    }
    try {
      return Long.valueOf(time);
    } catch (NumberFormatException e) {
      throw new IllegalValue("time out of range", "milliseconds must fit 64 bits");
    }
  }

  static Long milliseconds(Object value) throws IllegalValue {
    if (value instanceof CharSequence text) {
      return milliseconds(text.toString());
    }
    if (value instanceof Instant instant) {
      return milliseconds(instant);
    }
    if (IntegerType.isWhole(value)) {
      return ((Number) value).longValue();
    }
    throw new IllegalValue(
        "not a time",
        "give a Long of milliseconds or an Instant, not a " + value.getClass().getSimpleName());
  }

  static Long iso(String text) throws IllegalValue {
    TemporalAccessor parsed;
    try {
      parsed = ISO.parse(text.replace(' ', 'T'));
    } catch (DateTimeException e) {
      throw new IllegalValue(
          "not a time", "give milliseconds since 1970 or ISO 8601 such as 2026-01-31T08:30:00Z");
    }
    LocalTime timeOfDay = parsed.query(TemporalQueries.localTime());
    ZoneOffset offset = parsed.query(TemporalQueries.offset());
    return milliseconds(
        parsed
            .query(TemporalQueries.localDate())
            .atTime(timeOfDay == null ? LocalTime.MIDNIGHT : timeOfDay)
            .toInstant(offset == null ? ZoneOffset.UTC : offset));
  }

  private static boolean isNumber(String text) {
    int first = text.startsWith("-") ? 1 : 0;
    return text.length() > first && text.chars().skip(first).allMatch(c -> c >= '0' && c <= '9');
  }

  private static Long milliseconds(Instant instant) throws IllegalValue {
    if (instant.getNano() % 1_000_000 != 0) {
      throw new IllegalValue(
          "time finer than a millisecond", "round it to milliseconds, or keep it as int64");
    }
    try {
      return instant.toEpochMilli();
    } catch (ArithmeticException e) {
      throw new IllegalValue("time out of range", "milliseconds must fit 64 bits");
    }
  }
}
