/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import java.util.List;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * The number of entries whose rows are read together: more than the last time while rows are small,
 * half as many when they are large. Of settled entries, whose batches cost one request whatever
 * their size, it grows faster, and further. Not thread-safe.
 */
final class BatchSize {
  /** The first batch, and the least. */
  static final int LEAST_ROWS = 100;

  private static final int MOST_ROWS = 800;
  private static final int MOST_SETTLED = 3_200;

  /** A batch of so many bytes is large. */
  private static final long LARGE_BYTES = 2L << 20;

  private int rows = LEAST_ROWS;
  private long bytes;

  /** The number of entries of the next batch. */
  int rows() {
    return rows;
  }

  /** Whether the rows of the last batch were so large that no two should be read at once. */
  boolean isLarge() {
    return bytes > LARGE_BYTES;
  }

  /**
   * The rows of a batch have come.
   *
   * @param read those of the entries; null for a settled entry, which is kept instead
   */
  void came(List<KeyedRow> entries, @Nullable Result[] read) {
    bytes = 0;
    boolean settled = true;
    for (int i = 0; i < read.length; i++) {
      Result row = read[i];
      settled &= row == null;
      bytes += Result.getTotalSizeOfCells(row == null ? entries.get(i).result() : row);
    }
    int most = settled ? MOST_SETTLED : MOST_ROWS;
    int next = bytes > LARGE_BYTES / 4 ? rows / 2 : settled ? 4 * rows : 2 * rows;
    rows = Math.max(LEAST_ROWS, Math.min(most, next));
  }
}
