/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import io.evenkey.layout.Layout;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.message.Quoted;
import io.evenkey.layout.text.LayoutException;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * What the whole numbers of a file are for fields of type {@code timestamp}, which takes them as
 * milliseconds since 1970: counts of another unit, or dates by a pattern. Immutable.
 */
public final class WrittenTimes {
  private static final BigInteger THOUSAND = BigInteger.valueOf(1_000);
  private static final BigInteger MILLION = BigInteger.valueOf(1_000_000);

  private final String name;
  private final @Nullable Field pattern;

  private WrittenTimes(String name, @Nullable Field pattern) {
    this.name = name;
    this.pattern = pattern;
  }

  /**
   * The numbers of a unit, {@code s}, {@code ms}, {@code us} or {@code ns}, or of a pattern such as
   * {@code yyyyMMdd}.
   *
   * @throws IllegalArgumentException if it is neither
   */
  public static WrittenTimes of(String name) {
    return switch (name) {
      case "s", "ms", "us", "ns" -> new WrittenTimes(name, null);
      default -> {
        try {
          Layout layout = Layout.parse("t:timestamp(" + Quoted.literal(name) + ")");
          yield new WrittenTimes(name, layout.fields().get(0));
        } catch (LayoutException e) {
          throw new IllegalArgumentException(
              "neither a unit nor a pattern of times: " + name + "; give s, ms, us, ns or yyyyMMdd",
              e);
        }
      }
    };
  }

  /**
   * The milliseconds since 1970 of a whole number; another text as it is.
   *
   * @throws IllegalArgumentException if the number is none of the unit or pattern
   */
  String milliseconds(String text) {
    String number = text.strip();
    if (!number.matches("-?[0-9]+")) {
      return text;
    }
    if (pattern != null) {
      return pattern.parse(number).toString();
    }
    BigInteger count = new BigInteger(number);
    return switch (name) {
      case "s" -> count.multiply(THOUSAND).toString();
      case "us" -> divided(count, THOUSAND);
      case "ns" -> divided(count, MILLION);
      default -> number;
    };
  }

  private String divided(BigInteger count, BigInteger by) {
    BigInteger[] parts = count.divideAndRemainder(by);
    if (parts[1].signum() != 0) {
      throw new IllegalArgumentException(
          "time finer than a millisecond: value=" + count + " unit=" + name);
    }
    return parts[0].toString();
  }

  /** Returns the form that {@link #of} takes. */
  @Override
  public String toString() {
    return name;
  }
}
