/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.step;

import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.ValueException;
import io.evenkey.layout.spread.Steps;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The earliest value of a field from which on a table can have another number of buckets: the next
 * hour or day after now, or the next round number, that no stored row has reached. Stateless.
 */
public final class StepProposal {
  /** Until the step is taken, clients whose clocks are ahead write rows. */
  private static final Duration MARGIN = Duration.ofMinutes(10);

  private static final List<ChronoUnit> UNITS =
      List.of(ChronoUnit.HOURS, ChronoUnit.DAYS, ChronoUnit.MONTHS, ChronoUnit.YEARS);
  private static final List<ChronoUnit> FINEST =
      List.of(
          ChronoUnit.MILLIS,
          ChronoUnit.SECONDS,
          ChronoUnit.MINUTES,
          ChronoUnit.HOURS,
          ChronoUnit.DAYS,
          ChronoUnit.MONTHS,
          ChronoUnit.YEARS);
  private static final String MIDNIGHT = "T00:00:00Z";

  private StepProposal() {}

  /**
   * The earliest value, as a layout line spells it.
   *
   * @param highest the greatest value that is stored; null if there are no rows
   */
  public static String earliest(Field field, @Nullable Object highest, Instant now) {
    return isTime(field) ? time(field, highest, now) : number(field, highest);
  }

  /** Whether values of the field are times. */
  public static boolean isTime(Field field) {
    String type = field.type().toString();
    return type.equals("date") || type.startsWith("timestamp");
  }

  /** The first value of a step, without the quotes that a line has for unusual characters. */
  static String bare(Steps steps, int step) {
    String from = Objects.requireNonNull(steps.list().get(step).from());
    return from.startsWith("\"") ? from.substring(1, from.length() - 1) : from;
  }

  /** Whether a value is one of a time that has begun already. */
  public static boolean isPast(Field field, String value, Instant now) {
    if (!isTime(field)) {
      return false;
    }
    byte[] wanted = field.encoded(field.parse(value));
    for (ChronoUnit unit : FINEST) {
      Optional<byte[]> present = encoded(field, text(truncated(now, unit)));
      if (present.isPresent()) {
        return Arrays.compareUnsigned(wanted, present.get()) <= 0;
      }
    }
    return false;
  }

  private static String time(Field field, @Nullable Object highest, Instant now) {
    Instant last = now.plus(MARGIN);
    if (highest instanceof Long ms && Instant.ofEpochMilli(ms).isAfter(last)) {
      last = Instant.ofEpochMilli(ms);
    } else if (highest instanceof LocalDate date) {
      Instant day = date.atStartOfDay(ZoneOffset.UTC).toInstant();
      last = day.isAfter(last) ? day : last;
    }
    for (ChronoUnit unit : UNITS) {
      String text = text(truncated(last, unit).plus(1, unit));
      if (encoded(field, text).isPresent()) {
        return text;
      }
    }
    throw new EvenkeyArgumentException("no time can be a step: field=" + field);
  }

  private static ZonedDateTime truncated(Instant time, ChronoUnit unit) {
    ZonedDateTime utc = time.atZone(ZoneOffset.UTC);
    return switch (unit) {
      case MONTHS -> utc.truncatedTo(ChronoUnit.DAYS).withDayOfMonth(1);
      case YEARS -> utc.truncatedTo(ChronoUnit.DAYS).withDayOfYear(1);
      default -> utc.truncatedTo(unit);
    };
  }

  private static String text(ZonedDateTime time) {
    String text = time.toInstant().toString();
    return text.endsWith(MIDNIGHT) ? text.substring(0, text.length() - MIDNIGHT.length()) : text;
  }

  private static Optional<byte[]> encoded(Field field, String text) {
    try {
      return Optional.of(field.encoded(field.parse(text)));
    } catch (ValueException e) {
      return Optional.empty();
    }
  }

  private static String number(Field field, @Nullable Object highest) {
    BigInteger last =
        highest == null
            ? BigInteger.ONE.negate()
            : new BigDecimal(highest.toString()).toBigInteger();
    int digits = last.abs().toString().length();
    // Two digits, then one that is rounder, then the next number.
    for (int zeros : new int[] {Math.max(0, digits - 2), 0}) {
      BigInteger unit = BigInteger.TEN.pow(zeros);
      BigInteger[] parts = last.divideAndRemainder(unit);
      BigInteger whole =
          last.signum() < 0 && parts[1].signum() != 0 ? parts[0] : parts[0].add(BigInteger.ONE);
      Optional<String> value = spelled(field, whole.multiply(unit));
      if (value.isPresent()) {
        return value.get();
      }
    }
    throw new EvenkeyArgumentException(
        "no value is after the highest one: field=" + field.name() + " highest=" + highest);
  }

  private static Optional<String> spelled(Field field, BigInteger number) {
    for (String text : new String[] {number.toString(), padded(field, number)}) {
      if (encoded(field, text).isPresent()) {
        return Optional.of(text);
      }
    }
    return Optional.empty();
  }

  // digits(n) has n of them.
  private static String padded(Field field, BigInteger number) {
    int width = field.type().width();
    String text = number.toString();
    return "0".repeat(Math.max(0, width - text.length())) + text;
  }
}
