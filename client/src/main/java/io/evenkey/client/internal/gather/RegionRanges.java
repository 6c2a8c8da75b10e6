/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.layout.bytes.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.jspecify.annotations.Nullable;

/**
 * Physical ranges, cut at the borders of regions and put together by region server, by the
 * locations that the client has in its caches. A region is looked up once for all ranges in it. Not
 * thread-safe.
 */
final class RegionRanges {
  /**
   * The ranges in one region, which follow each other.
   *
   * @param first the place of the first of them among all ranges
   */
  record InRegion(RegionInfo region, int first, List<KeyRange> ranges) {
    /** Some of these ranges. */
    InRegion part(int from, int to) {
      return new InRegion(region, first + from, ranges.subList(from, to));
    }
  }

  /**
   * Ranges by server.
   *
   * @param servers for each server, the ranges in each of its regions
   * @param regions the regions that were known, and those that were looked up
   */
  record ByServer(Map<String, List<InRegion>> servers, RegionMap regions) {}

  private final AsyncTableRegionLocator locator;
  private final RegionMap known;
  private final List<KeyRange> ranges;
  private final List<HRegionLocation> found = new ArrayList<>();
  private final Map<String, List<InRegion>> servers = new LinkedHashMap<>();
  private final CompletableFuture<ByServer> result = new CompletableFuture<>();
  private int next;
  private @Nullable KeyRange rest;
  private @Nullable InRegion region;

  private RegionRanges(AsyncTableRegionLocator locator, RegionMap known, List<KeyRange> ranges) {
    this.locator = locator;
    this.known = known;
    this.ranges = ranges;
  }

  /**
   * Cuts ranges.
   *
   * @param locator finds regions that are not known
   * @param ranges in ascending order
   */
  static CompletableFuture<ByServer> byServer(
      AsyncTableRegionLocator locator, RegionMap known, List<KeyRange> ranges) {
    RegionRanges cut = new RegionRanges(locator, known, ranges);
    cut.run();
    return cut.result;
  }

  // Without recursion while locations are in the cache: there may be thousands of ranges.
  private void run() {
    try {
      while (rest != null || next < ranges.size()) {
        KeyRange range = rest == null ? ranges.get(next++) : rest;
        rest = range;
        InRegion here = region;
        if (here == null || !contains(here.region(), range.start())) {
          HRegionLocation place = known.of(range.start());
          if (place == null) {
            CompletableFuture<HRegionLocation> location = LongRows.location(locator, range.start());
            if (!location.isDone() || location.isCompletedExceptionally()) {
              Futures.whenDone(location, result, this::located);
              return;
            }
            place = location.join();
            found.add(place);
          }
          here = enter(place);
        }
        rest = take(here, range);
      }
      result.complete(new ByServer(servers, found.isEmpty() ? known : known.with(found)));
    } catch (Throwable e) {
      result.completeExceptionally(e);
    }
  }

  private void located(HRegionLocation location, @Nullable Throwable error) {
    if (error != null) {
      result.completeExceptionally(error);
      return;
    }
    found.add(location);
    enter(location);
    run();
  }

  private InRegion enter(HRegionLocation location) {
    if (location.getServerName() == null) {
      throw new IllegalStateException("region is on no server: " + location.getRegion());
    }
    InRegion entered = new InRegion(location.getRegion(), next - 1, new ArrayList<>());
    servers
        .computeIfAbsent(location.getServerName().getServerName(), name -> new ArrayList<>())
        .add(entered);
    region = entered;
    return entered;
  }

  private static boolean contains(RegionInfo region, byte[] row) {
    byte[] start = region.getStartKey();
    byte[] end = region.getEndKey();
    return Arrays.compareUnsigned(row, start) >= 0
        && (end.length == 0 || Arrays.compareUnsigned(row, end) < 0);
  }

  /** Adds the part of a range that is in a region; the rest of it, or null. */
  private static @Nullable KeyRange take(InRegion here, KeyRange range) {
    byte[] end = here.region().getEndKey();
    if (end.length == 0
        || (!range.isOpenEnded() && Arrays.compareUnsigned(range.stop(), end) <= 0)) {
      here.ranges().add(range);
      return null;
    }
    here.ranges().add(KeyRange.of(range.start(), end));
    return KeyRange.of(end, range.stop());
  }
}
