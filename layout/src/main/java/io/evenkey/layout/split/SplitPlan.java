/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.split;

import io.evenkey.layout.bytes.ByteText;
import java.util.List;

/**
 * The region boundaries a table is created with. Immutable.
 *
 * @param algorithm the algorithm that proposed them
 * @param keys the first key of every region but the first: ascending, no two the same, none empty
 */
public record SplitPlan(SplitAlgorithm algorithm, List<byte[]> keys) {
  /** Copies the keys. */
  public SplitPlan {
    keys = keys.stream().map(byte[]::clone).toList();
  }

  /** The number of regions that the table will have. */
  public int regions() {
    return keys.size() + 1;
  }

  /** The keys as HBase's API takes them, in a new array. */
  public byte[][] toArray() {
    return keys.stream().map(byte[]::clone).toArray(byte[][]::new);
  }

  @Override
  public String toString() {
    return algorithm + keys.stream().map(ByteText::printable).toList().toString();
  }
}
