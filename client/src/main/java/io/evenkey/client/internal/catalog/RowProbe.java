/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.catalog;

import io.evenkey.client.internal.future.Futures;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;

/** Looks at some rows of a table, as they are stored. As thread-safe as its connection. */
@FunctionalInterface
public interface RowProbe {
  /**
   * The first rows from {@code row} on that the region of {@code row} has, {@code most} at most.
   */
  List<byte[]> from(TableName table, byte[] row, int most) throws IOException;

  /** Looks through a connection to which rows are what is stored. */
  static RowProbe through(Connection plain) {
    return (name, row, most) -> {
      try (RegionLocator regions = plain.getRegionLocator(name);
          Table table = plain.getTable(name);
          ResultScanner found = table.getScanner(scan(row, regions.getRegionLocation(row), most))) {
        return rows(Arrays.asList(found.next(most)));
      }
    };
  }

  /** Looks through a connection to which rows are what is stored. */
  static RowProbe through(AsyncConnection plain) {
    return (name, row, most) -> {
      HRegionLocation region = Futures.get(plain.getRegionLocator(name).getRegionLocation(row));
      return rows(Futures.get(plain.getTable(name).scanAll(scan(row, region, most))));
    };
  }

  private static Scan scan(byte[] row, HRegionLocation region, int most) {
    byte[] end = region.getRegion().getEndKey();
    Scan scan =
        new Scan()
            .withStartRow(row)
            .withStopRow(end.length == 0 ? HConstants.EMPTY_END_ROW : end)
            .setFilter(new FirstKeyOnlyFilter());
    return most == 1 ? scan.setOneRowLimit() : scan.setLimit(most);
  }

  private static List<byte[]> rows(List<Result> results) {
    return results.stream().map(Result::getRow).toList();
  }
}
