/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.bytes;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Bytes as an immutable value: equal by content, ordered as HBase orders rows (byte by byte,
 * unsigned), and so fit for keys of maps and sets. {@link #toString} shows lower-case hex digits.
 *
 * <pre>{@code
 * ByteString id = ByteString.fromHex("cafe00");
 * Set<ByteString> seen = new TreeSet<>(List.of(id, ByteString.of(row)));
 * }</pre>
 *
 * <p>Every way in and out copies the bytes.
 */
public final class ByteString implements Comparable<ByteString> {
  private final byte[] bytes;

  private ByteString(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A copy of these bytes. */
  public static ByteString of(byte... bytes) {
    return new ByteString(bytes.clone());
  }

  /** A copy of {@code length} bytes from {@code offset}. */
  public static ByteString of(byte[] bytes, int offset, int length) {
    return new ByteString(Arrays.copyOfRange(bytes, offset, offset + length));
  }

  /** A copy of what remains in a buffer, whose position stays where it is. */
  public static ByteString of(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return new ByteString(bytes);
  }

  /**
   * Returns the bytes that hex digits in either case stand for.
   *
   * @throws IllegalArgumentException if the text has an odd length, or a character that is no hex
   *     digit
   */
  public static ByteString fromHex(String hex) {
    return new ByteString(ByteText.fromHex(hex));
  }

  /** The number of bytes. */
  public int length() {
    return bytes.length;
  }

  /** A copy of the bytes. */
  public byte[] toArray() {
    return bytes.clone();
  }

  /** Appends the bytes to a key. */
  public void writeTo(KeyBuffer out) {
    out.put(bytes);
  }

  @Override
  public int compareTo(ByteString that) {
    return Arrays.compareUnsigned(bytes, that.bytes);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ByteString that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return ByteText.hex(bytes);
  }
}
