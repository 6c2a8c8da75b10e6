/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.hash;

/**
 * The hash of Java's {@code Arrays.hashCode(byte[])}: h = 1, then {@code 31·h + b} for each byte as
 * a signed number, in 32 bits. Phoenix, HBaseWD and OpenTSDB choose buckets by it; it spreads keys
 * with a pattern unevenly (decision 2), so nothing new should. Stateless.
 */
public final class ArrayHash {
  private ArrayHash() {}

  /** The hash of {@code length} bytes from {@code offset}. */
  public static int hash(byte[] input, int offset, int length) {
    int hash = 1;
    for (int i = offset; i < offset + length; i++) {
      hash = 31 * hash + input[i];
    }
    return hash;
  }
}
