/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.gather;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The head of a region server's answer to a {@link GatherRequest} for rows {@linkplain
 * GatherRequest#ofEach of each range}, before the rows of all ranges. Immutable. On the wire: one
 * byte format (2), {@code i32} number of ranges, and for each range {@code i32}: twice the number
 * of its rows, and one more if these are all rows of the range.
 *
 * @param ranges in the order of the request
 */
public record GatherPortions(List<Portion> ranges) {
  private static final byte FORMAT = 2;
  private static final int HEAD = 5;

  /** The portions of some ranges. */
  public GatherPortions {
    ranges = List.copyOf(ranges);
  }

  /**
   * The part of an answer that is of one range.
   *
   * @param rows the number of its rows
   * @param isWhole whether the range has no others
   */
  public record Portion(int rows, boolean isWhole) {}

  /** The bytes on the wire. */
  public byte[] toBytes() {
    ByteBuffer out = ByteBuffer.allocate(HEAD + Integer.BYTES * ranges.size());
    out.put(FORMAT).putInt(ranges.size());
    for (Portion range : ranges) {
      out.putInt(2 * range.rows + (range.isWhole ? 1 : 0));
    }
    return out.array();
  }

  /**
   * The portions in such bytes.
   *
   * @throws IllegalArgumentException if the bytes are not portions of this format
   */
  public static GatherPortions parse(byte[] bytes) {
    if (bytes.length < HEAD || bytes[0] != FORMAT) {
      throw new IllegalArgumentException("unknown answer to a gather: bytes=" + bytes.length);
    }
    ByteBuffer in = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
    int count = in.getInt();
    if (count < 0 || in.remaining() != (long) Integer.BYTES * count) {
      throw new IllegalArgumentException(
          "answer to a gather out of range: ranges=" + count + " bytes=" + bytes.length);
    }
    List<Portion> ranges = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int portion = in.getInt();
      if (portion < 0) {
        throw new IllegalArgumentException(
            "answer to a gather out of range: range=" + i + " portion=" + portion);
      }
      ranges.add(new Portion(portion >>> 1, (portion & 1) == 1));
    }
    return new GatherPortions(ranges);
  }
}
