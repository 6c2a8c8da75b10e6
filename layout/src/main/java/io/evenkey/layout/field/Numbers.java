/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.bytes.KeyBuffer;

/**
 * The values of a type as whole numbers in the order of the values, so that runs of values of equal
 * width can be told apart. Immutable.
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

  /** Bytes of every value. */
  int width();

  /** The number of the first value. */
  long least();

  /** The number of the last value; with {@link #isUnsigned} as an unsigned number. */
  long greatest();

  /** Whether numbers are compared and divided as unsigned ones. */
  default boolean isUnsigned() {
    return false;
  }

  /**
   * The number of a value.
   *
   * @param bytes has the ascending form of the value at {@code offset}
   * @throws IllegalValue if these bytes are no value
   */
  long at(byte[] bytes, int offset) throws IllegalValue;

  /**
   * The number of the value that these bytes are; if they are none, that of a value next to the
   * place where they would be among the values.
   */
  long near(byte[] bytes, int offset);

  /** Appends the ascending form of the value of a number from {@link #least} to greatest. */
  void write(long number, KeyBuffer out);
}
