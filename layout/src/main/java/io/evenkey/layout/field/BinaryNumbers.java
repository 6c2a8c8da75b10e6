/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.bytes.KeyBuffer;

/**
 * Numbers in binary, most significant byte first, each less the least one.
 *
 * @param unit what they count
 * @param width bytes of each
 * @param least the first
 * @param greatest the last; as an unsigned number if that is below the first
 */
record BinaryNumbers(Unit unit, int width, long least, long greatest) implements Numbers {
  /** All numbers of some bytes, the sign bit inverted. */
  static BinaryNumbers signed(Unit unit, int width) {
    long least = Long.MIN_VALUE >> Long.SIZE - 8 * width;
    return new BinaryNumbers(unit, width, least, ~least);
  }

  /** All numbers of some bytes, from 0 on. */
  static BinaryNumbers unsigned(Unit unit, int width) {
    return new BinaryNumbers(unit, width, 0, width == Long.BYTES ? -1 : (1L << 8 * width) - 1);
  }

  /** Big-endian numbers whose sign bit is clear, as Java writes numbers from 0 on. */
  static BinaryNumbers positive(Unit unit, int width) {
    return new BinaryNumbers(unit, width, 0, ~(Long.MIN_VALUE >> Long.SIZE - 8 * width));
  }

  @Override
  public boolean isUnsigned() {
    return greatest < least;
  }

  private boolean has(long number) {
    return isUnsigned() || number >= least && number <= greatest;
  }

  @Override
  public long at(byte[] bytes, int offset) throws IllegalValue {
    long number = KeyBuffer.lowAt(bytes, offset, width) + least;
    if (!has(number)) {
      throw new IllegalValue(
          "negative number, which would sort behind all others: " + signed(number),
          "is this row of another layout?");
    }
    return number;
  }

  // As Java reads these bytes.
  private long signed(long number) {
    int unused = Long.SIZE - 8 * width;
    return number << unused >> unused;
  }

  @Override
  public long near(byte[] bytes, int offset) {
    long number = KeyBuffer.lowAt(bytes, offset, width) + least;
    return has(number) ? number : greatest;
  }

  @Override
  public void write(long number, KeyBuffer out) {
    out.putLow(number - least, width);
  }
}
