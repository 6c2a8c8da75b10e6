/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.bytes.KeyBuffer;

/**
 * Numbers in binary, most significant byte first, the sign bit inverted if they are signed: all
 * bytes are values.
 *
 * @param unit what they count
 * @param width bytes of each
 * @param signed whether there are negative ones
 */
record BinaryNumbers(Unit unit, int width, boolean signed) implements Numbers {
  @Override
  public long least() {
    return signed ? Long.MIN_VALUE >> Long.SIZE - 8 * width : 0;
  }

  @Override
  public long greatest() {
    return signed ? ~least() : isUnsigned() ? -1 : (1L << 8 * width) - 1;
  }

  @Override
  public boolean isUnsigned() {
    return !signed && width == Long.BYTES;
  }

  @Override
  public long at(byte[] bytes, int offset) {
    return KeyBuffer.lowAt(bytes, offset, width) + least();
  }

  @Override
  public long near(byte[] bytes, int offset) {
    return at(bytes, offset);
  }

  @Override
  public void write(long number, KeyBuffer out) {
    out.putLow(number - least(), width);
  }
}
