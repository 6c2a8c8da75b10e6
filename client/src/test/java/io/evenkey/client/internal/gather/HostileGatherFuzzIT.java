/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import static io.evenkey.client.internal.gather.GatheredTable.FAMILY;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.protocol.gather.GatherAttributes;
import io.evenkey.protocol.gather.GatherRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * {@link HostileGatherIT} under a coverage-guided fuzzer, which sends its requests to region
 * servers in the same process. No part of an ordinary build:
 *
 * <pre>
 * JAZZER_FUZZ=1 mvn -pl client -am verify -Dtest=None -Dit.test=HostileGatherFuzzIT \
 *     '-Dtest.jvm=-Djazzer.instrument=io.evenkey.server.**,io.evenkey.layout.**' \
 *     -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false
 * </pre>
 */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 2, unit = TimeUnit.HOURS)
class HostileGatherFuzzIT {
  private static final TableName NAME = TableName.valueOf("fuzzed");
  private static final int ROWS = 200;

  private static EmbeddedHBase hbase;
  private static List<ServerName> servers;
  private static List<String> regions;
  private static Connection connection;
  private static Table table;

  @BeforeAll
  static void create(EmbeddedHBase started, Connection plain) throws IOException {
    hbase = started;
    servers = hbase.servers();
    try (Admin admin = plain.getAdmin()) {
      // A region that moves refuses requests; the balancer moves some after five minutes.
      admin.balancerSwitch(false, true);
    }
    GatheredTable.create(
        plain,
        TableDescriptorBuilder.newBuilder(NAME)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build());
    try (Connection dropIn = GatheredTable.dropIn(plain, true)) {
      GatheredTable.fill(dropIn, NAME, ROWS);
    }
    Configuration once = new Configuration(plain.getConfiguration());
    once.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 1);
    connection = ConnectionFactory.createConnection(once);
    table = connection.getTable(NAME);
    regions = new ArrayList<>(List.of("1588230740", "0123456789abcdef0123456789abcdef"));
    try (RegionLocator locator = connection.getRegionLocator(NAME)) {
      ServerName server = locator.getRegionLocation(new byte[] {0}).getServerName();
      locator.getAllRegionLocations().stream()
          .filter(region -> region.getServerName().equals(server))
          .forEach(region -> regions.add(region.getRegion().getEncodedName()));
    }
  }

  @AfterAll
  static void noServerHasStopped() throws IOException {
    assertThat(hbase.servers()).containsExactlyInAnyOrderElementsOf(servers);
    table.close();
    connection.close();
  }

  @FuzzTest(maxDuration = "5m")
  void anyRequestIsRefusedOrAnswered(FuzzedDataProvider data) throws IOException {
    byte[] request = data.consumeBoolean() ? written(data) : data.consumeRemainingAsBytes();
    if (request == null) {
      return;
    }
    Scan scan =
        new Scan().withStartRow(new byte[] {0}).withStopRow(new byte[] {0}, true).setLimit(20_000);
    scan.setAttribute(GatherAttributes.REQUEST, request);
    List<Result> rows;
    try {
      rows = GatheredTable.rows(table, scan);
    } catch (DoNotRetryIOException e) {
      assertThat(e).hasMessageContaining("gather");
      return;
    }
    HostileGatherIT.check(request, rows);
  }

  /**
   * A request of the format that servers read, mostly of regions that are there; null if it has
   * none.
   */
  private static byte @Nullable [] written(FuzzedDataProvider data) {
    try {
      int offset = data.consumeInt(0, 3);
      boolean reversed = data.consumeBoolean();
      int limit = data.consumeInt(1, 500);
      long bytes = data.consumeLong(1, 1 << 20);
      List<GatherRequest.Part> parts = new ArrayList<>();
      for (int i = data.consumeInt(1, 3); i > 0; i--) {
        List<KeyRange> ranges = new ArrayList<>();
        for (int j = data.consumeInt(1, 3); j > 0; j--) {
          ranges.add(KeyRange.of(data.consumeBytes(6), data.consumeBytes(6)));
        }
        parts.add(new GatherRequest.Part(data.pickValue(regions), ranges));
      }
      ByteString scan = ByteString.of(data.consumeRemainingAsBytes());
      return new GatherRequest(offset, reversed, limit, bytes, scan, parts).toBytes();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
