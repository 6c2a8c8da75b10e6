/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import io.evenkey.layout.bytes.KeyRange;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * The rows of a comparison: readings of devices, {@value #PER_DEVICE} each. A key is the device in
 * six digits and the number of the reading in ten; a value is a hundred random bytes, seeded with
 * the row's number.
 *
 * @param count the number of rows
 */
public record BenchRows(int count) {
  static final int PER_DEVICE = 1000;
  static final String FIELDS = "device:digits(6) + n:digits(10)";
  static final int VALUE_BYTES = 100;

  /** Checks the number: whole devices, at least one. */
  public BenchRows {
    if (count < PER_DEVICE || count % PER_DEVICE != 0) {
      throw new IllegalArgumentException(
          "number of rows out of range: " + count + "; expected thousands, at least one");
    }
  }

  int devices() {
    return count / PER_DEVICE;
  }

  /** The key of a row, 16 bytes; keys ascend with the row's number. */
  public byte[] key(int row) {
    byte[] key = new byte[16];
    write(row / PER_DEVICE, key, 0, 6);
    write(row % PER_DEVICE, key, 6, 16);
    return key;
  }

  private static void write(int number, byte[] key, int from, int to) {
    int left = number;
    for (int i = to - 1; i >= from; i--) {
      key[i] = (byte) ('0' + left % 10);
      left /= 10;
    }
  }

  /** The value of a row. */
  public byte[] value(int row) {
    byte[] value = new byte[VALUE_BYTES];
    new SplittableRandom(row).nextBytes(value);
    return value;
  }

  /** The keys of a range of rows; the end is exclusive. */
  KeyRange range(int from, int to) {
    return KeyRange.of(from == 0 ? new byte[0] : key(from), to == count ? new byte[0] : key(to));
  }

  /** All keys of a device. */
  KeyRange device(int device) {
    return KeyRange.prefix(
        new String(key(device * PER_DEVICE), StandardCharsets.US_ASCII)
            .substring(0, 6)
            .getBytes(StandardCharsets.US_ASCII));
  }
}
