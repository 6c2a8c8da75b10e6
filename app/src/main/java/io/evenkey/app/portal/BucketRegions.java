/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.portal;

import io.evenkey.client.plan.NewTable;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Cuts a spread table that has too few regions between its buckets, while clients use it. A region
 * with several cuts is split at the one in the middle; HBase has to compact both halves before they
 * can be split again. What is done already is not done again. Not thread-safe.
 */
final class BucketRegions {
  private static final long PAUSE_MS = 500;
  private static final long SPLIT_SECONDS = 120;
  private static final long STANDSTILL_NANOS = TimeUnit.MINUTES.toNanos(15);

  private final Connection plain;
  private final TableName table;
  private final Layout layout;

  /**
   * @param table the physical table
   */
  BucketRegions(Connection plain, TableName table, Layout layout) {
    this.plain = plain;
    this.table = table;
    this.layout = layout;
  }

  /** Called after each split with the number of cuts that are made. */
  @FunctionalInterface
  interface Progress {
    /** So many of all. */
    void made(int cuts, int all);
  }

  /** Where the table has to be cut, in order; nowhere if it has its regions. */
  List<byte[]> missing() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return missing(admin);
    }
  }

  private List<byte[]> missing(Admin admin) throws IOException {
    List<RegionInfo> regions = admin.getRegions(table);
    Set<String> starts = new HashSet<>();
    regions.forEach(region -> starts.add(Bytes.toHex(region.getStartKey())));
    int servers = admin.getRegionServers().size();
    int wanted = NewTable.spreadRegions(layout, regions.size(), servers);
    return layout.spread().width() == 0 || wanted < 2
        ? List.of()
        : layout.splits(wanted).keys().stream()
            .filter(key -> !starts.contains(Bytes.toHex(key)))
            .toList();
  }

  /**
   * Cuts, and distributes the regions over the servers.
   *
   * @return the number of cuts
   * @throws IOException if HBase is not to split regions of the table, or does not get on
   */
  int make(Progress progress) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      if (!admin.isSplitEnabled() || !admin.getDescriptor(table).isSplitEnabled()) {
        throw new IOException(
            "regions may not be split: table="
                + table
                + "; switch splits on (HBase's shell: splitormerge_switch 'SPLIT', true; alter"
                + " SPLIT_ENABLED)");
      }
      List<byte[]> cuts = missing(admin);
      int left = cuts.size();
      long lastNanos = System.nanoTime();
      while (left > 0) {
        progress.made(cuts.size() - left, cuts.size());
        Map<RegionInfo, byte[]> middles = middles(admin.getRegions(table), cuts);
        split(admin, middles);
        int now = left(admin.getRegions(table), cuts);
        lastNanos = now < left ? System.nanoTime() : lastNanos;
        left = now;
        if (System.nanoTime() - lastNanos > STANDSTILL_NANOS) {
          throw new IOException(
              "regions were not split: table="
                  + table
                  + " missing="
                  + left
                  + "; HBase's log says why; begin again, which goes on from here");
        }
      }
      progress.made(cuts.size(), cuts.size());
      distribute(admin);
      return cuts.size();
    }
  }

  private static int left(List<RegionInfo> regions, List<byte[]> cuts) {
    return (int)
        cuts.stream()
            .filter(cut -> regions.stream().noneMatch(r -> Arrays.equals(r.getStartKey(), cut)))
            .count();
  }

  private static Map<RegionInfo, byte[]> middles(List<RegionInfo> regions, List<byte[]> cuts) {
    Map<RegionInfo, byte[]> middles = new HashMap<>();
    for (RegionInfo region : regions) {
      List<byte[]> within =
          cuts.stream()
              .filter(cut -> region.containsRow(cut) && !Arrays.equals(region.getStartKey(), cut))
              .toList();
      if (!within.isEmpty()) {
        middles.put(region, within.get(within.size() / 2));
      }
    }
    return middles;
  }

  private static void split(Admin admin, Map<RegionInfo, byte[]> middles) throws IOException {
    List<Future<Void>> splits = new ArrayList<>();
    for (Map.Entry<RegionInfo, byte[]> split : middles.entrySet()) {
      try {
        splits.add(admin.splitRegionAsync(split.getKey().getRegionName(), split.getValue()));
      } catch (IOException e) {
        // It moves, or has references to files of a split before: the next round tries again.
      }
    }
    try {
      boolean failed = splits.size() < middles.size();
      for (Future<Void> split : splits) {
        try {
          split.get(SPLIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
          failed = true;
        }
      }
      if (failed) {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while regions were split");
    }
  }

  /** Moves regions from the server with the most of the table to that with the fewest. */
  private void distribute(Admin admin) throws IOException {
    Map<ServerName, List<RegionInfo>> held = new HashMap<>();
    admin.getRegionServers().forEach(server -> held.put(server, new ArrayList<>()));
    try (RegionLocator locator = plain.getRegionLocator(table)) {
      locator.clearRegionLocationCache();
      for (HRegionLocation at : locator.getAllRegionLocations()) {
        held.computeIfAbsent(at.getServerName(), name -> new ArrayList<>()).add(at.getRegion());
      }
    }
    for (int moves = held.values().stream().mapToInt(List::size).sum(); moves > 0; moves--) {
      ServerName most = null;
      ServerName fewest = null;
      for (ServerName server : held.keySet()) {
        most = most == null || count(held, server) > count(held, most) ? server : most;
        fewest = fewest == null || count(held, server) < count(held, fewest) ? server : fewest;
      }
      if (most == null || fewest == null || count(held, most) - count(held, fewest) < 2) {
        return;
      }
      List<RegionInfo> movable = Objects.requireNonNull(held.get(most));
      RegionInfo region = movable.remove(movable.size() - 1);
      try {
        admin.move(region.getEncodedNameAsBytes(), fewest);
      } catch (DoNotRetryIOException e) {
        // Servers of another group, or one that has just gone: the balancer does it.
        return;
      }
      Objects.requireNonNull(held.get(fewest)).add(region);
    }
  }

  private static int count(Map<ServerName, List<RegionInfo>> held, ServerName server) {
    return held.getOrDefault(server, List.of()).size();
  }
}
