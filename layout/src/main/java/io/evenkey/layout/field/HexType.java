/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.bytes.KeyBuffer;
import java.util.Locale;

/**
 * {@code hex(n)}: a number in {@code n} lower-case hex digits, one ASCII byte each, zeros on the
 * left. Keys sort by number. Upper-case digits are taken as lower-case ones.
 *
 * <p>Values are {@link String}s of {@code n} digits.
 *
 * @param width digits of every value
 */
record HexType(int width) implements FieldType {
  @Override
  public Object parse(String text) throws IllegalValue {
    if (text.isEmpty()) {
      throw new IllegalValue("empty text is not hex digits", "give at least one digit");
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80 || Character.digit(text.charAt(i), 16) < 0) {
        throw new IllegalValue(
            "'" + Character.toString(text.codePointAt(i)) + "' is not a hex digit",
            "only 0 to 9 and a to f are allowed; use string for other text");
      }
    }
    if (text.length() > width) {
      throw new IllegalValue(
          "number of " + text.length() + " hex digits too wide for " + this,
          "widen it to hex(" + text.length() + ")");
    }
    return "0".repeat(width - text.length()) + text.toLowerCase(Locale.ROOT);
  }

  @Override
  public Object convert(Object value) throws IllegalValue {
    if (value instanceof CharSequence text) {
      return parse(text.toString());
    }
    if (IntegerType.isWhole(value)) {
      return parse(Long.toHexString(nonNegative(((Number) value).longValue())));
    }
    throw new IllegalValue(
        "not hex digits",
        "give a String or a whole number, not a " + value.getClass().getSimpleName());
  }

  private long nonNegative(long value) throws IllegalValue {
    if (value < 0) {
      throw new IllegalValue("negative number in " + this, "use int64");
    }
    return value;
  }

  @Override
  public void write(Object value, KeyBuffer out) {
    out.putUtf8((String) value);
  }

  @Override
  public Object read(byte[] bytes, int offset, int length) throws IllegalValue {
    StringBuilder digits = new StringBuilder(length);
    for (int i = offset; i < offset + length; i++) {
      byte b = bytes[i];
      if ((b < '0' || b > '9') && (b < 'a' || b > 'f')) {
        throw new IllegalValue(
            "bytes that are not lower-case hex digits", "is this row of another layout?");
      }
      digits.append((char) b);
    }
    return digits.toString();
  }

  /** Compares with the digits as they are stored, zeros on the left included. */
  @Override
  public void writeBeginning(String text, KeyBuffer out) throws IllegalValue {
    if (!text.isEmpty()) {
      out.putUtf8((String) new HexType(text.length()).parse(text));
    }
  }

  @Override
  public String toString() {
    return FieldTypes.spelled("hex", width);
  }
}
