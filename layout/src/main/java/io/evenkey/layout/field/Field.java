package io.evenkey.layout.field;

import io.evenkey.layout.text.Quoted;

/**
 * A named part of a logical key.
 *
 * @param name how records call it
 * @param type how its values become bytes
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

  /** As in a layout line: {@code ts:timestamp desc}. */
  @Override
  public String toString() {
    return Quoted.name(name) + ":" + type + (descending ? " desc" : "");
  }
}
