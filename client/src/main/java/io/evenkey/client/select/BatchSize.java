/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * The number of entries whose rows are read together: twice as many as the last time while rows are
 * small, half as many when they are large. Not thread-safe.
 */
final class BatchSize {
  /** The first batch, and the least. */
  static final int LEAST_ROWS = 100;

  private static final int MOST_ROWS = 800;

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

  /** The rows of a batch have come. */
  void came(@Nullable Result[] batch) {
    bytes = 0;
    for (Result row : batch) {
      bytes += row == null ? 0 : Result.getTotalSizeOfCells(row);
    }
    rows =
        bytes <= LARGE_BYTES / 4 ? Math.min(MOST_ROWS, 2 * rows) : Math.max(LEAST_ROWS, rows / 2);
  }
}
