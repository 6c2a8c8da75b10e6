/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.guard;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What the guard of a region knows of the writes of HBase's replication since the region opened:
 * the answer to a Get with {@link #ask} as its {@link GuardAttributes#ASK}. On the wire, two
 * numbers of eight bytes, big-endian; a later version may add more.
 *
 * @param admittedMs when one was last admitted, milliseconds since 1970 by the region server's
 *     clock; 0 if none was
 * @param refusedMs when one was last refused; 0 if none was
 */
public record ReplicatedWrites(long admittedMs, long refusedMs) {
  /** No writes of replication. */
  public static final ReplicatedWrites NONE = new ReplicatedWrites(0, 0);

  // Other questions have other lengths.
  private static final byte[] ASK = {1};

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
    return new ReplicatedWrites(
        Math.max(admittedMs, other.admittedMs), Math.max(refusedMs, other.refusedMs));
  }

  /** The bytes on the wire. */
  public byte[] toBytes() {
    return ByteBuffer.allocate(2 * Long.BYTES).putLong(admittedMs).putLong(refusedMs).array();
  }

  /**
   * The answer in such bytes.
   *
   * @throws IllegalArgumentException if these are too few
   */
  public static ReplicatedWrites parse(byte[] bytes) {
    if (bytes.length < 2 * Long.BYTES) {
      throw new IllegalArgumentException(
          "answer on replicated writes not understood: bytes=" + bytes.length);
    }
    ByteBuffer read = ByteBuffer.wrap(bytes);
    return new ReplicatedWrites(read.getLong(), read.getLong());
  }
}
