/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.bytes.KeyBuffer;
import java.math.BigInteger;

/**
 * {@code uint64}: a whole number from 0 to 2⁶⁴−1 in eight bytes, most significant first. Up to
 * 2⁶³−1 these are Phoenix's UNSIGNED_LONG, and HBase's {@code Bytes.toBytes(long)}.
 *
 * <p>Values are {@link BigInteger}s; every other whole number in range is accepted.
 */
final class UnsignedLongType implements NumberType {
  private static final BinaryNumbers NUMBERS = BinaryNumbers.unsigned(Numbers.Unit.ONE, Long.BYTES);

  static final UnsignedLongType INSTANCE = new UnsignedLongType();

  private static final BigInteger GREATEST =
      BigInteger.ONE.shiftLeft(Long.SIZE).subtract(BigInteger.ONE);

  private UnsignedLongType() {}

  @Override
  public Object parse(String text) throws IllegalValue {
    try {
      return checked(new BigInteger(text.strip()));
    } catch (NumberFormatException e) {
      throw outOfRange("not a whole number for uint64");
    }
  }

  @Override
  public Object convert(Object value) throws IllegalValue {
    if (value instanceof BigInteger number) {
      return checked(number);
    }
    if (IntegerType.isWhole(value)) {
      return checked(BigInteger.valueOf(((Number) value).longValue()));
    }
    if (value instanceof CharSequence text) {
      return parse(text.toString());
    }
    throw new IllegalValue(
        "not a whole number for uint64",
        "give a BigInteger or a Long, not a " + value.getClass().getSimpleName());
  }

  private static BigInteger checked(BigInteger value) throws IllegalValue {
    if (value.signum() < 0 || value.compareTo(GREATEST) > 0) {
      throw outOfRange("number out of range for uint64");
    }
    return value;
  }

  private static IllegalValue outOfRange(String rule) {
    return new IllegalValue(rule, "give a number from 0 to " + GREATEST);
  }

  @Override
  public void write(Object value, KeyBuffer out) {
    out.putLong(((BigInteger) value).longValue());
  }

  @Override
  public void writeLong(long value, KeyBuffer out) throws IllegalValue {
    if (value < 0) {
      throw outOfRange("number out of range for uint64");
    }
    out.putLong(value);
  }

  @Override
  public Object read(byte[] bytes, int offset, int length) {
    long value = KeyBuffer.longAt(bytes, offset);
    return value >= 0
        ? BigInteger.valueOf(value)
        : BigInteger.valueOf(value).add(BigInteger.ONE.shiftLeft(Long.SIZE));
  }

  @Override
  public long readLong(byte[] bytes, int offset, int length) throws IllegalValue {
    long value = KeyBuffer.longAt(bytes, offset);
    if (value < 0) {
      throw new IllegalValue("number beyond a long", "read it as a BigInteger");
    }
    return value;
  }

  @Override
  public BinaryNumbers numbers() {
    return NUMBERS;
  }

  @Override
  public String toString() {
    return "uint64";
  }
}
