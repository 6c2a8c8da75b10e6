/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.split;

import java.io.IOException;
import java.util.EnumSet;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;

/** The size of a table, as its region servers report it. Stateless. */
public final class StoredSize {
  private StoredSize() {}

  /**
   * Megabytes in files, compressed as they are, and in memory. If a region server does not answer,
   * for instance because it has just died, the figures are those that the master last received.
   */
  public static double megabytes(Admin admin, TableName table) throws IOException {
    return sum(admin, table, StoredSize::megabytes);
  }

  /** The size of a table's files before compression, in megabytes. */
  public static double uncompressedMegabytes(Admin admin, TableName table) throws IOException {
    return sum(
        admin,
        table,
        region ->
            region.getUncompressedStoreFileSize().get(Size.Unit.MEGABYTE)
                + region.getMemStoreSize().get(Size.Unit.MEGABYTE));
  }

  private static double sum(Admin admin, TableName table, ToDoubleFunction<RegionMetrics> size)
      throws IOException {
    double megabytes = 0;
    for (ServerName server : admin.getRegionServers()) {
      try {
        for (RegionMetrics region : admin.getRegionMetrics(server, table)) {
          megabytes += size.applyAsDouble(region);
        }
      } catch (IOException e) {
        // HBase's client does not repeat this request, since it is for one server.
        return reported(admin, table, size);
      }
    }
    return megabytes;
  }

  private static double reported(Admin admin, TableName table, ToDoubleFunction<RegionMetrics> size)
      throws IOException {
    return admin
        .getClusterMetrics(EnumSet.of(ClusterMetrics.Option.LIVE_SERVERS))
        .getLiveServerMetrics()
        .values()
        .stream()
        .flatMap(server -> server.getRegionMetrics().values().stream())
        .filter(region -> RegionInfo.getTable(region.getRegionName()).equals(table))
        .mapToDouble(size)
        .sum();
  }

  private static double megabytes(RegionMetrics region) {
    return region.getStoreFileSize().get(Size.Unit.MEGABYTE)
        + region.getMemStoreSize().get(Size.Unit.MEGABYTE);
  }
}
