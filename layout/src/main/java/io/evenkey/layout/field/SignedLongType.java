package io.evenkey.layout.field;

import io.evenkey.layout.bytes.KeyBuffer;

/**
 * Signed 64-bit numbers in eight bytes, most significant first, sign bit inverted: negative numbers
 * get the smaller bytes. Inverted as a whole for {@code desc}, a number {@code v >= 0} becomes
 * {@code Long.MAX_VALUE - v}, the usual "newest first". Values are {@link Long}s.
 */
abstract class SignedLongType implements FieldType {
  @Override
  public final int width() {
    return Long.BYTES;
  }

  @Override
  public Object convert(Object value) throws IllegalValue {
    if (value instanceof CharSequence text) {
      return parse(text.toString());
    }
    if (value instanceof Long || value instanceof Integer || value instanceof Short) {
      return ((Number) value).longValue();
    }
    throw new IllegalValue(
        "not a whole number for " + this, "give a Long, not a " + value.getClass().getSimpleName());
  }

  @Override
  public final void write(Object value, KeyBuffer out) {
    out.putLong((Long) value ^ Long.MIN_VALUE);
  }

  @Override
  public final Object read(byte[] bytes, int offset, int length) {
    long value = 0;
    for (int i = offset; i < offset + Long.BYTES; i++) {
      value = value << 8 | bytes[i] & 0xff;
    }
    return value ^ Long.MIN_VALUE;
  }

  /** Running numbers and times are what such fields mostly hold. */
  @Override
  public final boolean growsWithArrival() {
    return true;
  }
}
