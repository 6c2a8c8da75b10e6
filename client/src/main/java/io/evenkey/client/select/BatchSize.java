/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import java.util.List;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * The number of entries whose rows are read together, and of such batches that are read at once. It
 * grows while the rows of a batch, as large as the last ones were, have no more than some MB; of
 * settled entries, whose batches cost one request whatever their size, it grows further. Not
 * thread-safe.
 */
final class BatchSize {
  /** The first batch of a read of all rows: their sizes are not known. */
  private static final int FIRST = 64;

  /** The first batch of a limited read, large enough that 100 rows take one batch. */
  private static final int FIRST_LIMITED = 120;

  private static final int MOST_ROWS = 800;
  private static final int MOST_SETTLED = 3_200;

  /** The most while no row has come, such as in front of a long run of stale entries. */
  private static final int MOST_UNKNOWN = 256;

  private static final int GROWTH = 4;

  /** Batches that are read at once, unless a single row is larger than a batch should be. */
  private static final int AHEAD = 3;

  private static final long BATCH_BYTES = 2L << 20;

  private int rows;

  /** The mean size of the last rows that came; 0 while it is not known. */
  private long rowBytes;

  private BatchSize(int rows) {
    this.rows = rows;
  }

  /** Returns the size of the first batch of a read. */
  static BatchSize of(boolean limited) {
    return new BatchSize(limited ? FIRST_LIMITED : FIRST);
  }

  /** The number of entries of the next batch, 1 or more. */
  int rows() {
    return rows;
  }

  /** The number of batches that may be read at once; 1 until the size of the rows is known. */
  int ahead() {
    return rowBytes == 0 || rowBytes > BATCH_BYTES ? 1 : AHEAD;
  }

  /**
   * The rows of a batch have come.
   *
   * @param read those of the entries; null for a settled entry, which is kept instead
   */
  void came(List<KeyedRow> entries, @Nullable Result[] read) {
    long bytes = 0;
    int present = 0;
    boolean settled = true;
    for (int i = 0; i < read.length; i++) {
      Result row = read[i];
      settled &= row == null;
      long size = Result.getTotalSizeOfCells(row == null ? entries.get(i).result() : row);
      bytes += size;
      // A stale entry has no row, and says nothing of the size of the next ones.
      present += size > 0 ? 1 : 0;
    }
    if (present > 0) {
      rowBytes = Math.max(1, bytes / present);
    }
    int most = rowBytes == 0 ? MOST_UNKNOWN : settled ? MOST_SETTLED : MOST_ROWS;
    long fitting = rowBytes == 0 ? most : BATCH_BYTES / rowBytes;
    rows = (int) Math.max(1, Math.min(fitting, Math.min(most, (long) GROWTH * rows)));
  }
}
