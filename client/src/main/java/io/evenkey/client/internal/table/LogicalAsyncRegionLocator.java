/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.route.Route;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.jspecify.annotations.Nullable;

/**
 * Finds the regions of a spread table's rows without waiting: as {@link LogicalRegionLocator}, rows
 * that are asked for are logical keys, and the regions are the physical ones of the generation in
 * use. Thread-safe.
 */
public final class LogicalAsyncRegionLocator implements AsyncTableRegionLocator {
  private final Route route;
  private final Function<Generation, AsyncTableRegionLocator> locators;

  /**
   * A locator that is asked by logical keys.
   *
   * @param locators HBase's own of a generation
   */
  public LogicalAsyncRegionLocator(
      Route route, Function<Generation, AsyncTableRegionLocator> locators) {
    this.route = route;
    this.locators = locators;
  }

  @Override
  public CompletableFuture<HRegionLocation> getRegionLocation(
      byte[] row, int replicaId, boolean reload) {
    return route.later(
        generation ->
            locators
                .apply(generation)
                .getRegionLocation(
                    LogicalRegionLocator.physical(generation, row), replicaId, reload));
  }

  @Override
  public CompletableFuture<List<HRegionLocation>> getRegionLocations(byte[] row, boolean reload) {
    return route.later(
        generation ->
            locators
                .apply(generation)
                .getRegionLocations(LogicalRegionLocator.physical(generation, row), reload));
  }

  @Override
  public CompletableFuture<List<HRegionLocation>> getAllRegionLocations() {
    return route.later(generation -> locators.apply(generation).getAllRegionLocations());
  }

  /** Clears the cache of the active generation, if it is known; asks no server. */
  @Override
  public void clearRegionLocationCache() {
    Generation known = known();
    if (known != null) {
      locators.apply(known).clearRegionLocationCache();
    }
  }

  /** The name of the generation, as far as it is known. */
  @Override
  public TableName getName() {
    Generation known = known();
    return known == null ? route.table() : known.physical();
  }

  private @Nullable Generation known() {
    CompletableFuture<Generation> found = route.find();
    return found.isCompletedExceptionally() ? null : found.getNow(null);
  }
}
