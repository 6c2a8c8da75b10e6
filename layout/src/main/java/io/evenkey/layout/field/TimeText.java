/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.chrono.IsoChronology;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.Locale;

/**
 * Moments as people write them: a whole number of milliseconds since 1970, or ISO 8601 ({@code
 * 2026-01-31T08:30:00.250+01:00}, seconds and fraction optional; {@code 2026-01-31}), also with a
 * blank for the {@code T} and before the offset, an offset of {@code +01} or {@code +0100}, and the
 * name of a zone in brackets after the offset, which counts. A time without an offset is taken as
 * UTC. Refused: days and hours that do not exist, and parts of a millisecond, since they could not
 * be read back. Stateless.
 */
final class TimeText {
  private static final DateTimeFormatter ISO =
      new DateTimeFormatterBuilder()
          .parseCaseInsensitive()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .optionalStart()
          .appendLiteral('T')
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .optionalStart()
          .optionalStart()
          .appendOffset("+HH:MM:ss", "Z")
          .optionalEnd()
          .optionalStart()
          .appendOffset("+HHmm", "Z")
          .optionalEnd()
          .optionalStart()
          .appendLiteral('[')
          .appendZoneRegionId()
          .appendLiteral(']')
          .optionalEnd()
          .optionalEnd()
          .optionalEnd()
          .toFormatter(Locale.ROOT)
          // Others take 31 February for the 28th, and 24:00 for the beginning of the same day.
          .withResolverStyle(ResolverStyle.STRICT)
          .withChronology(IsoChronology.INSTANCE);

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
      parsed = ISO.parse(text.replaceFirst(" (?=[+-])", "").replace(' ', 'T'));
    } catch (DateTimeException e) {
      throw new IllegalValue(
          String.valueOf(e.getMessage()).contains("Invalid date")
              ? "day that does not exist"
              : "not a time",
          "give milliseconds since 1970 or ISO 8601 such as 2026-01-31T08:30:00Z");
    }
    LocalTime timeOfDay = parsed.query(TemporalQueries.localTime());
    ZoneOffset offset = parsed.query(TemporalQueries.offset());
    if (offset == null && text.endsWith("]")) {
      // Twice a year a zone does not say which of two hours it is.
      throw new IllegalValue("time in a zone without its offset", "add it: +01:00[Europe/Paris]");
    }
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
