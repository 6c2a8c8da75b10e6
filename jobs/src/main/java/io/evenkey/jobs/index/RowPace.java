/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the threads that read the rows of a table, to fill an index or to compare it, to a number
 * of rows a second, together. Thread-safe.
 */
final class RowPace {
  private final double rowsPerSecond;
  private final double nanosPerRow;
  private long due = System.nanoTime();

  /**
   * @param rowsPerSecond 0 for no limit
   */
  RowPace(double rowsPerSecond) {
    this.rowsPerSecond = rowsPerSecond;
    this.nanosPerRow = rowsPerSecond == 0 ? 0 : 1e9 / rowsPerSecond;
  }

  /** 0 for no limit. */
  double rowsPerSecond() {
    return rowsPerSecond;
  }

  /** Waits until some more rows may be worked on. */
  void await(int rows) throws InterruptedIOException {
    if (nanosPerRow > 0) {
      try {
        TimeUnit.NANOSECONDS.sleep(next(rows));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while the pace of an index was kept");
      }
    }
  }

  private synchronized long next(int rows) {
    long now = System.nanoTime();
    due = Math.max(due, now) + (long) (rows * nanosPerRow);
    return due - now;
  }
}
