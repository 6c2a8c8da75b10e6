/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.bytes.KeyBuffer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * {@code decimal}: exact decimal numbers of up to 38 digits, in the bytes of Phoenix's DECIMAL.
 *
 * <p>A number other than zero is written {@code ±d₀.d₁d₂… · 100ᵉ} with digits of base 100, the
 * first and the last not 0.
 *
 * <ul>
 *   <li>zero: {@code 80}
 *   <li>positive: {@code 80 | e + 65}, then {@code d + 1} for each digit
 *   <li>negative: the seven low bits of the positive number's first byte inverted, the sign bit 0,
 *       then {@code 101 − d} for each digit, then {@code 66}, so that -1.5 comes before -1; but no
 *       {@code 66} after 20 digits, which are the most there can be
 * </ul>
 *
 * No byte is ever {@code 00} or {@code FF}, since {@code e} is from −65 to 61: magnitudes from
 * 10⁻¹³⁰ to below 10¹²⁴. Trailing zeros are no part of the value: {@code 1.50} is {@code 1.5}.
 *
 * <p>Values are {@link BigDecimal}s without trailing zeros.
 */
final class DecimalType implements FieldType {
  static final DecimalType INSTANCE = new DecimalType();

  private static final int MAX_DIGITS = 38;

  /** The most digits of base 100: 38 decimal digits, with a zero at each end. */
  private static final int MOST_DIGITS = 20;

  private static final int LEAST_EXPONENT = -65;
  private static final int GREATEST_EXPONENT = 61;
  private static final int ZERO = 0x80;
  private static final int NEGATIVE_END = 102;
  private static final BigInteger HUNDRED = BigInteger.valueOf(100);

  private DecimalType() {}

  @Override
  public int width() {
    return VARIABLE;
  }

  @Override
  public Alphabet alphabet() {
    return Alphabet.NONZERO;
  }

  @Override
  public Object parse(String text) throws IllegalValue {
    String number = text.strip();
    // A hostile exponent or a million digits would take BigDecimal long, for nothing.
    if (number.length() > 1000) {
      throw tooLong();
    }
    try {
      return normalized(new BigDecimal(number));
    } catch (NumberFormatException e) {
      throw new IllegalValue("not a decimal number", "give one such as -1.25 or 6e23");
    }
  }

  @Override
  public Object convert(Object value) throws IllegalValue {
    if (value instanceof BigDecimal number) {
      return normalized(number);
    }
    if (value instanceof BigInteger number) {
      return normalized(new BigDecimal(number));
    }
    if (IntegerType.isWhole(value)) {
      return normalized(BigDecimal.valueOf(((Number) value).longValue()));
    }
    if (value instanceof CharSequence text) {
      return parse(text.toString());
    }
    throw new IllegalValue(
        "not a decimal number", "give a BigDecimal, not a " + value.getClass().getSimpleName());
  }

  private static BigDecimal normalized(BigDecimal value) throws IllegalValue {
    if (value.signum() == 0) {
      return BigDecimal.ZERO;
    }
    long magnitude = (long) value.precision() - value.scale();
    if (magnitude < 2 * LEAST_EXPONENT + 1 || magnitude > 2 * GREATEST_EXPONENT + 2) {
      throw new IllegalValue(
          "decimal number out of range", "give one from 1e-130 to below 1e124, or 0");
    }
    BigDecimal stripped = value.stripTrailingZeros();
    if (stripped.precision() > MAX_DIGITS) {
      throw tooLong();
    }
    return stripped;
  }

  private static IllegalValue tooLong() {
    return new IllegalValue(
        "decimal number of more than " + MAX_DIGITS + " digits", "round it before it is a key");
  }

  @Override
  public void write(Object value, KeyBuffer out) {
    BigDecimal number = (BigDecimal) value;
    if (number.signum() == 0) {
      out.put(ZERO);
      return;
    }
    boolean negative = number.signum() < 0;
    // Base 100 wants an even scale.
    BigInteger unscaled = number.unscaledValue().abs();
    int scale = number.scale();
    if ((scale & 1) != 0) {
      unscaled = unscaled.multiply(BigInteger.TEN);
      scale++;
    }
    byte[] digits = new byte[MOST_DIGITS];
    int first = digits.length;
    while (unscaled.signum() != 0) {
      BigInteger[] rest = unscaled.divideAndRemainder(HUNDRED);
      digits[--first] = rest[1].byteValue();
      unscaled = rest[0];
    }
    int exponent = digits.length - first - 1 - scale / 2;
    int head = ZERO | exponent - LEAST_EXPONENT;
    out.put(negative ? ~head & 0x7f : head);
    for (int i = first; i < digits.length; i++) {
      out.put(negative ? 101 - digits[i] : digits[i] + 1);
    }
    if (negative && first > 0) {
      out.put(NEGATIVE_END);
    }
  }

  @Override
  public Object read(byte[] bytes, int offset, int length) throws IllegalValue {
    if (length == 1 && (bytes[offset] & 0xff) == ZERO) {
      return BigDecimal.ZERO;
    }
    boolean negative = length > 0 && bytes[offset] >= 0;
    boolean ended = negative && bytes[offset + length - 1] == NEGATIVE_END;
    int digits = length - (ended ? 2 : 1);
    if (digits < 1 || digits > MOST_DIGITS) {
      throw malformed();
    }
    int exponent = ((negative ? ~bytes[offset] : bytes[offset]) & 0x7f) + LEAST_EXPONENT;
    BigInteger unscaled = BigInteger.ZERO;
    for (int i = offset + 1; i <= offset + digits; i++) {
      int digit = negative ? 101 - bytes[i] : bytes[i] - 1;
      unscaled = unscaled.multiply(HUNDRED).add(BigInteger.valueOf(digit));
    }
    BigDecimal value =
        new BigDecimal(negative ? unscaled.negate() : unscaled, 2 * (digits - 1 - exponent))
            .stripTrailingZeros();
    checkWritten(value, bytes, offset, length);
    return value;
  }

  // Digits out of range, zeros at an end: what is read must be what would be written.
  private void checkWritten(BigDecimal value, byte[] bytes, int offset, int length)
      throws IllegalValue {
    KeyBuffer again = new KeyBuffer(length);
    write(normalized(value), again);
    if (!Arrays.equals(again.array(), 0, again.size(), bytes, offset, offset + length)) {
      throw malformed();
    }
  }

  private static IllegalValue malformed() {
    return new IllegalValue(
        "bytes that are not a decimal number", "is this row of another layout?");
  }

  @Override
  public String format(Object value) {
    return ((BigDecimal) value).toPlainString();
  }

  @Override
  public String toString() {
    return "decimal";
  }
}
