/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import java.time.Instant;

/**
 * {@code timestamp}: a moment, in milliseconds since 1970-01-01T00:00Z, encoded as {@code int64}:
 * times before 1970 are negative and come first. These are also Phoenix's DATE and TIME. {@code
 * timestamp(long)} is encoded as {@code long}, in the bytes of HBase's {@code Bytes.toBytes(long)},
 * and has no times before 1970.
 *
 * <p>Values are {@link Long}s; {@link Instant}s of whole milliseconds are accepted. As text, see
 * {@link TimeText}.
 */
final class TimestampType implements LongType {
  private static final long YEAR_0 = -62_167_219_200_000L;
  private static final long YEAR_10000 = 253_402_300_800_000L;

  static final TimestampType INSTANCE =
      new TimestampType("timestamp", BinaryNumbers.signed(Numbers.Unit.MILLISECOND, Long.BYTES));

  /** The keyword between the parentheses of {@code timestamp(long)}. */
  static final String LONG = "long";

  /** {@code timestamp(long)}. */
  static final TimestampType FROM_1970 =
      new TimestampType(
          "timestamp(" + LONG + ")", BinaryNumbers.positive(Numbers.Unit.MILLISECOND, Long.BYTES));

  private final String name;
  private final BinaryNumbers numbers;

  private TimestampType(String name, BinaryNumbers numbers) {
    this.name = name;
    this.numbers = numbers;
  }

  @Override
  public Object parse(String text) throws IllegalValue {
    return checked(TimeText.milliseconds(text));
  }

  @Override
  public Object convert(Object value) throws IllegalValue {
    return checked(TimeText.milliseconds(value));
  }

  @Override
  public long checked(long milliseconds) throws IllegalValue {
    if (milliseconds < numbers.least()) {
      throw new IllegalValue(
          "time before 1970, which would sort behind all others",
          "give a later one; a new table's keys can have the type timestamp");
    }
    return milliseconds;
  }

  @Override
  public BinaryNumbers numbers() {
    return numbers;
  }

  /** ISO 8601 in the years in which that has four digits, and milliseconds in others. */
  @Override
  public String display(Object value) {
    long milliseconds = (Long) value;
    return milliseconds >= YEAR_0 && milliseconds < YEAR_10000
        ? Instant.ofEpochMilli(milliseconds).toString()
        : format(value);
  }

  @Override
  public String toString() {
    return name;
  }
}
