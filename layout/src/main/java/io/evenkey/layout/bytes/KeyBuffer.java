package io.evenkey.layout.bytes;

import java.util.Arrays;

/**
 * A growing key. Reused by its owner to encode one key after the other without allocation. Not
 * thread-safe.
 */
public final class KeyBuffer {
  private byte[] bytes;
  private int size;

  /** A buffer that grows past {@code capacity} bytes when it must. */
  public KeyBuffer(int capacity) {
    bytes = new byte[Math.max(16, capacity)];
  }

  /** The bytes written so far. */
  public int size() {
    return size;
  }

  /** The array behind this buffer, valid up to {@link #size} until the next write. */
  public byte[] array() {
    return bytes;
  }

  /** Forgets everything after the first {@code newSize} bytes. */
  public KeyBuffer truncate(int newSize) {
    size = newSize;
    return this;
  }

  /** Appends one byte. */
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
    for (int shift = 56; shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (value >>> shift);
    }
    return this;
  }

  /** Appends the same byte {@code count} times. */
  public KeyBuffer fill(int b, int count) {
    reserve(count);
    Arrays.fill(bytes, size, size + count, (byte) b);
    size += count;
    return this;
  }

  /**
   * Inverts every bit from {@code from} to the end, which turns ascending order into descending.
   */
  public KeyBuffer invert(int from) {
    for (int i = from; i < size; i++) {
      bytes[i] = (byte) ~bytes[i];
    }
    return this;
  }

  /** A copy of what was written. */
  public byte[] toArray() {
    return Arrays.copyOf(bytes, size);
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
    }
  }
}
