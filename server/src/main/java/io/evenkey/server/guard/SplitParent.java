/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Finds the region that was split into another one in hbase:meta. Stateless.
 *
 * <p>Rows there are in the order of tables, start keys and numbers of regions. Both halves have one
 * number, which is greater than that of the region before. So the row of that region is right
 * before that of the first half, and before that of the second half come the first half's, and
 * those that it was split into since then, which have greater numbers. At any other row there is no
 * such region, and the rows of the rest of the table need not be read.
 */
final class SplitParent {
  private static final int ROWS = 4;

  private SplitParent() {}

  /**
   * The record in hbase:meta of the region that was split into this one; null if there was none.
   */
  static @Nullable Result of(RegionInfo half, Connection connection) throws IOException {
    Scan scan =
        new Scan()
            .addFamily(HConstants.CATALOG_FAMILY)
            .withStartRow(half.getRegionName(), false)
            .withStopRow(Bytes.toBytes(half.getTable().getNameAsString() + ",,"))
            .setReversed(true)
            .setCaching(ROWS);
    try (Table meta = connection.getTable(TableName.META_TABLE_NAME);
        ResultScanner rows = meta.getScanner(scan)) {
      return of(half, rows);
    }
  }

  /**
   * The row of that region.
   *
   * @param backwards the rows of hbase:meta before that of the half, the last one first
   */
  static @Nullable Result of(RegionInfo half, Iterable<Result> backwards) {
    for (Result row : backwards) {
      if (half.equals(region(row, HConstants.SPLITA_QUALIFIER))
          || half.equals(region(row, HConstants.SPLITB_QUALIFIER))) {
        return row;
      }
      RegionInfo before = region(row, HConstants.REGIONINFO_QUALIFIER);
      if (before != null && !mayBeOther(half, before)) {
        return null;
      }
    }
    return null;
  }

  /** Whether a region may be the other half, or one that the other half was split into. */
  private static boolean mayBeOther(RegionInfo half, RegionInfo before) {
    return before.getRegionId() > half.getRegionId()
        || before.getRegionId() == half.getRegionId()
            && Arrays.equals(before.getEndKey(), half.getStartKey());
  }

  static @Nullable RegionInfo region(Result row, byte[] qualifier) {
    return RegionInfo.parseFromOrNull(row.getValue(HConstants.CATALOG_FAMILY, qualifier));
  }
}
