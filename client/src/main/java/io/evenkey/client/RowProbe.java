package io.evenkey.client;

import io.evenkey.client.table.Futures;
import java.io.IOException;
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
import org.jspecify.annotations.Nullable;

/** Looks at single rows of a table, as they are stored. As thread-safe as its connection. */
@FunctionalInterface
interface RowProbe {
  /** The first row from {@code row} on that the region of {@code row} has, or null. */
  byte @Nullable [] firstFrom(TableName table, byte[] row) throws IOException;

  /** Looks through a connection to which rows are what is stored. */
  static RowProbe through(Connection plain) {
    return (name, row) -> {
      try (RegionLocator regions = plain.getRegionLocator(name);
          Table table = plain.getTable(name);
          ResultScanner found = table.getScanner(scan(row, regions.getRegionLocation(row)))) {
        return rowOf(found.next());
      }
    };
  }

  /** Looks through a connection to which rows are what is stored. */
  static RowProbe through(AsyncConnection plain) {
    return (name, row) -> {
      HRegionLocation region = Futures.get(plain.getRegionLocator(name).getRegionLocation(row));
      var found = Futures.get(plain.getTable(name).scanAll(scan(row, region)));
      return found.isEmpty() ? null : rowOf(found.get(0));
    };
  }

  private static Scan scan(byte[] row, HRegionLocation region) {
    byte[] end = region.getRegion().getEndKey();
    return new Scan()
        .withStartRow(row)
        .withStopRow(end.length == 0 ? HConstants.EMPTY_END_ROW : end)
        .setFilter(new FirstKeyOnlyFilter())
        .setOneRowLimit();
  }

  private static byte @Nullable [] rowOf(@Nullable Result result) {
    return result == null ? null : result.getRow();
  }
}
