/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.guard;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What the guard of a region knows of the writes of HBase's replication since the region opened:
 * the answer to a Get with {@link #ask} as its {@link GuardAttributes#ASK}. On the wire, two
 * numbers of eight bytes, the length of the layout in four, and the layout, big-endian and in
 * UTF-8; a later version may add more, and one before ended after the numbers.
 *
 * @param admittedMs when one was last admitted, milliseconds since 1970 by the region server's
 *     clock; 0 if none was
 * @param refusedMs when one was last refused; 0 if none was
 * @param refusedLayout the layout of the source of that one; empty if it is not known
 */
public record ReplicatedWrites(long admittedMs, long refusedMs, String refusedLayout) {
  /** No writes of replication. */
  public static final ReplicatedWrites NONE = new ReplicatedWrites(0, 0, "");

  // Other questions have other lengths.
  private static final byte[] ASK = {1};
  private static final int NUMBERS = 2 * Long.BYTES;

  /** The value of the attribute that asks. */
  public static byte[] ask() {
    return ASK.clone();
  }

  /** Whether a value of the attribute asks this. */
  public static boolean isAskedBy(byte[] value) {
    return Arrays.equals(value, ASK);
  }

  /** The later ones of two regions. */
  public ReplicatedWrites and(ReplicatedWrites other) {
    boolean isLater = other.refusedMs > refusedMs;
    return new ReplicatedWrites(
        Math.max(admittedMs, other.admittedMs),
        isLater ? other.refusedMs : refusedMs,
        isLater ? other.refusedLayout : refusedLayout);
  }

  /** The bytes on the wire. */
  public byte[] toBytes() {
    byte[] layout = refusedLayout.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(NUMBERS + Integer.BYTES + layout.length)
        .putLong(admittedMs)
        .putLong(refusedMs)
        .putInt(layout.length)
        .put(layout)
        .array();
  }

  /**
   * The answer in such bytes.
   *
   * @throws IllegalArgumentException if these are too few
   */
  public static ReplicatedWrites parse(byte[] bytes) {
    if (bytes.length < NUMBERS) {
      throw new IllegalArgumentException(
          "answer on replicated writes not understood: bytes=" + bytes.length);
    }
    ByteBuffer read = ByteBuffer.wrap(bytes);
    long admittedMs = read.getLong();
    long refusedMs = read.getLong();
    int length = read.remaining() < Integer.BYTES ? 0 : read.getInt();
    if (length < 0 || length > read.remaining()) {
      throw new IllegalArgumentException(
          "answer on replicated writes not understood: layout_bytes=" + length);
    }
    String layout = new String(bytes, read.position(), length, StandardCharsets.UTF_8);
    return new ReplicatedWrites(admittedMs, refusedMs, layout);
  }
}
