/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.bytes.KeyBuffer;

/**
 * Numbers in decimal digits, one ASCII byte each.
 *
 * @param width digits of each, at most {@link #MOST}
 */
record DecimalNumbers(int width) implements Numbers {
  /** The number of digits that fit into a long whatever they are. */
  static final int MOST = 18;

  @Override
  public Unit unit() {
    return Unit.ONE;
  }

  @Override
  public long least() {
    return 0;
  }

  @Override
  public long greatest() {
    long number = 0;
    for (int i = 0; i < width; i++) {
      number = 10 * number + 9;
    }
    return number;
  }

  @Override
  public long at(byte[] bytes, int offset) throws IllegalValue {
    long number = 0;
    for (int i = offset; i < offset + width; i++) {
      if (bytes[i] < '0' || bytes[i] > '9') {
        throw new IllegalValue("bytes that are not digits", "is this row of another layout?");
      }
      number = 10 * number + bytes[i] - '0';
    }
    return number;
  }

  // A byte after '9' is after all values that begin alike; one before '0' is before them.
  @Override
  public long near(byte[] bytes, int offset) {
    long number = 0;
    int rest = -1;
    for (int i = offset; i < offset + width; i++) {
      int digit = rest >= 0 ? rest : (bytes[i] & 0xff) - '0';
      if (digit < 0 || digit > 9) {
        rest = digit < 0 ? 0 : 9;
        digit = rest;
      }
      number = 10 * number + digit;
    }
    return number;
  }

  @Override
  public void write(long number, KeyBuffer out) {
    DigitsType.putDigits(number, width, out);
  }
}
