/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * Counts rows up to a limit. A large row may come in several pieces, and counts once; its last
 * piece can say that there may be more, if a filter then keeps the rest. Not thread-safe.
 */
final class RowLimit {
  private long rowsLeft;
  private @Nullable Result unfinished;

  RowLimit(long rows) {
    this.rowsLeft = rows;
  }

  /** Whether no piece of any row can be admitted any more. */
  boolean isReached() {
    return rowsLeft == 0 && unfinished == null;
  }

  /** No further row, and no rest of one. */
  void end() {
    rowsLeft = 0;
    unfinished = null;
  }

  /** Whether the next piece is still within the limit; if not, the limit is reached. */
  boolean admits(Result piece) {
    Result before = unfinished;
    boolean sameRow =
        before != null && CellUtil.matchingRows(before.rawCells()[0], piece.rawCells()[0]);
    if (!sameRow) {
      if (rowsLeft == 0) {
        unfinished = null;
        return false;
      }
      rowsLeft--;
    }
    unfinished = piece.mayHaveMoreCellsInRow() ? piece : null;
    return true;
  }
}
