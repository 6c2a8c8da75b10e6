/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.validation;

import io.evenkey.advisor.evaluate.Replay;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;

/**
 * The regions of a table as HBase has placed them.
 *
 * @param splits the first row of every region but the first
 * @param servers the number of region servers
 * @param serverOf of each region, the number of its server
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record TableRegions(List<byte[]> splits, int servers, int[] serverOf) {
  /** The skew of a sample's writes to these regions, with windows of so many records. */
  double skew(Replay replay, int window) {
    return replay.writes(splits, servers, serverOf, window).mean();
  }

  /** Returns a table's regions, by the numbers of the given servers. */
  static TableRegions of(Connection plain, TableName table, List<ServerName> servers)
      throws IOException {
    try (RegionLocator locator = plain.getRegionLocator(table)) {
      List<HRegionLocation> regions = new ArrayList<>(locator.getAllRegionLocations());
      regions.sort(Comparator.comparing(HRegionLocation::getRegion));
      return new TableRegions(
          regions.stream().skip(1).map(region -> region.getRegion().getStartKey()).toList(),
          servers.size(),
          regions.stream().mapToInt(region -> servers.indexOf(region.getServerName())).toArray());
    }
  }
}
