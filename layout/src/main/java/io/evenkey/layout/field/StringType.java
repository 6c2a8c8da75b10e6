/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.bytes.KeyBuffer;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Text.
 *
 * <p>{@code string} is the text's UTF-8 bytes; {@code string(n)} is the same, filled up to exactly
 * {@code n} bytes with {@code 00} on the right. UTF-8 sorts by code point, so keys sort as {@code
 * String.compareTo} would but for characters beyond U+FFFF, which come last.
 *
 * <p>Values are {@link String}s. The empty text is a value. Refused: lone surrogates, which UTF-8
 * cannot write; and in {@code string(n)} more than {@code n} bytes, or a NUL at the end, which
 * could not be distinguished from the filling.
 *
 * @param width bytes of every value, or {@link #VARIABLE}
 */
record StringType(int width) implements FieldType {
  private static final char REPLACEMENT = '\uFFFD';

  static final StringType VARIABLE_WIDTH = new StringType(VARIABLE);

  @Override
  public Object parse(String text) {
    return text;
  }

  @Override
  public Object convert(Object value) throws IllegalValue {
    if (value instanceof CharSequence text) {
      return text.toString();
    }
    throw new IllegalValue(
        "not a text", "give a String, not a " + value.getClass().getSimpleName());
  }

  @Override
  public void write(Object value, KeyBuffer out) throws IllegalValue {
    writeText((String) value, out);
  }

  @Override
  public void writeText(CharSequence text, KeyBuffer out) throws IllegalValue {
    int from = out.size();
    // String.getBytes would write half a pair as '?', and two values would become one key.
    if (!out.putUtf8(text)) {
      throw new IllegalValue(
          "text with half a surrogate pair cannot be written as UTF-8", "correct the text");
    }
    int length = out.size() - from;
    if (width == VARIABLE) {
      return;
    }
    if (length > width) {
      throw new IllegalValue(
          "text of " + length + " bytes too long for " + this,
          "widen it to string(" + length + ") or use string");
    }
    if (length > 0 && out.array()[out.size() - 1] == 0) {
      throw new IllegalValue(
          "text that ends in NUL cannot be read back from " + this, "use string in last position");
    }
    out.fill(0, width - length);
  }

  @Override
  public Object read(byte[] bytes, int offset, int length) throws IllegalValue {
    int end = length;
    while (width != VARIABLE && end > 0 && bytes[offset + end - 1] == 0) {
      end--;
    }
    String text = new String(bytes, offset, end, StandardCharsets.UTF_8);
    // What is no UTF-8 was read as this character, which can also have been in the text.
    if (text.indexOf(REPLACEMENT) < 0 || text.equals(strictlyRead(bytes, offset, end))) {
      return text;
    }
    throw new IllegalValue("bytes that are not UTF-8", "is this row of another layout?");
  }

  private static @Nullable String strictlyRead(byte[] bytes, int offset, int length) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, offset, length))
          .toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  @Override
  public void writeBeginning(String text, KeyBuffer out) throws IllegalValue {
    if (width != VARIABLE && text.indexOf(0) >= 0) {
      throw new IllegalValue(
          "NUL in " + this + " cannot be distinguished from its filling", "leave it out");
    }
    VARIABLE_WIDTH.writeText(text, out);
  }

  @Override
  public String toString() {
    return FieldTypes.spelled("string", width);
  }
}
