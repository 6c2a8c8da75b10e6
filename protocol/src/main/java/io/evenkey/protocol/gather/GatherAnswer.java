/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.gather;

import io.evenkey.layout.bytes.ByteString;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The head of a region server's answer to a {@link GatherRequest} for rows in order, before its
 * rows. Immutable. On the wire: one byte format (1), {@code i32} number of rows, one byte that is 1
 * if a key follows, and the key.
 *
 * @param rows the number of rows that follow, to notice an answer that was cut off
 * @param upTo the logical key up to which, inclusive and in the order of the request, the rows of
 *     all ranges are in the answer; null if that is all rows
 */
public record GatherAnswer(int rows, @Nullable ByteString upTo) {
  private static final byte FORMAT = 1;
  private static final int HEAD = 6;

  /** The bytes on the wire. */
  public byte[] toBytes() {
    byte[] key = upTo == null ? new byte[0] : upTo.toArray();
    return ByteBuffer.allocate(HEAD + key.length)
        .put(FORMAT)
        .putInt(rows)
        .put((byte) (upTo == null ? 0 : 1))
        .put(key)
        .array();
  }

  /**
   * The answer in such bytes.
   *
   * @throws IllegalArgumentException if the bytes are not an answer of this format
   */
  public static GatherAnswer parse(byte[] bytes) {
    if (bytes.length < HEAD || bytes[0] != FORMAT) {
      throw new IllegalArgumentException("unknown answer to a gather: bytes=" + bytes.length);
    }
    ByteBuffer in = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
    int rows = in.getInt();
    byte ends = in.get();
    if (rows < 0 || ends < 0 || ends > 1 || (ends == 0 && in.hasRemaining())) {
      throw new IllegalArgumentException(
          "answer to a gather out of range: rows=" + rows + " key=" + ends);
    }
    return new GatherAnswer(rows, ends == 1 ? ByteString.of(in) : null);
  }
}
