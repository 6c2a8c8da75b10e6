/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.counters;

import io.evenkey.layout.failure.EvenkeyException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * The write requests that each region of a table took, window by window, as its region servers
 * counted them. Not thread-safe.
 */
public final class WriteTrace {
  private final Admin admin;
  private final TableName table;
  private final List<ServerName> servers;
  private final Map<String, Integer> regions = new HashMap<>();
  private final long[] before;
  private final List<Window> windows = new ArrayList<>();

  /**
   * The writes between two readings.
   *
   * @param byRegion writes by region, in the order of the regions' keys
   * @param byServer writes by server, in the order of the servers' names
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Window(long[] byRegion, long[] byServer) {}

  private WriteTrace(Admin admin, TableName table, List<ServerName> servers, int regions) {
    this.admin = admin;
    this.table = table;
    this.servers = servers;
    this.before = new long[regions];
  }

  /** Starts to count. */
  public static WriteTrace of(Admin admin, TableName table) throws IOException {
    List<ServerName> servers = new ArrayList<>(admin.getRegionServers());
    servers.sort(Comparator.naturalOrder());
    List<RegionInfo> regions = new ArrayList<>(admin.getRegions(table));
    regions.sort(RegionInfo.COMPARATOR);
    WriteTrace trace = new WriteTrace(admin, table, servers, regions.size());
    for (RegionInfo region : regions) {
      trace.regions.put(region.getEncodedName(), trace.regions.size());
    }
    trace.read();
    return trace;
  }

  /** Ends the current window and begins the next. */
  public void endWindow() throws IOException {
    windows.add(read());
  }

  private Window read() throws IOException {
    long[] byRegion = new long[before.length];
    long[] byServer = new long[servers.size()];
    for (int s = 0; s < byServer.length; s++) {
      Collection<RegionMetrics> metrics = admin.getRegionMetrics(servers.get(s), table);
      for (RegionMetrics region : metrics) {
        Integer index = regions.get(RegionInfo.encodeRegionName(region.getRegionName()));
        if (index == null) {
          throw new EvenkeyException(
              "region was split or merged during the measurement: region="
                  + region.getNameAsString());
        }
        long now = region.getWriteRequestCount();
        // A region that moved counts from zero again.
        long writes = now >= before[index] ? now - before[index] : now;
        before[index] = now;
        byRegion[index] = writes;
        byServer[s] += writes;
      }
    }
    return new Window(byRegion, byServer);
  }

  /** The ended windows. */
  public List<Window> windows() {
    return windows;
  }

  /** The number of the table's regions. */
  public int regions() {
    return before.length;
  }

  /** The skew over servers, as the mean of all windows. */
  public double serverSkew() {
    return Arrays.stream(serverSkews()).average().orElse(1);
  }

  /** The skew over servers of each window. */
  public double[] serverSkews() {
    return windows.stream().mapToDouble(w -> Skew.of(w.byServer)).toArray();
  }

  /** The skew over regions, as the mean of all windows. */
  public double regionSkew() {
    return windows.stream().mapToDouble(w -> Skew.of(w.byRegion)).average().orElse(1);
  }

  /** All writes by server. */
  public long[] totalByServer() {
    long[] total = new long[servers.size()];
    windows.forEach(w -> Arrays.setAll(total, s -> total[s] + w.byServer[s]));
    return total;
  }

  /** All writes by region. */
  public long[] totalByRegion() {
    long[] total = new long[regions()];
    windows.forEach(w -> Arrays.setAll(total, r -> total[r] + w.byRegion[r]));
    return total;
  }
}
