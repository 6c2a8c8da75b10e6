/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.guard;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What the guard of a region knows of the writes of HBase's replication: to the table, and to the
 * region since it opened. The answer to {@link ReplicationQuestion#WRITES}. On the wire, two
 * numbers of eight bytes, the length of the layout in four, the layout, and a third number,
 * big-endian and in UTF-8; a later version may add more, and two before ended after two numbers and
 * after the layout.
 *
 * @param sinceMs since when replication writes to the table, milliseconds since 1970 by the file
 *     system's clock; 0 if it does not, or has ended
 * @param admittedMs when one was last admitted, by the region server's clock; 0 if none was
 * @param refusedMs when one was last refused; 0 if none was
 * @param refusedLayout the layout of the source of that one; empty if it is not known
 */
public record ReplicatedWrites(
    long sinceMs, long admittedMs, long refusedMs, String refusedLayout) {
  /** No writes of replication. */
  public static final ReplicatedWrites NONE = new ReplicatedWrites(0, 0, 0, "");

  private static final int NUMBERS = 2 * Long.BYTES;

  /**
   * Merges the records of two regions: the first write to the table, and the later of their times.
   */
  public ReplicatedWrites and(ReplicatedWrites other) {
    boolean isLater = other.refusedMs > refusedMs;
    boolean isFirst = sinceMs > 0 && (other.sinceMs == 0 || sinceMs < other.sinceMs);
    return new ReplicatedWrites(
        isFirst ? sinceMs : other.sinceMs,
        Math.max(admittedMs, other.admittedMs),
        isLater ? other.refusedMs : refusedMs,
        isLater ? other.refusedLayout : refusedLayout);
  }

  /** The bytes on the wire. */
  public byte[] toBytes() {
    byte[] layout = refusedLayout.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(NUMBERS + Integer.BYTES + layout.length + Long.BYTES)
        .putLong(admittedMs)
        .putLong(refusedMs)
        .putInt(layout.length)
        .put(layout)
        .putLong(sinceMs)
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
    read.position(read.position() + length);
    // A guard that does not record the first one knows the last.
    long sinceMs = read.remaining() < Long.BYTES ? admittedMs : read.getLong();
    return new ReplicatedWrites(sinceMs, admittedMs, refusedMs, layout);
  }
}
