/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.split;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;

/** Splits regions of a table, and distributes them, while clients use it. Stateless. */
public final class RegionSplits {
  private static final long PAUSE_MS = 500;
  private static final long SPLIT_SECONDS = 120;

  private RegionSplits() {}

  /** Whether HBase is to split regions of the table when it is asked to. */
  public static boolean areAllowed(Admin admin, TableName table) throws IOException {
    return admin.isSplitEnabled() && admin.getDescriptor(table).isSplitEnabled();
  }

  /**
   * Splits each region once, all at the same time, and waits for them. Some may stay whole: they
   * are being moved, or have references to files of a split before. The caller looks, and tries
   * again; this pauses if there was one.
   *
   * @param at where each region is to be split
   */
  public static void make(Admin admin, Map<RegionInfo, byte[]> at) throws IOException {
    List<Future<Void>> splits = new ArrayList<>();
    boolean failed = false;
    for (Map.Entry<RegionInfo, byte[]> split : at.entrySet()) {
      try {
        splits.add(admin.splitRegionAsync(split.getKey().getRegionName(), split.getValue()));
      } catch (IOException e) {
        failed = true;
      }
    }
    try {
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

  /**
   * Moves regions from the server with the most of the table to the one with the fewest, until they
   * differ by one.
   *
   * @param movable the regions that may be moved; the others count, and stay
   */
  public static void distribute(
      Connection plain, Admin admin, TableName table, Predicate<RegionInfo> movable)
      throws IOException {
    Map<ServerName, List<RegionInfo>> held = new HashMap<>();
    Map<ServerName, Integer> counts = new HashMap<>();
    admin.getRegionServers().forEach(server -> counts.put(server, 0));
    try (RegionLocator locator = plain.getRegionLocator(table)) {
      locator.clearRegionLocationCache();
      for (HRegionLocation at : locator.getAllRegionLocations()) {
        if (at.getServerName() != null) {
          counts.merge(at.getServerName(), 1, Integer::sum);
          if (movable.test(at.getRegion())) {
            held.computeIfAbsent(at.getServerName(), name -> new ArrayList<>()).add(at.getRegion());
          }
        }
      }
    }
    for (int moves = held.values().stream().mapToInt(List::size).sum(); moves > 0; moves--) {
      ServerName from = null;
      ServerName to = null;
      for (ServerName server : counts.keySet()) {
        boolean gives = !held.getOrDefault(server, List.of()).isEmpty();
        from =
            gives && (from == null || count(counts, server) > count(counts, from)) ? server : from;
        to = to == null || count(counts, server) < count(counts, to) ? server : to;
      }
      if (from == null || to == null || count(counts, from) - count(counts, to) < 2) {
        return;
      }
      List<RegionInfo> regions = Objects.requireNonNull(held.get(from));
      RegionInfo region = regions.remove(regions.size() - 1);
      try {
        admin.move(region.getEncodedNameAsBytes(), to);
      } catch (DoNotRetryIOException e) {
        // Servers of another group, or one that has just gone: the balancer does it.
        return;
      }
      counts.merge(from, -1, Integer::sum);
      counts.merge(to, 1, Integer::sum);
    }
  }

  private static int count(Map<ServerName, Integer> counts, ServerName server) {
    return counts.getOrDefault(server, 0);
  }
}
