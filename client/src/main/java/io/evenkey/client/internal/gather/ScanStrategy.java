/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * The way in which the ranges of one scan are read. It gives the rows in logical order as far as
 * they have come, to {@link Gather} and to {@link AsyncGather} alike. One thread at a time uses it;
 * {@link #awaits} may be called by any.
 */
sealed interface ScanStrategy permits Merge, PartsFirst, ServersFirst {
  /**
   * Decides how a scan is read, and asks no server yet.
   *
   * @throws IOException if further ranges have to be computed, and the scan cannot be had
   */
  static ScanStrategy of(ScanContext context, ScanRanges ranges, GatherOrder order)
      throws IOException {
    Gathering gathering = Gathering.of(context.table(), ranges.known(), order);
    if (gathering == Gathering.ON_SERVERS) {
      return new ServersFirst(context, ranges, order);
    }
    return ranges.hasRest() && gathering.isShortByClient()
        ? new PartsFirst(context, ranges, order)
        : new Merge(context, ranges.all(), order, gathering);
  }

  /** Sends the first requests. */
  void start();

  /**
   * The next row; null if there is none, or it has not come yet.
   *
   * @throws IOException if further ranges have to be computed, and the scan cannot be had
   */
  @Nullable Result next() throws IOException;

  /** Whether no row will come any more. */
  boolean isEnded();

  /**
   * Waits until there may be a row, after {@link #next} has given none.
   *
   * @param time for how long at most; null for no limit
   * @return whether region servers have answered, though perhaps without a row
   * @throws IOException if nothing has come by then
   */
  boolean await(TimedScanner.@Nullable Time time) throws IOException;

  /** Why what is waited for is asked for again; null if it is asked for the first time. */
  @Nullable Throwable survived();

  /** The merge that gives the rows now; null while region servers are asked for them. */
  @Nullable Merge merge();

  /** Whether the application waits for rows from now on: then it is not idle. */
  void awaits(boolean rows);

  /** No row shall come any more. */
  void end();

  /** Ends all scans of ranges. */
  void close();
}
