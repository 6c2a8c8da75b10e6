/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.bytes.KeyBuffer;
import io.evenkey.layout.text.Quoted;

/**
 * A named part of a logical key.
 *
 * @param name its name in records
 * @param type the encoding of its values
 * @param descending whether larger values come first
 */
public record Field(String name, FieldType type, boolean descending) {
  /**
   * The value that a text stands for.
   *
   * @throws ValueException if it stands for none
   */
  public Object parse(String text) {
    try {
      return type.parse(text);
    } catch (IllegalValue e) {
      throw ValueException.of(name, text, e);
    }
  }

  /**
   * The value in the type's own Java class.
   *
   * @throws ValueException if it cannot be one
   */
  public Object convert(Object value) {
    try {
      return type.convert(value);
    } catch (IllegalValue e) {
      throw ValueException.of(name, value, e);
    }
  }

  /**
   * The ascending form of a value, without any mark of its end. Its order is the order of values.
   *
   * @param value as {@link #parse} or {@link #convert} gave it
   * @throws ValueException if no key can hold it
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
   * The common prefix of the ascending forms of all values whose text begins with this one.
   *
   * @throws ValueException if values of the type have no such beginning
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

  /** As in a layout line: {@code ts:timestamp desc}. */
  @Override
  public String toString() {
    return type.declared(Quoted.name(name), descending);
  }
}
