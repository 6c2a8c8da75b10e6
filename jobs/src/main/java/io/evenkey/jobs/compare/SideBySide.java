/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.compare;

import io.evenkey.client.SpreadTable;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.scatter.Scatter;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.jspecify.annotations.Nullable;

/**
 * Reads two tables in logical order, a row of one beside the same row of the other. Each row is
 * given to a visitor once. Not thread-safe.
 */
final class SideBySide {
  /** Ranges of a table that are read at once. */
  private static final int MOST_RANGES = 512;

  /** The number of rows that are read between two notes of the progress. */
  static final int NOTED_EVERY = 1_024;

  /** Looks at each row of either table. */
  interface Visitor {
    /**
     * A row.
     *
     * @param first the row of the first table; null if it has none
     * @param second the row of the second table; null if it has none
     * @return whether to read on
     */
    boolean row(byte[] key, @Nullable Result first, @Nullable Result second) throws IOException;

    /**
     * Called after every {@link #NOTED_EVERY} rows, and at the end.
     *
     * @param key the row that was visited last; empty if there was none
     * @return whether to read on
     */
    boolean some(byte[] key) throws IOException;
  }

  private final SpreadTable first;
  private final SpreadTable second;

  SideBySide(SpreadTable first, SpreadTable second) {
    this.first = first;
    this.second = second;
  }

  /** Whether both tables have an order, and few enough ranges to be read at once. */
  static boolean isPossible(SpreadTable first, SpreadTable second) {
    return isReadable(first) && isReadable(second);
  }

  private static boolean isReadable(SpreadTable table) {
    Scatter all = table.layout().scatter(KeyRange.all());
    return all.ordered() && all.ranges().size() <= MOST_RANGES;
  }

  /**
   * Reads to the end, or as far as the visitor goes on.
   *
   * @param after the logical key to begin after; empty for the beginning
   * @param all a scan without bounds that has the cells to read of each row
   * @return whether both tables were read to their ends
   */
  boolean read(byte[] after, Scan all, Visitor visitor) throws IOException {
    KeyRange range =
        after.length == 0 ? KeyRange.all() : KeyRange.of(KeyRange.successor(after), new byte[0]);
    byte[] key = after;
    int unnoted = 0;
    try (ResultScanner firsts = first.scan(range, all);
        ResultScanner seconds = second.scan(range, all)) {
      Result a = firsts.next();
      Result b = seconds.next();
      while (a != null || b != null) {
        int order = order(a, b);
        key = (order <= 0 ? a : b).getRow();
        if (!visitor.row(key, order <= 0 ? a : null, order >= 0 ? b : null)) {
          visitor.some(key);
          return false;
        }
        if (order <= 0) {
          a = firsts.next();
        }
        if (order >= 0) {
          b = seconds.next();
        }
        if (++unnoted == NOTED_EVERY) {
          unnoted = 0;
          if (!visitor.some(key)) {
            return false;
          }
        }
      }
    }
    return visitor.some(key);
  }

  private static int order(@Nullable Result a, @Nullable Result b) {
    if (a == null || b == null) {
      return a == null ? 1 : -1;
    }
    return Arrays.compareUnsigned(a.getRow(), b.getRow());
  }
}
