/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.bytes.KeyBuffer;

/**
 * {@code bool}: one byte, {@code 00} for false and {@code 01} for true; false comes first. Values
 * are {@link Boolean}s.
 */
final class BoolType implements FieldType {
  static final BoolType INSTANCE = new BoolType();

  private BoolType() {}

  @Override
  public int width() {
    return 1;
  }

  @Override
  public Object parse(String text) throws IllegalValue {
    return switch (text.strip()) {
      case "true", "TRUE", "True" -> true;
      case "false", "FALSE", "False" -> false;
      default -> throw new IllegalValue("neither true nor false", "give true or false");
    };
  }

  @Override
  public Object convert(Object value) throws IllegalValue {
    if (value instanceof Boolean) {
      return value;
    }
    if (value instanceof CharSequence text) {
      return parse(text.toString());
    }
    throw new IllegalValue(
        "neither true nor false", "give a Boolean, not a " + value.getClass().getSimpleName());
  }

  @Override
  public void write(Object value, KeyBuffer out) {
    out.put((Boolean) value ? 1 : 0);
  }

  @Override
  public Object read(byte[] bytes, int offset, int length) throws IllegalValue {
    if (bytes[offset] >>> 1 != 0) {
      throw new IllegalValue("a byte that is neither 00 nor 01", "is this row of another layout?");
    }
    return bytes[offset] == 1;
  }

  @Override
  public String toString() {
    return "bool";
  }
}
