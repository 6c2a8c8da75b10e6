/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

/**
 * How many entries the scan of a limited read requests, given that some entries may have no row.
 * Stateless.
 */
public final class EntryLimit {
  /** The further a scan is behind the first one, the more it takes; up to a thousand times. */
  private static final int MOST_DOUBLINGS = 10;

  private EntryLimit() {}

  /** Returns the number of entries to read first: the number of rows, plus an eighth and four. */
  public static int of(int rows) {
    return after(0, rows);
  }

  /**
   * Returns the number of entries to read next, when earlier scans yielded too few rows. Each scan
   * takes twice as many as the one before, because entries without rows can come in long runs.
   *
   * @param scans the number of earlier scans
   * @param rows the number of rows still wanted
   */
  public static int after(int scans, int rows) {
    long first = rows + rows / 8L + 4;
    return (int) Math.min(Integer.MAX_VALUE, first << Math.min(scans, MOST_DOUBLINGS));
  }
}
