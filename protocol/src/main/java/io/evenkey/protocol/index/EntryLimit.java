/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

/** The number of entries that one scan of a read with a limit takes. Stateless. */
public final class EntryLimit {
  /** The further a scan is behind the first one, the more it takes; up to a thousand times. */
  private static final int MOST_DOUBLINGS = 10;

  private EntryLimit() {}

  /**
   * The number of entries to read at first for a number of rows: an eighth more and four, since
   * some may be without their row.
   */
  public static int of(int rows) {
    return after(0, rows);
  }

  /**
   * The number of entries to read for the rest of the rows, when the scans before gave too few.
   * Each scan takes twice as many as the one before, because entries without their row may come in
   * long runs.
   *
   * @param scans the number of scans before
   * @param rows the number of rows that are still wanted
   */
  public static int after(int scans, int rows) {
    long first = rows + rows / 8L + 4;
    return (int) Math.min(Integer.MAX_VALUE, first << Math.min(scans, MOST_DOUBLINGS));
  }
}
