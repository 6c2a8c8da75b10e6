/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.hash;

/**
 * MurmurHash3, the variant of 32 bits for x86, seed 0: Austin Appleby's, in the public domain. Its
 * digest is the hash, most significant byte first.
 */
final class Murmur3 implements Hash {
  private static final int C1 = 0xcc9e2d51;
  private static final int C2 = 0x1b873593;

  @Override
  public String name() {
    return "murmur3";
  }

  @Override
  public int width() {
    return Integer.BYTES;
  }

  @Override
  public void digest(byte[] input, int offset, int length, byte[] out, int outOffset) {
    int hash = hash(input, offset, length);
    for (int i = 0; i < Integer.BYTES; i++) {
      out[outOffset + i] = (byte) (hash >>> 24 - 8 * i);
    }
  }

  private static int hash(byte[] input, int offset, int length) {
    int hash = 0;
    int whole = length & ~3;
    for (int i = offset; i < offset + whole; i += 4) {
      hash = Integer.rotateLeft(hash ^ mixed(littleEndian(input, i, 4)), 13) * 5 + 0xe6546b64;
    }
    hash ^= mixed(littleEndian(input, offset + whole, length - whole)) ^ length;
    hash = (hash ^ hash >>> 16) * 0x85ebca6b;
    hash = (hash ^ hash >>> 13) * 0xc2b2ae35;
    return hash ^ hash >>> 16;
  }

  private static int mixed(int block) {
    return Integer.rotateLeft(block * C1, 15) * C2;
  }

  private static int littleEndian(byte[] input, int at, int count) {
    int block = 0;
    for (int i = 0; i < count; i++) {
      block |= (input[at + i] & 0xff) << 8 * i;
    }
    return block;
  }
}
