/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.QueryMetricsSetting;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.jspecify.annotations.Nullable;

/**
 * The progress of the scan of one range, and the scan of its rest after a failure.
 *
 * <p>HBase's asynchronous scanner keeps asking the server at which it opened a scan, and gives up
 * if that does not come back. Then the rest of the range is scanned again, from behind the last
 * cell that came, wherever it is by then. Not thread-safe.
 */
final class RangeProgress {
  /** The most scans of a range in a row that bring no cell. */
  private static final int MOST_FAILURES = 15;

  private final Scan scan;
  private @Nullable Result last;
  private long rows;
  private int failures;
  private boolean resumed;

  /** The progress of a scan that has not begun. */
  RangeProgress(Scan scan) {
    this.scan = scan;
  }

  /**
   * Takes note of what came.
   *
   * @return the new cells of the row; null if it has none
   */
  @Nullable Result note(Result result) {
    Result before = last;
    boolean sameRow = isSameRow(before, result);
    Result fresh = sameRow && resumed ? behind(before, result) : result;
    if (fresh != null) {
      rows += sameRow ? 0 : 1;
      last = fresh;
      failures = 0;
      resumed &= sameRow;
    }
    return fresh;
  }

  private boolean isSameRow(@Nullable Result before, Result result) {
    // Otherwise this is another row, and there is no need to look.
    return before != null
        && (resumed || before.mayHaveMoreCellsInRow())
        && CellUtil.matchingRows(before.rawCells()[0], result.rawCells()[0]);
  }

  private static @Nullable Result behind(@Nullable Result before, Result result) {
    if (before == null) {
      return result;
    }
    CellComparator order = CellComparator.getInstance();
    Cell[] had = before.rawCells();
    Cell lastCell = had[had.length - 1];
    Cell[] cells = result.rawCells();
    if (order.compare(cells[0], lastCell) > 0) {
      return result;
    }
    List<Cell> fresh = new ArrayList<>();
    for (Cell cell : cells) {
      if (order.compare(cell, lastCell) > 0) {
        fresh.add(cell);
      }
    }
    return fresh.isEmpty()
        ? null
        : QueryMetricsSetting.copy(
            result, Result.create(fresh, null, result.isStale(), result.mayHaveMoreCellsInRow()));
  }

  /** Whether it is worth going on after a failure. */
  boolean survives(Throwable failure) {
    return DoNotRetry.unwrapped(failure) instanceof IOException
        && DoNotRetry.in(failure) == null
        && ++failures <= MOST_FAILURES;
  }

  /** The row from which it continues: the row that came last, or the first of the scan. */
  byte[] position() {
    Result before = last;
    return before == null ? scan.getStartRow() : before.getRow();
  }

  /** The number of rows that have come, or begun to come. */
  long rows() {
    return rows;
  }

  /**
   * The scan of what has not come yet, or null if all has that may.
   *
   * @param most the most further rows to ask for, or 0 for all
   */
  @Nullable Scan rest(int most) throws IOException {
    Result before = last;
    resumed = before != null;
    boolean unfinished = before != null && before.mayHaveMoreCellsInRow();
    long left = most > 0 ? most : Integer.MAX_VALUE;
    if (scan.getLimit() > 0) {
      left = Math.min(left, scan.getLimit() - rows);
    }
    // The row that has not come whole comes again, and counts again.
    left += unfinished ? 1 : 0;
    if (left <= 0) {
      return null;
    }
    Scan rest = new Scan(scan);
    if (left < Integer.MAX_VALUE) {
      rest.setLimit((int) left);
    }
    return before == null ? rest : rest.withStartRow(before.getRow(), unfinished);
  }
}
