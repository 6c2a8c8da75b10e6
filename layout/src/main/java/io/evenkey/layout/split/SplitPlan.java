/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.split;

import io.evenkey.layout.bytes.ByteText;
import java.util.List;

/**
 * The split keys with which a table is created, as {@link io.evenkey.layout.Layout#splits} and
 * {@link SplitAlgorithm} make them. Immutable, except that the arrays are not copied.
 *
 * @param algorithm the algorithm that made them
 * @param keys the first physical row of every region except the first: ascending, distinct, not
 *     empty
 */
public record SplitPlan(SplitAlgorithm algorithm, List<byte[]> keys) {
  /** Copies the keys. */
  public SplitPlan {
    keys = keys.stream().map(byte[]::clone).toList();
  }

  /** The number of regions of the table: one more than there are keys. */
  public int regions() {
    return keys.size() + 1;
  }

  /**
   * Returns the keys in a new array, as HBase's {@code Admin.createTable} takes them. HBase rejects
   * an empty array: pass none if there is one region.
   */
  public byte[][] toArray() {
    return keys.stream().map(byte[]::clone).toArray(byte[][]::new);
  }

  @Override
  public String toString() {
    return algorithm + keys.stream().map(ByteText::printable).toList().toString();
  }
}
