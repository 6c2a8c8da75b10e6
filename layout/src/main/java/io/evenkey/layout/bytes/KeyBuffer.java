/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A buffer that grows, into which keys are encoded. Its owner empties it by {@link #truncate
 * truncate(0)} and encodes the next key, so that many keys cost one allocation.
 *
 * <pre>{@code
 * KeyBuffer row = new KeyBuffer(64);
 * layout.encode(record, row);
 * ByteString stored = ByteString.of(row.toArray());
 * }</pre>
 *
 * <p>Not thread-safe.
 */
public final class KeyBuffer {
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private byte[] bytes;
  private int size;

  /** Creates a buffer that grows when it holds more than {@code capacity} bytes. */
  public KeyBuffer(int capacity) {
    bytes = new byte[Math.max(16, capacity)];
  }

  /** The bytes written so far. */
  public int size() {
    return size;
  }

  /**
   * The array behind this buffer, not a copy. Its first {@link #size} bytes are valid until the
   * next write.
   */
  public byte[] array() {
    return bytes;
  }

  /** Drops everything after the first {@code newSize} bytes. */
  public KeyBuffer truncate(int newSize) {
    size = newSize;
    return this;
  }

  /** Appends the lowest eight bits of a number as one byte. */
  public KeyBuffer put(int b) {
    reserve(1);
    bytes[size++] = (byte) b;
    return this;
  }

  /** Appends bytes. */
  public KeyBuffer put(byte[] source) {
    return put(source, 0, source.length);
  }

  /** Appends {@code length} bytes of {@code source} from {@code offset}. */
  public KeyBuffer put(byte[] source, int offset, int length) {
    reserve(length);
    System.arraycopy(source, offset, bytes, size, length);
    size += length;
    return this;
  }

  /** Appends eight bytes, most significant first. */
  public KeyBuffer putLong(long value) {
    reserve(Long.BYTES);
    LONGS.set(bytes, size, value);
    size += Long.BYTES;
    return this;
  }

  /**
   * Appends the lowest {@code count} bytes of a number, most significant first.
   *
   * @param count from 1 to 8
   */
  public KeyBuffer putLow(long value, int count) {
    if (count == Long.BYTES) {
      return putLong(value);
    }
    reserve(count);
    for (int shift = 8 * (count - 1); shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (value >>> shift);
    }
    return this;
  }

  /**
   * Appends text as UTF-8.
   *
   * @return false if the text has half a surrogate pair, which UTF-8 cannot represent; the buffer
   *     may then hold what came before it
   */
  public boolean putUtf8(CharSequence text) {
    int length = text.length();
    reserve(length);
    byte[] target = bytes;
    int at = size;
    int all = 0;
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      all |= c;
      target[at + i] = (byte) c;
    }
    // Nearly all keys are ASCII.
    if (all >= 0x80) {
      return putCodePoints(text);
    }
    size = at + length;
    return true;
  }

  /**
   * Appends text and a 00 byte, each byte combined with {@code mask} by exclusive or. Appends
   * nothing if a character is NUL or outside of ASCII.
   *
   * @param mask 0, or FF to invert the bytes for descending order
   * @return whether the text was appended
   */
  public boolean putAscii(String text, int mask) {
    int length = text.length();
    reserve(length + 1);
    byte[] target = bytes;
    int at = size;
    int odd = 0;
    // No way out of the loop, so that the compiler can unroll it. Below 0 or above 7F is odd.
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      odd |= c - 1 | c;
      target[at + i] = (byte) (c ^ mask);
    }
    if ((odd & ~0x7f) != 0) {
      return false;
    }
    target[at + length] = (byte) mask;
    size = at + length + 1;
    return true;
  }

  private boolean putCodePoints(CharSequence text) {
    for (int i = 0; i < text.length(); ) {
      int codePoint = Character.codePointAt(text, i);
      if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
        return false;
      }
      putCodePoint(codePoint);
      i += Character.charCount(codePoint);
    }
    return true;
  }

  private void putCodePoint(int codePoint) {
    reserve(4);
    if (codePoint < 0x80) {
      bytes[size++] = (byte) codePoint;
      return;
    }
    int more = codePoint < 0x800 ? 1 : codePoint < 0x10000 ? 2 : 3;
    // The first byte has as many leading ones as there are bytes, each other one starts with 10.
    bytes[size++] = (byte) (0xff << 7 - more | codePoint >>> 6 * more);
    for (int shift = 6 * (more - 1); shift >= 0; shift -= 6) {
      bytes[size++] = (byte) (0x80 | codePoint >>> shift & 0x3f);
    }
  }

  /** Reads four bytes, most significant first. */
  public static int intAt(byte[] bytes, int offset) {
    return (int) INTS.get(bytes, offset);
  }

  /** Reads eight bytes, most significant first. */
  public static long longAt(byte[] bytes, int offset) {
    return (long) LONGS.get(bytes, offset);
  }

  /**
   * Reads a number of {@code count} bytes, most significant first.
   *
   * @param count from 1 to 8
   */
  public static long lowAt(byte[] bytes, int offset, int count) {
    if (count == Long.BYTES) {
      return longAt(bytes, offset);
    }
    long value = 0;
    for (int i = offset; i < offset + count; i++) {
      value = value << 8 | bytes[i] & 0xff;
    }
    return value;
  }

  /** Appends the same byte {@code count} times. */
  public KeyBuffer fill(int b, int count) {
    reserve(count);
    Arrays.fill(bytes, size, size + count, (byte) b);
    size += count;
    return this;
  }

  /**
   * Inverts every bit from {@code from} to the end, which turns ascending into descending order.
   */
  public KeyBuffer invert(int from) {
    byte[] target = bytes;
    int at = from;
    for (; at + Long.BYTES <= size; at += Long.BYTES) {
      LONGS.set(target, at, ~longAt(target, at));
    }
    for (; at < size; at++) {
      target[at] = (byte) ~target[at];
    }
    return this;
  }

  /** Whether a 00 byte occurs at {@code from} or later. */
  public boolean hasZeroFrom(int from) {
    int at = from;
    while (at < size && bytes[at] != 0) {
      at++;
    }
    return at < size;
  }

  /** Returns a copy of the bytes. */
  public byte[] toArray() {
    return Arrays.copyOf(bytes, size);
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
    }
  }
}
