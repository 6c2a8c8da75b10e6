/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import io.evenkey.client.internal.future.Futures;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Finds the region of a row of any length. HBase's client looks for it in meta at a key of the
 * table, the row and a time, which may be no longer than other rows: with a longer one it throws,
 * and a later request for the row waits for ever. The region of such a row is found among all
 * regions.
 */
final class LongRows {
  /** Two commas, and the digits of a time. */
  private static final int AROUND_ROW_IN_META = 2 + HConstants.NINES.length();

  /** Far from the limit, whatever the name of the table: a name is that of a directory. */
  private static final int SHORT = HConstants.MAX_ROW_LENGTH / 2;

  private LongRows() {}

  static CompletableFuture<HRegionLocation> location(AsyncTableRegionLocator locator, byte[] row) {
    if (row.length <= SHORT) {
      return locator.getRegionLocation(row);
    }
    int inMeta = locator.getName().getName().length + row.length + AROUND_ROW_IN_META;
    return inMeta <= HConstants.MAX_ROW_LENGTH
        ? locator.getRegionLocation(row)
        : Futures.chain(
            locator.getAllRegionLocations(), all -> locator.getRegionLocation(start(all, row)));
  }

  // HBase puts a location into its cache before it answers this question, and finds the row by it
  // then. All locations get there too, but maybe after they are answered.
  private static byte[] start(List<HRegionLocation> all, byte[] row) {
    return all.stream()
        .map(HRegionLocation::getRegion)
        .filter(region -> region.containsRow(row))
        .findFirst()
        .map(RegionInfo::getStartKey)
        .orElse(row);
  }
}
