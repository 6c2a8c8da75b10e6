package io.evenkey.layout.field;

import io.evenkey.layout.bytes.KeyBuffer;

/**
 * Signed 64-bit numbers in eight bytes, most significant first, sign bit inverted: negative numbers
 * get the smaller bytes. Inverted as a whole for {@code desc}, a number {@code v >= 0} becomes
 * {@code Long.MAX_VALUE - v}, the usual "newest first".
 */
final class BigEndian {
  private BigEndian() {}

  static void write(long value, KeyBuffer out) {
    out.putLong(value ^ Long.MIN_VALUE);
  }

  static long read(byte[] bytes, int offset) {
    long value = 0;
    for (int i = offset; i < offset + Long.BYTES; i++) {
      value = value << 8 | bytes[i] & 0xff;
    }
    return value ^ Long.MIN_VALUE;
  }

  static Long whole(Object value, String spelled) throws IllegalValue {
    if (value instanceof Long || value instanceof Integer || value instanceof Short) {
      return ((Number) value).longValue();
    }
    throw new IllegalValue(
        "not a whole number for " + spelled,
        "give a Long, not a " + value.getClass().getSimpleName());
  }
}
