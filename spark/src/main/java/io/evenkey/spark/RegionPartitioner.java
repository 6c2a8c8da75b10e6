/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Comparator;
import org.apache.spark.Partitioner;

/** A partition for each region, of the stored rows in it. Immutable. */
final class RegionPartitioner extends Partitioner {
  /** As HBase sorts rows. */
  static final Comparator<byte[]> BY_ROW =
      (Comparator<byte[]> & Serializable) Arrays::compareUnsigned;

  private static final long serialVersionUID = 1;

  private final byte[][] starts;

  /**
   * A partitioner.
   *
   * @param starts the first rows of all regions, in ascending order
   */
  RegionPartitioner(byte[][] starts) {
    this.starts = starts.clone();
  }

  @Override
  public int numPartitions() {
    return starts.length;
  }

  @Override
  public int getPartition(Object row) {
    int found = Arrays.binarySearch(starts, (byte[]) row, BY_ROW);
    // Not one of the first rows: of the region before the place where it would be.
    return found >= 0 ? found : -found - 2;
  }
}
