/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.bytes.KeyBuffer;
import java.util.UUID;

/**
 * {@code uuid}: 16 bytes in the order in which the text form has them (RFC 9562), so keys sort as
 * that text. {@code UUID.compareTo} does not: it takes the halves as signed numbers.
 *
 * <p>Values are {@link UUID}s.
 */
final class UuidType implements FieldType {
  static final UuidType INSTANCE = new UuidType();

  private static final int TEXT_LENGTH = 36;

  private UuidType() {}

  @Override
  public int width() {
    return 2 * Long.BYTES;
  }

  @Override
  public Object parse(String text) throws IllegalValue {
    String uuid = text.strip();
    // UUID.fromString takes 1-1-1-1-1 as well.
    if (uuid.length() == TEXT_LENGTH) {
      try {
        return UUID.fromString(uuid);
      } catch (IllegalArgumentException e) {
        // reported below
      }
    }
    throw new IllegalValue(
        "not a UUID", "give 32 hex digits as in 123e4567-e89b-12d3-a456-426614174000");
  }

  @Override
  public Object convert(Object value) throws IllegalValue {
    if (value instanceof UUID) {
      return value;
    }
    if (value instanceof CharSequence text) {
      return parse(text.toString());
    }
    throw new IllegalValue("not a UUID", "give a UUID, not a " + value.getClass().getSimpleName());
  }

  @Override
  public void write(Object value, KeyBuffer out) {
    UUID uuid = (UUID) value;
    out.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
  }

  @Override
  public Object read(byte[] bytes, int offset, int length) {
    return new UUID(KeyBuffer.longAt(bytes, offset), KeyBuffer.longAt(bytes, offset + Long.BYTES));
  }

  @Override
  public String toString() {
    return "uuid";
  }
}
