/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.counters;

import static java.util.stream.Collectors.toSet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * The counters of a cluster's regions, from the servers' last reports to the master: one request to
 * the master, and one scan of {@code hbase:meta} for the key range of each region. HBase's own
 * tables are left out. A region's table is the one that applications name.
 */
public final class ClusterReadings implements ReadingSource {
  private static final byte[] REGION_INFO = "regioninfo".getBytes(StandardCharsets.US_ASCII);

  private final Connection connection;
  private final Clock clock;

  /** Reads the cluster of a connection. The caller closes the connection. */
  public ClusterReadings(Connection connection) {
    this.connection = connection;
    this.clock = Clock.systemUTC();
  }

  @Override
  public Reading read() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      ClusterMetrics metrics = admin.getClusterMetrics(EnumSet.of(Option.LIVE_SERVERS));
      List<RegionReading> regions = regions(metrics);
      Set<String> open = regions.stream().map(RegionReading::table).collect(toSet());
      Map<String, TableReading> tables = TablesInUse.of(admin.listTableDescriptors(), open);
      return reading(clock.millis(), regions, tables);
    }
  }

  private static Reading reading(
      long at, List<RegionReading> regions, Map<String, TableReading> tables) {
    Map<String, String> names = new HashMap<>();
    tables.forEach((name, table) -> names.put(table.physical(), name));
    List<RegionReading> named = new ArrayList<>();
    List<RegionReading> idle = new ArrayList<>();
    for (RegionReading region : regions) {
      String name = names.get(region.table());
      if (name == null) {
        idle.add(region);
      } else {
        named.add(region.of(name));
      }
    }
    named.sort(
        Comparator.comparing(RegionReading::table)
            .thenComparing(RegionReading::start, Arrays::compareUnsigned));
    return new Reading(at, named, tables, idle);
  }

  private List<RegionReading> regions(ClusterMetrics metrics) throws IOException {
    Map<String, OpenedRegion> known = known();
    List<RegionReading> readings = new ArrayList<>();
    for (Map.Entry<ServerName, ServerMetrics> server : metrics.getLiveServerMetrics().entrySet()) {
      long countedAt = server.getValue().getReportTimestamp();
      String name = server.getKey().toString();
      for (RegionMetrics region : server.getValue().getRegionMetrics().values()) {
        OpenedRegion found = known.remove(RegionInfo.encodeRegionName(region.getRegionName()));
        if (found != null) {
          readings.add(reading(found, region, name, countedAt));
        }
      }
    }
    return readings;
  }

  /** A region in {@code hbase:meta}, and when it was opened; 0 if that is not known. */
  private record OpenedRegion(RegionInfo info, long openedAt) {}

  private static RegionReading reading(
      OpenedRegion known, RegionMetrics region, String server, long countedAt) {
    RegionInfo info = known.info;
    return new RegionReading(
        info.getTable().getNameAsString(),
        info.getEncodedName(),
        info.getStartKey(),
        info.getEndKey(),
        server,
        known.openedAt,
        countedAt,
        region.getReadRequestCount(),
        region.getWriteRequestCount(),
        region.getStoreFileSize().get(Size.Unit.MEGABYTE)
            + region.getMemStoreSize().get(Size.Unit.MEGABYTE));
  }

  private Map<String, OpenedRegion> known() throws IOException {
    Map<String, OpenedRegion> known = new HashMap<>();
    Scan scan =
        new Scan()
            .addColumn(HConstants.CATALOG_FAMILY, REGION_INFO)
            .addColumn(HConstants.CATALOG_FAMILY, HConstants.SERVER_QUALIFIER)
            .setCaching(1000);
    try (Table meta = connection.getTable(TableName.META_TABLE_NAME);
        ResultScanner rows = meta.getScanner(scan)) {
      for (Result row : rows) {
        byte[] value = row.getValue(HConstants.CATALOG_FAMILY, REGION_INFO);
        RegionInfo info = value == null ? null : RegionInfo.parseFromOrNull(value);
        if (info != null
            && !info.getTable().isSystemTable()
            && !info.isSplit()
            && info.getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID) {
          // The master writes the server when it has opened the region there.
          Cell server =
              row.getColumnLatestCell(HConstants.CATALOG_FAMILY, HConstants.SERVER_QUALIFIER);
          known.put(
              info.getEncodedName(),
              new OpenedRegion(info, server == null ? 0 : server.getTimestamp()));
        }
      }
    }
    return known;
  }
}
