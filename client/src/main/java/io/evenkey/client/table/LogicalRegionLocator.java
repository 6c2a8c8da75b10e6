package io.evenkey.client.table;

import io.evenkey.client.row.RowMapping;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionLocator;

/**
 * Where the rows of a spread table are. Rows that are asked for are logical keys; the regions, with
 * their start and end keys, are the physical ones: a region holds many short stretches of the
 * logical order, and no two logical keys could say which.
 */
public final class LogicalRegionLocator implements RegionLocator {
  private final RegionLocator locator;
  private final RowMapping rows;

  private LogicalRegionLocator(RegionLocator locator, RowMapping rows) {
    this.locator = locator;
    this.rows = rows;
  }

  /** The plain locator, asked by logical keys. */
  public static RegionLocator of(RegionLocator locator, RowMapping rows) {
    return new LogicalRegionLocator(locator, rows);
  }

  /** The stored row to ask for; the empty one, as everywhere in HBase, is the first region's. */
  public static byte[] physical(RowMapping rows, byte[] row) {
    return row.length == 0 ? row : rows.physical(row);
  }

  @Override
  public HRegionLocation getRegionLocation(byte[] row, int replicaId, boolean reload)
      throws IOException {
    return locator.getRegionLocation(physical(rows, row), replicaId, reload);
  }

  @Override
  public List<HRegionLocation> getRegionLocations(byte[] row, boolean reload) throws IOException {
    return locator.getRegionLocations(physical(rows, row), reload);
  }

  @Override
  public List<HRegionLocation> getAllRegionLocations() throws IOException {
    return locator.getAllRegionLocations();
  }

  @Override
  public void clearRegionLocationCache() {
    locator.clearRegionLocationCache();
  }

  @Override
  public TableName getName() {
    return locator.getName();
  }

  @Override
  public void close() throws IOException {
    locator.close();
  }
}
