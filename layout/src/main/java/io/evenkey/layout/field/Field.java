/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.bytes.KeyBuffer;
import io.evenkey.layout.message.Quoted;

/**
 * A named and typed part of a logical key, such as {@code ts:timestamp desc}. {@link
 * io.evenkey.layout.Layout#fields} lists a layout's fields:
 *
 * <pre>{@code
 * for (Field field : layout.fields()) {
 *   System.out.println(field.name() + " is a " + field.type());
 * }
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 *
 * @param name the name in records, conditions and the layout line
 * @param type the encoding of the values
 * @param descending whether larger values sort first
 */
public record Field(String name, FieldType type, boolean descending) {
  /**
   * Returns the value that a text stands for, as in a CSV column or on a command line.
   *
   * @throws ValueException if the text is not a value of this field
   */
  public Object parse(String text) {
    try {
      return type.parse(text);
    } catch (IllegalValue e) {
      throw ValueException.of(name, text, e);
    }
  }

  /**
   * Returns a value in the Java class that {@link io.evenkey.layout.Values} lists for the type.
   *
   * @throws ValueException if the value cannot be converted exactly
   */
  public Object convert(Object value) {
    try {
      return type.convert(value);
    } catch (IllegalValue e) {
      throw ValueException.of(name, value, e);
    }
  }

  /**
   * Returns the ascending encoding of a value, without the mark of its end. Encodings sort as the
   * values do.
   *
   * @param value from {@link #parse} or {@link #convert}
   * @throws ValueException if the key cannot hold the value
   */
  public byte[] encoded(Object value) {
    KeyBuffer out = new KeyBuffer(32);
    try {
      type.write(value, out);
    } catch (IllegalValue e) {
      throw ValueException.of(name, value, e);
    }
    return out.toArray();
  }

  /**
   * Returns the common prefix of the ascending encodings of all values whose text begins with
   * {@code text}.
   *
   * @throws ValueException if the type has no such prefix, as numbers have none
   */
  public byte[] encodedBeginning(String text) {
    KeyBuffer out = new KeyBuffer(32);
    try {
      type.writeBeginning(text, out);
    } catch (IllegalValue e) {
      throw ValueException.of(name, text, e);
    }
    return out.toArray();
  }

  /** The field as a layout line writes it: {@code ts:timestamp desc}. */
  @Override
  public String toString() {
    return type.declared(Quoted.name(name), descending);
  }
}
