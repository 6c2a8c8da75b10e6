/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.bytes.KeyBuffer;

/**
 * The values of a type as whole numbers in value order, from which slices of equal width are
 * computed. Immutable and thread-safe.
 */
public sealed interface Numbers permits BinaryNumbers, DecimalNumbers {
  /** What the numbers count. */
  enum Unit {
    /** Nothing of its own: the value is the number. */
    ONE,
    /** Milliseconds since 1970. */
    MILLISECOND,
    /** Days since 1970. */
    DAY
  }

  /** What the numbers count. */
  Unit unit();

  /** The number of bytes of every value. */
  int width();

  /** The number of the smallest value. */
  long least();

  /** The number of the greatest value; unsigned if {@link #isUnsigned}. */
  long greatest();

  /** Whether the numbers are unsigned. */
  default boolean isUnsigned() {
    return false;
  }

  /**
   * Returns the number of an encoded value.
   *
   * @param bytes has the ascending encoding at {@code offset}
   * @throws IllegalValue if the bytes are not a value
   */
  long at(byte[] bytes, int offset) throws IllegalValue;

  /**
   * Returns the number of an encoded value. For bytes that are not a value, returns the number of a
   * neighbouring value in byte order.
   */
  long near(byte[] bytes, int offset);

  /** Appends the ascending encoding of a number from {@link #least} to {@link #greatest}. */
  void write(long number, KeyBuffer out);
}
