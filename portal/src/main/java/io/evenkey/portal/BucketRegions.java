/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.evenkey.client.plan.NewTable;
import io.evenkey.jobs.split.RegionSplits;
import io.evenkey.layout.Layout;
import io.evenkey.layout.failure.EvenkeyException;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Cuts a spread table that has too few regions between its buckets, while clients use it. A region
 * with several cuts is split at the one in the middle; HBase has to compact both halves before they
 * can be split again. What is done already is not done again. Not thread-safe.
 */
final class BucketRegions {
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

  /** The keys at which to cut the table, in order; empty if it has its regions. */
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
      if (!RegionSplits.areAllowed(admin, table)) {
        throw new EvenkeyException(
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
        RegionSplits.make(admin, middles(admin.getRegions(table), cuts));
        int now = left(admin.getRegions(table), cuts);
        lastNanos = now < left ? System.nanoTime() : lastNanos;
        left = now;
        if (System.nanoTime() - lastNanos > STANDSTILL_NANOS) {
          throw new EvenkeyException(
              "regions were not split: table="
                  + table
                  + " missing="
                  + left
                  + "; HBase's log says why; begin again, which goes on from here");
        }
      }
      progress.made(cuts.size(), cuts.size());
      RegionSplits.distribute(plain, admin, table, region -> true);
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
}
