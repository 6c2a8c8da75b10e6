/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

/**
 * Whole numbers of 1, 2, 4 or 8 bytes, most significant byte first: {@code int8} to {@code int64},
 * {@code uint8} to {@code uint32}, {@code int} and {@code long}.
 *
 * <p>A signed number has its sign bit inverted, so that negative ones get the smaller bytes: {@code
 * 1} as {@code int64} is {@code 8000000000000001}. Inverted as a whole for {@code desc}, a number
 * {@code v >= 0} becomes {@code Long.MAX_VALUE - v}, the usual "newest first". These are also
 * Phoenix's TINYINT, SMALLINT, INTEGER and BIGINT, and its UNSIGNED_TINYINT, _SMALLINT and _INT.
 *
 * <p>{@code int} and {@code long} are the numbers from 0 on in the bytes of HBase's {@code
 * Bytes.toBytes(int)} and {@code Bytes.toBytes(long)}. A negative number would sort behind all
 * others there, so it is neither written nor read.
 *
 * <p>Values are {@link Long}s; every other whole number in range is accepted.
 *
 * @param name as a line spells it
 * @param numbers the values
 */
record IntegerType(String name, BinaryNumbers numbers) implements LongType {
  static IntegerType signed(int width) {
    return new IntegerType("int" + 8 * width, BinaryNumbers.signed(Numbers.Unit.ONE, width));
  }

  static IntegerType unsigned(int width) {
    return new IntegerType("uint" + 8 * width, BinaryNumbers.unsigned(Numbers.Unit.ONE, width));
  }

  /** Numbers in the bytes of {@code Bytes.toBytes}. */
  static IntegerType positive(String name, int width) {
    return new IntegerType(name, BinaryNumbers.positive(Numbers.Unit.ONE, width));
  }

  @Override
  public Object parse(String text) throws IllegalValue {
    try {
      return checked(Long.parseLong(text.strip()));
    } catch (NumberFormatException e) {
      throw outOfRange("not a whole number for " + this);
    }
  }

  @Override
  public Object convert(Object value) throws IllegalValue {
    if (value instanceof CharSequence text) {
      return parse(text.toString());
    }
    if (isWhole(value)) {
      return checked(((Number) value).longValue());
    }
    throw new IllegalValue(
        "not a whole number for " + this, "give a Long, not a " + value.getClass().getSimpleName());
  }

  static boolean isWhole(Object value) {
    return value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte;
  }

  @Override
  public long checked(long value) throws IllegalValue {
    if (value < numbers.least() || value > numbers.greatest()) {
      throw outOfRange("number out of range for " + this);
    }
    return value;
  }

  private IllegalValue outOfRange(String rule) {
    return new IllegalValue(
        rule, "give a number from " + numbers.least() + " to " + numbers.greatest());
  }

  /** Running numbers are what such fields mostly hold; small ones are mostly kinds of things. */
  @Override
  public boolean growsWithArrival() {
    return width() >= Integer.BYTES;
  }

  @Override
  public String toString() {
    return name;
  }
}
