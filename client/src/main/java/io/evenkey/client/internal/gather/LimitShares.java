/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import org.apache.hadoop.hbase.client.Scan;

/**
 * The number of rows that a scan of {@code limit} rows requests of each of {@code ranges} ranges.
 * Rows fall into buckets as by chance, so that a range has about limit ÷ ranges of them; three
 * standard deviations of that (√ of the mean, as for any such count) are added, and the few ranges
 * that hold even more are asked again, for twice as many each time. Not thread-safe.
 */
final class LimitShares {
  private final long limit;
  private long next;

  /** Whether a scan gives rows whole, so that a server counts them as its client does. */
  static boolean countRows(Scan scan) {
    return scan.getBatch() <= 0 && !scan.getAllowPartialResults();
  }

  LimitShares(long limit, int ranges) {
    this.limit = limit;
    double mean = (double) limit / ranges;
    this.next = Math.min(limit, (long) Math.ceil(mean + 3 * Math.sqrt(mean)));
  }

  /** The size of the next portion after this many rows of the range, or 0 if it needs no more. */
  int next(long rowsSoFar) {
    long portion = Math.min(next, limit - rowsSoFar);
    next = Math.min(limit, 2 * next);
    return (int) Math.max(0, Math.min(Integer.MAX_VALUE, portion));
  }
}
