/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.bytes.KeyBuffer;

/**
 * Whole numbers of 1, 2, 4 or 8 bytes, most significant byte first: {@code int8} to {@code int64},
 * {@code uint8} to {@code uint32}.
 *
 * <p>A signed number has its sign bit inverted, so that negative ones get the smaller bytes: {@code
 * 1} as {@code int64} is {@code 8000000000000001}. Inverted as a whole for {@code desc}, a number
 * {@code v >= 0} becomes {@code Long.MAX_VALUE - v}, the usual "newest first". These are also
 * Phoenix's TINYINT, SMALLINT, INTEGER and BIGINT, and its UNSIGNED_TINYINT, _SMALLINT and _INT.
 *
 * <p>Values are {@link Long}s; every other whole number in range is accepted.
 *
 * @param width bytes of every value
 * @param signed whether there are negative values
 */
record IntegerType(int width, boolean signed) implements FieldType {
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

  private long least() {
    return signed ? Long.MIN_VALUE >> 64 - 8 * width : 0;
  }

  private long greatest() {
    return signed ? ~least() : (1L << 8 * width) - 1;
  }

  private long checked(long value) throws IllegalValue {
    if (value < least() || value > greatest()) {
      throw outOfRange("number out of range for " + this);
    }
    return value;
  }

  private IllegalValue outOfRange(String rule) {
    return new IllegalValue(rule, "give a number from " + least() + " to " + greatest());
  }

  @Override
  public void write(Object value, KeyBuffer out) throws IllegalValue {
    writeLong((Long) value, out);
  }

  @Override
  public boolean isSignedLong() {
    return signed && width == Long.BYTES;
  }

  @Override
  public void writeLong(long value, KeyBuffer out) throws IllegalValue {
    out.putLow(checked(value) - least(), width);
  }

  @Override
  public Object read(byte[] bytes, int offset, int length) {
    return readLong(bytes, offset, length);
  }

  @Override
  public long readLong(byte[] bytes, int offset, int length) {
    return KeyBuffer.lowAt(bytes, offset, width) + least();
  }

  /** Running numbers are what such fields mostly hold; small ones are mostly kinds of things. */
  @Override
  public boolean growsWithArrival() {
    return width >= Integer.BYTES;
  }

  @Override
  public Numbers numbers() {
    return new BinaryNumbers(Numbers.Unit.ONE, width, signed);
  }

  @Override
  public boolean canHaveSteps() {
    return true;
  }

  @Override
  public String toString() {
    return (signed ? "int" : "uint") + 8 * width;
  }
}
