/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.route.Route;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;

/**
 * Finds the regions of a spread table's rows without waiting: as {@link LogicalRegionLocator}, rows
 * that are asked for are logical keys, and the regions are the physical ones. Thread-safe.
 */
public final class LogicalAsyncRegionLocator implements AsyncTableRegionLocator {
  private final AsyncTableRegionLocator locator;
  private final Route route;

  /** The plain locator, asked by logical keys. */
  public LogicalAsyncRegionLocator(AsyncTableRegionLocator locator, Route route) {
    this.locator = locator;
    this.route = route;
  }

  @Override
  public CompletableFuture<HRegionLocation> getRegionLocation(
      byte[] row, int replicaId, boolean reload) {
    return route.later(
        generation ->
            locator.getRegionLocation(
                LogicalRegionLocator.physical(generation.rows(), row), replicaId, reload));
  }

  @Override
  public CompletableFuture<List<HRegionLocation>> getRegionLocations(byte[] row, boolean reload) {
    return route.later(
        generation ->
            locator.getRegionLocations(
                LogicalRegionLocator.physical(generation.rows(), row), reload));
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
