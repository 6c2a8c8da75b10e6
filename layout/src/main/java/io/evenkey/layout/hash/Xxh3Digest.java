/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.hash;

/** {@link Xxh3} as a digest: the hash, most significant byte first, its canonical form. */
final class Xxh3Digest implements Hash {
  @Override
  public String name() {
    return "xxh3";
  }

  @Override
  public int width() {
    return Long.BYTES;
  }

  @Override
  public void digest(byte[] input, int offset, int length, byte[] out, int outOffset) {
    long hash = Xxh3.hash(input, offset, length);
    for (int i = 0; i < Long.BYTES; i++) {
      out[outOffset + i] = (byte) (hash >>> 56 - 8 * i);
    }
  }
}
