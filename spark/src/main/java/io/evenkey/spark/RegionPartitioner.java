/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.Partitioner;

/** A partition for each region of the tables of a bulk write, of the keys in it. Immutable. */
final class RegionPartitioner extends Partitioner {
  /** Sorts keys as HBase sorts rows; the first byte of a key is the table's number. */
  static final Comparator<byte[]> BY_KEY =
      (Comparator<byte[]> & Serializable) Arrays::compareUnsigned;

  private static final long serialVersionUID = 1;

  private final byte[][] starts;

  /**
   * A partitioner.
   *
   * @param starts the first keys of all regions, in ascending order
   */
  RegionPartitioner(List<byte[]> starts) {
    this.starts = starts.toArray(byte[][]::new);
  }

  @Override
  public int numPartitions() {
    return starts.length;
  }

  @Override
  public int getPartition(Object key) {
    int found = Arrays.binarySearch(starts, (byte[]) key, BY_KEY);
    // Not one of the first keys: of the region before the place where it would be.
    return found >= 0 ? found : -found - 2;
  }
}
