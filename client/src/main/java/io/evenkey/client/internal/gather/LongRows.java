/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import io.evenkey.client.internal.future.Futures;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;

/**
 * Finds the region of a row of any length. HBase's client looks for it in meta at a key of the
 * table, the row and a time, which may be no longer than other rows: with a longer one it throws,
 * and whoever asks for the same row again waits for ever. The region of such a row is found among
 * all regions, which are in the cache then.
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
        : Futures.chain(locator.getAllRegionLocations(), cached -> locator.getRegionLocation(row));
  }
}
