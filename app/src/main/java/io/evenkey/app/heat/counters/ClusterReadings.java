/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.heat.counters;

import io.evenkey.client.internal.descriptor.TableLayout;
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
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * The counters of a cluster's regions, from the servers' last reports to the master: one request to
 * the master, and one scan of {@code hbase:meta} for the key range of each region. HBase's own
 * tables are left out.
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
      Map<String, String> layouts = new HashMap<>();
      for (TableDescriptor table : admin.listTableDescriptors()) {
        String line = table.getValue(TableLayout.LAYOUT);
        if (line != null) {
          layouts.put(table.getTableName().getNameAsString(), line);
        }
      }
      return new Reading(clock.millis(), regions(metrics), layouts);
    }
  }

  private List<RegionReading> regions(ClusterMetrics metrics) throws IOException {
    Map<String, RegionInfo> known = known();
    List<RegionReading> readings = new ArrayList<>();
    for (Map.Entry<ServerName, ServerMetrics> server : metrics.getLiveServerMetrics().entrySet()) {
      long countedAt = server.getValue().getReportTimestamp();
      String name = server.getKey().toString();
      for (RegionMetrics region : server.getValue().getRegionMetrics().values()) {
        RegionInfo info = known.remove(RegionInfo.encodeRegionName(region.getRegionName()));
        if (info != null) {
          readings.add(reading(info, region, name, countedAt));
        }
      }
    }
    readings.sort(
        Comparator.comparing(RegionReading::table)
            .thenComparing(RegionReading::start, Arrays::compareUnsigned));
    return readings;
  }

  private static RegionReading reading(
      RegionInfo info, RegionMetrics region, String server, long countedAt) {
    return new RegionReading(
        info.getTable().getNameAsString(),
        info.getEncodedName(),
        info.getStartKey(),
        info.getEndKey(),
        server,
        countedAt,
        region.getReadRequestCount(),
        region.getWriteRequestCount(),
        region.getStoreFileSize().get(Size.Unit.MEGABYTE)
            + region.getMemStoreSize().get(Size.Unit.MEGABYTE));
  }

  private Map<String, RegionInfo> known() throws IOException {
    Map<String, RegionInfo> known = new HashMap<>();
    Scan scan = new Scan().addColumn(HConstants.CATALOG_FAMILY, REGION_INFO).setCaching(1000);
    try (Table meta = connection.getTable(TableName.META_TABLE_NAME);
        ResultScanner rows = meta.getScanner(scan)) {
      for (Result row : rows) {
        byte[] value = row.getValue(HConstants.CATALOG_FAMILY, REGION_INFO);
        RegionInfo info = value == null ? null : RegionInfo.parseFromOrNull(value);
        if (info != null
            && !info.getTable().isSystemTable()
            && !info.isSplit()
            && info.getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID) {
          known.put(info.getEncodedName(), info);
        }
      }
    }
    return known;
  }
}
