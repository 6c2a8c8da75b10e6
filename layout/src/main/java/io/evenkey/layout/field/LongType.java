/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.bytes.KeyBuffer;

/** A type of numbers or times whose values are {@link Long}s, written and read without boxing. */
interface LongType extends NumberType {
  /**
   * Returns a value.
   *
   * @throws IllegalValue if it is not one of this type
   */
  long checked(long value) throws IllegalValue;

  @Override
  default void write(Object value, KeyBuffer out) throws IllegalValue {
    writeLong((Long) value, out);
  }

  @Override
  default void writeLong(long value, KeyBuffer out) throws IllegalValue {
    numbers().write(checked(value), out);
  }

  @Override
  default Object read(byte[] bytes, int offset, int length) throws IllegalValue {
    return readLong(bytes, offset, length);
  }

  @Override
  default long readLong(byte[] bytes, int offset, int length) throws IllegalValue {
    return numbers().at(bytes, offset);
  }

  @Override
  default boolean isSignedLong() {
    return numbers().least() == Long.MIN_VALUE;
  }
}
