/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import static io.evenkey.client.internal.gather.GatheredTable.FAMILY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.internal.metrics.ScanMeters;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.protocol.gather.GatherAttributes;
import io.evenkey.protocol.gather.GatherRequest;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Of a table with region replicas, region servers gather the rows of primary regions only. */
@Tag("long")
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ReplicasIT {
  private Connection plain;
  private Connection dropIn;
  private TableName name;

  @BeforeEach
  void create(Connection connection, TestInfo info) throws IOException {
    plain = connection;
    dropIn = GatheredTable.dropIn(connection, true);
    name = TableName.valueOf(info.getTestMethod().orElseThrow().getName());
    GatheredTable.create(
        connection,
        TableDescriptorBuilder.newBuilder(name)
            .setRegionReplication(2)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build());
    GatheredTable.fill(dropIn, name, 200);
  }

  @AfterEach
  void close() throws IOException {
    dropIn.close();
  }

  // A replica has no row of its primary's memory.
  @Test
  void aShortScanHasTheRowsOfThePrimaries() throws IOException {
    try (Table table = dropIn.getTable(name)) {
      Scan scan = new Scan().withStartRow(Bytes.toBytes(50)).setLimit(20);
      List<Result> rows = GatheredTable.gathered("primaries", table, () -> new Scan(scan));
      assertThat(rows.stream().map(row -> Bytes.toInt(row.getRow())))
          .hasSize(20)
          .isSorted()
          .startsWith(50, 51);
    }
  }

  @Test
  void aScanThatMayReadReplicasIsLeftToTheClient() throws IOException {
    long asked = ScanMeters.gathered() + ScanMeters.ungathered();
    try (Table table = dropIn.getTable(name)) {
      Scan scan = new Scan().setLimit(20).setConsistency(Consistency.TIMELINE);
      // Of primaries all, of replicas those rows that were flushed: none.
      assertThat(GatheredTable.keys(table, scan)).isSorted().hasSizeLessThanOrEqualTo(20);
    }
    assertThat(ScanMeters.gathered() + ScanMeters.ungathered()).isEqualTo(asked);
  }

  @Test
  void aRequestForAReplicaIsRefused() throws IOException {
    RegionInfo replica;
    try (RegionLocator locator = plain.getRegionLocator(name)) {
      replica = locator.getRegionLocation(new byte[] {0}, 1, true).getRegion();
    }
    assertThat(replica.getReplicaId()).isEqualTo(1);
    GatherRequest request =
        new GatherRequest(
            1,
            false,
            10,
            1 << 20,
            ByteString.of(ProtobufUtil.toScan(new Scan()).toByteArray()),
            List.of(
                new GatherRequest.Part(
                    replica.getEncodedName(), List.of(KeyRange.prefix(new byte[] {0})))));
    Scan scan =
        new Scan()
            .withStartRow(new byte[] {0})
            .withStopRow(new byte[] {0}, true)
            .setLimit(100)
            .setConsistency(Consistency.TIMELINE)
            .setReplicaId(1);
    scan.setAttribute(GatherAttributes.REQUEST, request.toBytes());
    try (Table table = plain.getTable(name)) {
      assertThatThrownBy(() -> GatheredTable.rows(table, scan))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("gather of a replica");
    }
  }
}
