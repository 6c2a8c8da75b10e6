package io.evenkey.layout.field;

import io.evenkey.layout.bytes.KeyBuffer;

/**
 * A signed 64-bit number in eight bytes: most significant first, sign bit inverted, so that
 * negative numbers come first. {@code 1} is {@code 8000000000000001}. Values are {@link Long}s.
 */
final class Int64Type implements FieldType {
  static final Int64Type INSTANCE = new Int64Type();

  private Int64Type() {}

  @Override
  public int width() {
    return Long.BYTES;
  }

  @Override
  public Object parse(String text) throws IllegalValue {
    try {
      return Long.valueOf(text.strip());
    } catch (NumberFormatException e) {
      throw new IllegalValue(
          "not a whole number for int64",
          "give a number from " + Long.MIN_VALUE + " to " + Long.MAX_VALUE);
    }
  }

  @Override
  public Object convert(Object value) throws IllegalValue {
    return value instanceof CharSequence text
        ? parse(text.toString())
        : BigEndian.whole(value, "int64");
  }

  @Override
  public void write(Object value, KeyBuffer out) {
    BigEndian.write((Long) value, out);
  }

  @Override
  public Object read(byte[] bytes, int offset, int length) {
    return BigEndian.read(bytes, offset);
  }

  @Override
  public boolean growsWithArrival() {
    return true;
  }

  @Override
  public String toString() {
    return "int64";
  }
}
