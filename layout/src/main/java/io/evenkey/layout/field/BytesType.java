/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.bytes.KeyBuffer;
import java.nio.ByteBuffer;

/**
 * {@code bytes} and {@code bytes(n)}: bytes as they are, ordered as HBase orders rows. {@code
 * bytes(n)} takes exactly {@code n} of them: nothing is filled up, since the filling could not be
 * distinguished from the value.
 *
 * <p>Values are {@link ByteString}s; {@code byte[]} and {@link ByteBuffer} are accepted. As text:
 * hex digits.
 *
 * @param width bytes of every value, or {@link #VARIABLE}
 */
record BytesType(int width) implements FieldType {
  @Override
  public Alphabet alphabet() {
    return Alphabet.ANY;
  }

  @Override
  public Object parse(String text) throws IllegalValue {
    try {
      return checked(ByteString.fromHex(text.strip()));
    } catch (IllegalArgumentException e) {
      throw new IllegalValue("not hex digits", "give two of 0-9, a-f for each byte");
    }
  }

  @Override
  public Object convert(Object value) throws IllegalValue {
    if (value instanceof ByteString bytes) {
      return checked(bytes);
    }
    if (value instanceof byte[] bytes) {
      return checked(ByteString.of(bytes));
    }
    if (value instanceof ByteBuffer buffer) {
      return checked(ByteString.of(buffer));
    }
    if (value instanceof CharSequence text) {
      return parse(text.toString());
    }
    throw new IllegalValue("not bytes", "give a byte[], not a " + value.getClass().getSimpleName());
  }

  private ByteString checked(ByteString bytes) throws IllegalValue {
    if (width != VARIABLE && bytes.length() != width) {
      throw new IllegalValue(
          bytes.length() + " bytes for " + this,
          "give exactly " + width + ", or use bytes without a width");
    }
    return bytes;
  }

  @Override
  public void write(Object value, KeyBuffer out) {
    ((ByteString) value).writeTo(out);
  }

  @Override
  public Object read(byte[] bytes, int offset, int length) {
    return ByteString.of(bytes, offset, length);
  }

  @Override
  public void writeBeginning(String text, KeyBuffer out) throws IllegalValue {
    ((ByteString) new BytesType(VARIABLE).parse(text)).writeTo(out);
  }

  @Override
  public String toString() {
    return FieldTypes.spelled("bytes", width);
  }
}
