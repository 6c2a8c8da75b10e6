/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.bytes.KeyBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A non-negative number written in decimal digits, one ASCII byte each.
 *
 * <p>{@code digits(n)} is filled up to {@code n} digits with zeros on the left, so keys sort by
 * number; a longer number is refused. {@code digits} keeps the text as it is, leading zeros too,
 * and keys sort as text ({@code 10} before {@code 9}): it suits identifiers, not quantities.
 *
 * <p>Values are {@link String}s of digits; whole numbers are accepted. {@code digits(6)} gives
 * {@code 7} back as {@code 000007}.
 *
 * @param width digits of every value, or {@link #VARIABLE}
 */
record DigitsType(int width) implements FieldType {
  @Override
  public Object parse(String text) throws IllegalValue {
    if (text.isEmpty()) {
      throw new IllegalValue("empty text is not digits", "give at least one digit");
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        throw new IllegalValue(
            "'" + Character.toString(text.codePointAt(i)) + "' is not a digit",
            "only 0 to 9 are allowed; use string for other text, int64 for negative numbers");
      }
    }
    if (width != VARIABLE && text.length() > width) {
      throw new IllegalValue(
          "number of " + text.length() + " digits too wide for " + this,
          "widen it to digits(" + text.length() + ")");
    }
    return width == VARIABLE ? text : "0".repeat(width - text.length()) + text;
  }

  @Override
  public Object convert(Object value) throws IllegalValue {
    if (IntegerType.isWhole(value)) {
      if (((Number) value).longValue() < 0) {
        throw new IllegalValue("negative number in " + this, "use int64");
      }
      return parse(value.toString());
    }
    if (value instanceof CharSequence text) {
      return parse(text.toString());
    }
    throw new IllegalValue(
        "not a number in digits",
        "give a String or a whole number, not a " + value.getClass().getSimpleName());
  }

  @Override
  public void write(Object value, KeyBuffer out) {
    out.putUtf8((String) value);
  }

  @Override
  public void writeLong(long value, KeyBuffer out) throws IllegalValue {
    int digits = value < 0 ? 0 : digitsOf(value);
    if (digits == 0 || width != VARIABLE && digits > width) {
      convert(value);
    }
    putDigits(value, width == VARIABLE ? digits : width, out);
  }

  @Override
  public void writeText(CharSequence text, KeyBuffer out) throws IllegalValue {
    int length = text.length();
    boolean fits = length > 0 && (width == VARIABLE || length <= width);
    for (int i = 0; i < length && fits; i++) {
      fits = text.charAt(i) >= '0' && text.charAt(i) <= '9';
    }
    if (!fits) {
      parse(text.toString());
    }
    out.fill('0', width == VARIABLE ? 0 : width - length);
    out.putUtf8(text);
  }

  private static int digitsOf(long value) {
    int digits = 1;
    for (long rest = value; rest >= 10; rest /= 10) {
      digits++;
    }
    return digits;
  }

  /** Appends a number in {@code count} digits, which it fits, zeros on the left. */
  static void putDigits(long value, int count, KeyBuffer out) {
    int end = out.fill('0', count).size();
    long rest = value;
    for (int at = end - 1; rest != 0; at--) {
      out.array()[at] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
  }

  @Override
  public Object read(byte[] bytes, int offset, int length) throws IllegalValue {
    StringBuilder digits = new StringBuilder(length);
    for (int i = offset; i < offset + length; i++) {
      if (bytes[i] < '0' || bytes[i] > '9') {
        throw new IllegalValue("bytes that are not digits", "is this row of another layout?");
      }
      digits.append((char) bytes[i]);
    }
    if (length == 0) {
      throw new IllegalValue("no digits", "is this row of another layout?");
    }
    return digits.toString();
  }

  /** A sign after the digits in ASCII, such as ':', would sort 10: before 1: and never fit. */
  @Override
  public boolean canEndAt(byte[] literal) {
    return literal[0] >= 0 && literal[0] < '0';
  }

  /** Running numbers and written dates are what people keep in digits. */
  @Override
  public boolean growsWithArrival() {
    return true;
  }

  @Override
  public @Nullable Numbers numbers() {
    return width != VARIABLE && width <= DecimalNumbers.MOST ? new DecimalNumbers(width) : null;
  }

  @Override
  public boolean canHaveSteps() {
    return width != VARIABLE;
  }

  /** Compares with the digits as they are stored, zeros on the left included. */
  @Override
  public void writeBeginning(String text, KeyBuffer out) throws IllegalValue {
    if (!text.isEmpty()) {
      out.putUtf8((String) new DigitsType(text.length()).parse(text));
    }
  }

  @Override
  public String toString() {
    return FieldTypes.spelled("digits", width);
  }
}
