/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.Scan;

/**
 * The number of regions that some ranges are in, and of the region servers that have them.
 *
 * @param regions the number of regions
 * @param servers the number of region servers
 */
public record ScannedRegions(int regions, int servers) {
  /**
   * Counts by the locations that the client has in its cache; looks up the others.
   *
   * @param scans one for each range, in ascending order of the ranges
   * @throws IOException if a region cannot be looked up
   */
  public static ScannedRegions of(AsyncTableRegionLocator locator, List<Scan> scans)
      throws IOException {
    Map<String, List<RegionRanges.InRegion>> servers =
        Futures.get(RegionRanges.byServer(locator, RegionMap.EMPTY, ranges(scans))).servers();
    int regions = 0;
    for (List<RegionRanges.InRegion> here : servers.values()) {
      regions += here.size();
    }
    return new ScannedRegions(regions, servers.size());
  }

  /** The ranges of scans of one direction. */
  public static List<KeyRange> ranges(List<Scan> scans) {
    List<KeyRange> ranges = new ArrayList<>(scans.size());
    for (Scan scan : scans) {
      ranges.add(
          scan.isReversed()
              ? KeyRange.of(scan.getStopRow(), scan.getStartRow())
              : KeyRange.of(scan.getStartRow(), scan.getStopRow()));
    }
    return ranges;
  }
}
