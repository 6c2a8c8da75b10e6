/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.load;

import io.evenkey.jobs.split.BucketRows;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;

/**
 * Which region servers took the rows of a load, second by second, as the regions lay when it began.
 * Thread-safe.
 */
final class LoadSkew {
  private static final long WINDOW_NANOS = 1_000_000_000;

  private final byte[][] starts;
  private final int[] serverOf;
  private final long[] window;
  private final BucketRows buckets;
  private long windowEnd = System.nanoTime() + WINDOW_NANOS;
  private double latest = 1;
  private double sum;
  private int windows;

  private LoadSkew(byte[][] starts, int[] serverOf, int servers, BucketRows buckets) {
    this.buckets = buckets;
    this.starts = starts;
    this.serverOf = serverOf;
    this.window = new long[servers];
  }

  static LoadSkew of(Connection plain, TableName table, Layout layout) throws IOException {
    List<HRegionLocation> regions;
    try (RegionLocator locator = plain.getRegionLocator(table)) {
      regions = new ArrayList<>(locator.getAllRegionLocations());
    }
    regions.sort(Comparator.comparing(HRegionLocation::getRegion));
    List<Object> servers = new ArrayList<>();
    byte[][] starts = new byte[regions.size()][];
    int[] serverOf = new int[regions.size()];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = regions.get(i).getRegion().getStartKey();
      Object server = String.valueOf(regions.get(i).getServerName());
      if (!servers.contains(server)) {
        servers.add(server);
      }
      serverOf[i] = servers.indexOf(server);
    }
    return new LoadSkew(starts, serverOf, Math.max(1, servers.size()), new BucketRows(layout));
  }

  /** Counts a row in that has been written. */
  synchronized void add(byte[] row) {
    int at = Arrays.binarySearch(starts, row, Arrays::compareUnsigned);
    window[serverOf[Math.max(0, at >= 0 ? at : -at - 2)]]++;
    buckets.add(row);
  }

  /** A warning if the rows lie unevenly over the buckets. */
  synchronized List<String> warnings() {
    return buckets.warnings();
  }

  /** The busiest server's share over the mean share, in the last whole second. */
  synchronized double now() {
    long now = System.nanoTime();
    if (now >= windowEnd) {
      endWindow();
      windowEnd = now + WINDOW_NANOS;
    }
    return latest;
  }

  /** The mean skew over all seconds. */
  synchronized double mean() {
    if (windows == 0) {
      endWindow();
    }
    return windows == 0 ? 1 : sum / windows;
  }

  private void endWindow() {
    long total = Arrays.stream(window).sum();
    if (total > 0) {
      latest = (double) Arrays.stream(window).max().orElse(0) * window.length / total;
      sum += latest;
      windows++;
      Arrays.fill(window, 0);
    }
  }
}
