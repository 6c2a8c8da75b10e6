package io.evenkey.client.table;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;

/**
 * Where the rows of a spread table are, asked without waiting: as {@link LogicalRegionLocator},
 * rows that are asked for are logical keys, and the regions are the physical ones. Thread-safe.
 */
public final class LogicalAsyncRegionLocator implements AsyncTableRegionLocator {
  private final AsyncTableRegionLocator locator;
  private final LateRows late;

  /** The plain locator, asked by logical keys. */
  public LogicalAsyncRegionLocator(AsyncTableRegionLocator locator, LateRows late) {
    this.locator = locator;
    this.late = late;
  }

  @Override
  public CompletableFuture<HRegionLocation> getRegionLocation(
      byte[] row, int replicaId, boolean reload) {
    return late.then(
        rows ->
            locator.getRegionLocation(LogicalRegionLocator.physical(rows, row), replicaId, reload));
  }

  @Override
  public CompletableFuture<List<HRegionLocation>> getRegionLocations(byte[] row, boolean reload) {
    return late.then(
        rows -> locator.getRegionLocations(LogicalRegionLocator.physical(rows, row), reload));
  }

  @Override
  public CompletableFuture<List<HRegionLocation>> getAllRegionLocations() {
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
}
