/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.bytes.KeyBuffer;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.FieldType;
import io.evenkey.layout.field.IllegalValue;
import io.evenkey.layout.field.ValueException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * How the bytes of a column represent the value of an index's field: the {@code form} in {@code
 * amount=d:amount:long}.
 */
public enum ColumnForm {
  /** UTF-8 text, parsed by the field's type as a CSV column is. */
  TEXT(0),
  /**
   * A signed number of four bytes, most significant first, as {@code Bytes.toBytes(int)} writes it.
   */
  INT(Integer.BYTES),
  /**
   * A signed number of eight bytes, most significant first, as {@code Bytes.toBytes(long)} writes
   * it.
   */
  LONG(Long.BYTES);

  /** Bytes of each value; 0 if they differ. */
  private final int width;

  ColumnForm(int width) {
    this.width = width;
  }

  /** Whether a field of this type can have values of columns of this form. */
  boolean fits(FieldType type) {
    if (this == TEXT) {
      return true;
    }
    try {
      // Zero is a value of every type that takes whole numbers.
      type.convert(0L);
      return true;
    } catch (IllegalValue e) {
      return false;
    }
  }

  /**
   * Returns the value of a field that a column's bytes represent, in the class that {@link
   * Field#convert} returns.
   *
   * @throws ValueException if the bytes are not a value of the field in this form
   */
  Object read(Field field, byte[] bytes) {
    if (this == TEXT) {
      return field.parse(text(field, bytes));
    }
    if (bytes.length != width) {
      throw problem(
          field, bytes, "column is no " + this, "its value has to have " + width + " bytes");
    }
    long number = KeyBuffer.lowAt(bytes, 0, width);
    return field.convert(this == INT ? (long) (int) number : number);
  }

  private static String text(Field field, byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw problem(
          field,
          bytes,
          "column is not UTF-8 text",
          "if it holds binary numbers, the index has to say so with :int or :long");
    }
  }

  private static ValueException problem(Field field, byte[] bytes, String rule, String remedy) {
    return ValueException.of(
        field.name(), ByteText.printable(bytes), new IllegalValue(rule, remedy));
  }

  /** The form as the text of an index spells it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
