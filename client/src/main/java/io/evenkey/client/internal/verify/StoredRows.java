/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.verify;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.util.Pair;

/**
 * Some rows of a table as they are stored, from the beginning of its regions, or of 256 of them,
 * evenly over the table. Immutable, but for the arrays.
 *
 * @param rows in the order in which they are stored
 * @param regions the number of the table's regions
 * @param looked into how many of these was looked
 * @param firstMs the least timestamp of a cell that was read; 0 without rows
 * @param lastMs the greatest one
 */
public record StoredRows(List<byte[]> rows, int regions, int looked, long firstMs, long lastMs) {
  /** Regions that are looked into at most: evenly over the table. */
  private static final int MOST_REGIONS = 256;

  /** Copies the list. */
  public StoredRows {
    rows = List.copyOf(rows);
  }

  /**
   * Reads about {@code count} rows: as many of each region that is looked into, at least one, and
   * less where it has less.
   *
   * @param plain a connection to which rows are what is stored
   */
  public static StoredRows of(Connection plain, TableName name, int count) throws IOException {
    List<byte[]> rows = new ArrayList<>();
    LongSummaryStatistics timestamps = new LongSummaryStatistics();
    try (RegionLocator locator = plain.getRegionLocator(name);
        Table table = plain.getTable(name)) {
      Pair<byte[][], byte[][]> keys = locator.getStartEndKeys();
      int regions = keys.getFirst().length;
      int looked = Math.min(regions, MOST_REGIONS);
      int each = (count + looked - 1) / looked;
      for (int i = 0; i < looked; i++) {
        int region = (int) ((long) regions * i / looked);
        read(table, keys.getFirst()[region], keys.getSecond()[region], each, rows, timestamps);
      }
      boolean isEmpty = rows.isEmpty();
      return new StoredRows(
          rows,
          regions,
          looked,
          isEmpty ? 0 : timestamps.getMin(),
          isEmpty ? 0 : timestamps.getMax());
    }
  }

  private static void read(
      Table table,
      byte[] start,
      byte[] stop,
      int limit,
      List<byte[]> into,
      LongSummaryStatistics timestamps)
      throws IOException {
    Scan scan =
        new Scan()
            .withStartRow(start)
            .withStopRow(stop)
            .setLimit(limit)
            .setFilter(new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter()));
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        into.add(row.getRow());
        timestamps.accept(row.rawCells()[0].getTimestamp());
      }
    }
  }
}
