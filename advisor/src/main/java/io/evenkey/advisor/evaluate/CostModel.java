/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.evaluate;

import io.evenkey.protocol.gather.GatherRule;
import org.jspecify.annotations.Nullable;

/**
 * The costs of reading from a cluster. Immutable.
 *
 * @param queryMs a query, whatever it reads: the way to a server and back
 * @param requestMs a request to a region server, until its first row
 * @param rangeMs a range of a request that the servers' module answers for many ranges; null if the
 *     servers do not have it, so that each range is a request
 * @param rowMs a row gone through
 * @param backwards the time of a row that is read from the last to the first, forwards = 1
 */
public record CostModel(
    double queryMs, double requestMs, @Nullable Double rangeMs, double rowMs, double backwards) {
  /**
   * Measured on the embedded HBase (docs/benchmarks-limits.md): a request 35 µs of a core on each
   * side, a range on the server 10 µs, a million rows a second, reversed scans a fifth of that
   * through Evenkey. A round trip in a data centre takes half a millisecond.
   */
  public static final CostModel USUAL = new CostModel(0.5, 0.07, 0.01, 0.001, 5);

  /**
   * One read of a query.
   *
   * @param ranges the ranges that it opens
   * @param servers the region servers that have them
   * @param rows the rows that the servers go through
   * @param limit the rows that end it; 0 if it reads all
   * @param reversed whether it reads from the last row to the first
   */
  record Read(int ranges, int servers, double rows, long limit, boolean reversed) {}

  /** A row read by its key, of many in a request, as a multiple of one gone through in order. */
  private static final double ROW_BY_KEY = 10;

  /**
   * The milliseconds in which rows of a table are read by their keys, in batches for each server.
   */
  public double fetching(double rows, int servers) {
    return rows == 0
        ? 0
        : queryMs + Math.min(rows, servers) * requestMs + rows * rowMs * ROW_BY_KEY;
  }

  double cost(Read read) {
    return queryMs + opening(read) + read.rows * rowMs * (read.reversed ? backwards : 1);
  }

  private double opening(Read read) {
    Double range = rangeMs;
    return range != null && GatherRule.isShort(read.ranges, read.limit)
        ? Math.min(read.ranges, read.servers) * requestMs + read.ranges * range
        : read.ranges * requestMs;
  }
}
