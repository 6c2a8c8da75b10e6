/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.demo;

import io.evenkey.layout.Layout;
import java.util.OptionalInt;

/**
 * The parameters of the demonstration.
 *
 * @param layout the spread layout; the naive layout is the same without the spread
 * @param regions the number of regions of each table
 * @param windowRecords the number of records in one window of the skew
 */
record DemoPlan(Layout layout, int regions, int windowRecords) {
  /** With fewer records per region, random variation makes some regions look busier. */
  private static final int LEAST_RECORDS_PER_REGION = 1000;

  /** With fewer records per window, random variation does the same. */
  private static final int LEAST_RECORDS_PER_WINDOW = 300;

  /**
   * The number of windows during which a growing key fills one region. With enough windows, few of
   * them span the change to the next region, which would hide the hot region.
   */
  private static final int WINDOWS_PER_REGION = 8;

  private static final int USUAL_BUCKETS = 16;
  private static final int MOST_REGIONS = 64;

  static Layout spread(Layout plain, int servers) {
    // A multiple of the servers, so that each gets the same number of buckets.
    int perServer = (USUAL_BUCKETS + servers - 1) / servers;
    return Layout.parse("salt(" + perServer * servers + ") + " + plain);
  }

  static DemoPlan of(Layout layout, int records, int servers) {
    int most = Math.max(servers, Math.min(MOST_REGIONS, records / LEAST_RECORDS_PER_REGION));
    int regions = regions(layout.buckets(), servers, most);
    int window =
        Math.max(
            LEAST_RECORDS_PER_WINDOW,
            (records + regions * WINDOWS_PER_REGION - 1) / (regions * WINDOWS_PER_REGION));
    return new DemoPlan(layout, regions, window);
  }

  /** The number of regions, at most one per bucket, that is most even over the servers. */
  private static int regions(OptionalInt buckets, int servers, int most) {
    if (buckets.isEmpty()) {
      int perServer = Math.max(1, Math.min(most, USUAL_BUCKETS + servers - 1) / servers);
      return perServer * servers;
    }
    int best = 1;
    int bestBusiest = Integer.MAX_VALUE;
    for (int regions = 1; regions <= Math.min(most, buckets.getAsInt()); regions++) {
      int busiest = bucketsOfBusiestServer(buckets.getAsInt(), regions, servers);
      if (busiest <= bestBusiest) {
        best = regions;
        bestBusiest = busiest;
      }
    }
    return best;
  }

  // HBase gives every server the same number of regions of a new table, or one more, but assigns
  // them at random: one server may get all the larger ones.
  private static int bucketsOfBusiestServer(int buckets, int regions, int servers) {
    int regionsOfServer = (regions + servers - 1) / servers;
    int larger = Math.min(regionsOfServer, buckets % regions);
    return regionsOfServer * (buckets / regions) + larger;
  }

  /** The number of windows; the last window also takes the remainder. */
  int windows(int records) {
    return Math.max(1, records / windowRecords);
  }
}
