/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.HexFormat;

/**
 * XXH3, 64 bits, seed 0, default secret: the hash behind {@code salt}.
 *
 * <p>A storage format: its output decides where rows are, so it can never change. Written from the
 * xxHash specification (doc/xxhash_spec.md of the xxHash project, version 0.2), constants named as
 * there. Inputs of up to 16 bytes, of up to 128, of up to 240 and longer ones each have a path of
 * their own; keys are nearly always in the first two. Stateless; allocates only above 240 bytes.
 */
public final class Xxh3 {
  private static final long PRIME32_1 = 0x9E3779B1L;
  private static final long PRIME32_2 = 0x85EBCA77L;
  private static final long PRIME32_3 = 0xC2B2AE3DL;
  private static final long PRIME64_1 = 0x9E3779B185EBCA87L;
  private static final long PRIME64_2 = 0xC2B2AE3D27D4EB4FL;
  private static final long PRIME64_3 = 0x165667B19E3779F9L;
  private static final long PRIME64_4 = 0x85EBCA77C2B2AE63L;
  private static final long PRIME64_5 = 0x27D4EB2F165667C5L;
  private static final long PRIME_MX1 = 0x165667919E3779F9L;
  private static final long PRIME_MX2 = 0x9FB21C651E98DF25L;

  private static final int STRIPE = 64;
  private static final int STRIPES_IN_BLOCK = 16;
  private static final int BLOCK = STRIPE * STRIPES_IN_BLOCK;

  private static final byte[] SECRET =
      HexFormat.of()
          .parseHex(
              "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
                  + "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
                  + "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
                  + "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
                  + "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
                  + "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e");

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Xxh3() {}

  /** The hash of {@code length} bytes of {@code in} from {@code at}. */
  public static long hash(byte[] in, int at, int length) {
    if (length <= 16) {
      return upTo16(in, at, length);
    }
    if (length <= 128) {
      return upTo128(in, at, length);
    }
    return length <= 240 ? upTo240(in, at, length) : longer(in, at, length);
  }

  private static long upTo16(byte[] in, int at, int length) {
    if (length > 8) {
      long low = readLong(in, at) ^ readLong(SECRET, 24) ^ readLong(SECRET, 32);
      long high = readLong(in, at + length - 8) ^ readLong(SECRET, 40) ^ readLong(SECRET, 48);
      return avalanche(length + Long.reverseBytes(low) + high + foldedProduct(low, high));
    }
    if (length >= 4) {
      long first = readInt(in, at);
      long last = readInt(in, at + length - 4);
      long h = (last + (first << 32)) ^ readLong(SECRET, 8) ^ readLong(SECRET, 16);
      h ^= Long.rotateLeft(h, 49) ^ Long.rotateLeft(h, 24);
      h *= PRIME_MX2;
      h ^= (h >>> 35) + length;
      h *= PRIME_MX2;
      return h ^ (h >>> 28);
    }
    if (length == 0) {
      return avalancheXxh64(readLong(SECRET, 56) ^ readLong(SECRET, 64));
    }
    int first = in[at] & 0xff;
    int middle = in[at + (length >> 1)] & 0xff;
    int last = in[at + length - 1] & 0xff;
    int combined = first << 16 | middle << 24 | last | length << 8;
    return avalancheXxh64((combined & 0xffffffffL) ^ readInt(SECRET, 0) ^ readInt(SECRET, 4));
  }

  private static long upTo128(byte[] in, int at, int length) {
    int end = at + length;
    long acc = length * PRIME64_1;
    if (length > 32) {
      if (length > 64) {
        if (length > 96) {
          acc += mix(in, at + 48, 96) + mix(in, end - 64, 112);
        }
        acc += mix(in, at + 32, 64) + mix(in, end - 48, 80);
      }
      acc += mix(in, at + 16, 32) + mix(in, end - 32, 48);
    }
    acc += mix(in, at, 0) + mix(in, end - 16, 16);
    return avalanche(acc);
  }

  private static long upTo240(byte[] in, int at, int length) {
    long acc = length * PRIME64_1;
    for (int i = 0; i < 8; i++) {
      acc += mix(in, at + 16 * i, 16 * i);
    }
    acc = avalanche(acc);
    for (int i = 8; i < length / 16; i++) {
      acc += mix(in, at + 16 * i, 16 * (i - 8) + 3);
    }
    return avalanche(acc + mix(in, at + length - 16, 136 - 17));
  }

  private static long longer(byte[] in, int at, int length) {
    long[] acc = {
      PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3, PRIME64_4, PRIME32_2, PRIME64_5, PRIME32_1
    };
    int blocks = (length - 1) / BLOCK;
    for (int block = 0; block < blocks; block++) {
      for (int stripe = 0; stripe < STRIPES_IN_BLOCK; stripe++) {
        accumulate(acc, in, at + block * BLOCK + stripe * STRIPE, stripe * 8);
      }
      scramble(acc);
    }
    int stripes = (length - 1 - blocks * BLOCK) / STRIPE;
    for (int stripe = 0; stripe < stripes; stripe++) {
      accumulate(acc, in, at + blocks * BLOCK + stripe * STRIPE, stripe * 8);
    }
    accumulate(acc, in, at + length - STRIPE, SECRET.length - STRIPE - 7);

    long merged = length * PRIME64_1;
    for (int i = 0; i < 4; i++) {
      merged +=
          foldedProduct(
              acc[2 * i] ^ readLong(SECRET, 11 + 16 * i),
              acc[2 * i + 1] ^ readLong(SECRET, 19 + 16 * i));
    }
    return avalanche(merged);
  }

  private static void accumulate(long[] acc, byte[] in, int at, int secretAt) {
    for (int i = 0; i < 8; i++) {
      long value = readLong(in, at + 8 * i);
      long keyed = value ^ readLong(SECRET, secretAt + 8 * i);
      acc[i ^ 1] += value;
      acc[i] += (keyed & 0xffffffffL) * (keyed >>> 32);
    }
  }

  private static void scramble(long[] acc) {
    for (int i = 0; i < 8; i++) {
      acc[i] ^= acc[i] >>> 47;
      acc[i] ^= readLong(SECRET, SECRET.length - STRIPE + 8 * i);
      acc[i] *= PRIME32_1;
    }
  }

  private static long mix(byte[] in, int at, int secretAt) {
    return foldedProduct(
        readLong(in, at) ^ readLong(SECRET, secretAt),
        readLong(in, at + 8) ^ readLong(SECRET, secretAt + 8));
  }

  /** The two halves of the unsigned 128-bit product, folded with exclusive or. */
  private static long foldedProduct(long a, long b) {
    // Math.multiplyHigh is signed; each negative operand adds the other one to the true high half.
    long high = Math.multiplyHigh(a, b) + ((a >> 63) & b) + ((b >> 63) & a);
    return (a * b) ^ high;
  }

  private static long avalanche(long h) {
    h ^= h >>> 37;
    h *= PRIME_MX1;
    return h ^ (h >>> 32);
  }

  private static long avalancheXxh64(long h) {
    h ^= h >>> 33;
    h *= PRIME64_2;
    h ^= h >>> 29;
    h *= PRIME64_3;
    return h ^ (h >>> 32);
  }

  private static long readLong(byte[] in, int at) {
    return (long) LONG.get(in, at);
  }

  private static long readInt(byte[] in, int at) {
    return (int) INT.get(in, at) & 0xffffffffL;
  }
}
