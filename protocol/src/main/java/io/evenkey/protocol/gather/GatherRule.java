/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.gather;

/**
 * The number of rows from which on a client reads the ranges of a scan itself, instead of asking
 * the region servers for its first rows. Measured; see decision 14. Stateless.
 */
public final class GatherRule {
  /** For more rows of each range, ranges that are read ahead at the same time are faster. */
  public static final int ROWS_A_RANGE = 20;

  /** A scan of as many ranges begins on the servers whatever its limit. */
  public static final int MANY_RANGES = 64;

  /** The most requests of one scan to each server; the last asks for twice as many rows. */
  public static final int REQUESTS = 2;

  /** A scan without a limit that reads no more slices than these begins on the servers. */
  public static final int FEW_SLICES = 4;

  private GatherRule() {}

  /** The most rows that the servers are asked for at first. */
  public static long mostRows(int ranges) {
    return Math.min(GatherRequest.MOST_ROWS, ROWS_A_RANGE * (long) ranges);
  }

  /**
   * Whether a scan is short: the servers gather its rows with one request to each.
   *
   * @param limit of the scan; 0 or less if it has none
   */
  public static boolean isShort(int ranges, long limit) {
    return ranges > 1 && limit > 0 && limit <= mostRows(ranges);
  }
}
