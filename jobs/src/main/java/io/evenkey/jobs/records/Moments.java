/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;

/**
 * Times as files with a schema count them, as text in ISO 8601 and without loss.
 *
 * @param aSecond how many of its units are a second
 */
record Moments(long aSecond) {
  static final Moments MILLISECONDS = new Moments(1_000);
  static final Moments MICROSECONDS = new Moments(1_000_000);
  static final Moments NANOSECONDS = new Moments(1_000_000_000);

  private static final long NANOSECONDS_A_SECOND = 1_000_000_000;
  private static final long JULIAN_DAY_OF_1970 = 2_440_588;
  private static final long SECONDS_A_DAY = 86_400;

  /** A moment, by its distance from 1970-01-01T00:00Z. */
  String instant(long count) {
    return Instant.ofEpochSecond(Math.floorDiv(count, aSecond), nanoseconds(count)).toString();
  }

  /** A date with a time of no known zone. */
  String local(long count) {
    return LocalDateTime.ofEpochSecond(
            Math.floorDiv(count, aSecond), nanoseconds(count), ZoneOffset.UTC)
        .toString();
  }

  /** A time of the day. */
  String time(long count) {
    if (count < 0 || count >= aSecond * SECONDS_A_DAY) {
      throw new DateTimeException("time that no day has: value=" + count + " a_second=" + aSecond);
    }
    return LocalTime.ofNanoOfDay(count * (NANOSECONDS_A_SECOND / aSecond)).toString();
  }

  private int nanoseconds(long count) {
    return (int) (Math.floorMod(count, aSecond) * (NANOSECONDS_A_SECOND / aSecond));
  }

  /** A date, by its distance from 1970-01-01. */
  static String date(long days) {
    return LocalDate.ofEpochDay(days).toString();
  }

  /** Reads the twelve bytes of Parquet's INT96, as Hive, Impala and Spark write them. */
  static String julian(long nanosecondsOfDay, int day) {
    return Instant.ofEpochSecond((day - JULIAN_DAY_OF_1970) * SECONDS_A_DAY, nanosecondsOfDay)
        .toString();
  }
}
