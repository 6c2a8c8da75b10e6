package io.evenkey.client.gather;

import io.evenkey.layout.bytes.KeyRange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Physical ranges, cut at the borders of regions and put together by region server, by the
 * locations that the client has in its cache.
 */
final class RegionRanges {
  /** The ranges in one region. */
  record InRegion(RegionInfo region, List<KeyRange> ranges) {}

  private RegionRanges() {}

  /** For each server, the ranges in each of its regions. */
  static CompletableFuture<Map<String, List<InRegion>>> byServer(
      AsyncTableRegionLocator locator, List<KeyRange> ranges) {
    List<CompletableFuture<List<Located>>> all = new ArrayList<>();
    for (KeyRange range : ranges) {
      all.add(locate(locator, range, new ArrayList<>()));
    }
    return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]))
        .thenApply(
            done -> {
              Map<String, Map<String, InRegion>> servers = new LinkedHashMap<>();
              for (CompletableFuture<List<Located>> one : all) {
                for (Located located : one.join()) {
                  servers
                      .computeIfAbsent(located.server(), name -> new LinkedHashMap<>())
                      .computeIfAbsent(
                          located.region().getEncodedName(),
                          name -> new InRegion(located.region(), new ArrayList<>()))
                      .ranges()
                      .add(located.range());
                }
              }
              Map<String, List<InRegion>> result = new LinkedHashMap<>();
              servers.forEach(
                  (server, regions) -> result.put(server, List.copyOf(regions.values())));
              return result;
            });
  }

  private record Located(String server, RegionInfo region, KeyRange range) {}

  private static CompletableFuture<List<Located>> locate(
      AsyncTableRegionLocator locator, KeyRange range, List<Located> found) {
    return locator
        .getRegionLocation(range.start())
        .thenCompose(
            location -> {
              RegionInfo region = location.getRegion();
              KeyRange inside = KeyRange.of(region.getStartKey(), region.getEndKey());
              found.add(new Located(server(location), region, range.intersection(inside)));
              KeyRange rest =
                  inside.isOpenEnded()
                      ? KeyRange.none()
                      : range.intersection(KeyRange.of(inside.stop(), new byte[0]));
              return rest.isEmpty()
                  ? CompletableFuture.completedFuture(found)
                  : locate(locator, rest, found);
            });
  }

  private static String server(HRegionLocation location) {
    if (location.getServerName() == null) {
      throw new IllegalStateException("region is on no server: " + location.getRegion());
    }
    return location.getServerName().getServerName();
  }
}
