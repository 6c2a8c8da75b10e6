/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import static io.evenkey.client.internal.gather.GatheredTable.FAMILY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.protocol.gather.GatherAnswer;
import io.evenkey.protocol.gather.GatherAttributes;
import io.evenkey.protocol.gather.GatherRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A request to gather that is hostile, or of which a filter fails, is refused. HBase stops a region
 * server of which a coprocessor throws an unchecked exception: no server may stop.
 */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class HostileGatherIT {
  private static final int ROWS = 400;

  private EmbeddedHBase hbase;
  private Connection plain;
  private TableName name;
  private List<ServerName> servers;

  /** A filter with a fault. */
  public static final class Failing extends FilterBase {
    /** For HBase, which reads filters by this method. */
    public static Failing parseFrom(byte[] bytes) {
      return new Failing();
    }

    @Override
    public byte[] toByteArray() {
      return new byte[0];
    }

    @Override
    public ReturnCode filterCell(Cell cell) {
      throw new IllegalStateException("filter fails");
    }
  }

  /** Compares values by a method that the servers' HBase does not have. */
  public static final class Unlinked extends ByteArrayComparable {
    /** Of one value. */
    public Unlinked(byte[] value) {
      super(value);
    }

    /** For HBase, which reads comparators by this method. */
    public static Unlinked parseFrom(byte[] bytes) {
      return new Unlinked(bytes);
    }

    @Override
    public byte[] toByteArray() {
      return getValue();
    }

    @Override
    public int compareTo(byte[] value, int offset, int length) {
      throw new NoSuchMethodError("org.apache.hadoop.hbase.util.Bytes.gone()");
    }
  }

  @BeforeEach
  void create(EmbeddedHBase hbase, Connection connection, TestInfo info) throws IOException {
    this.hbase = hbase;
    plain = connection;
    servers = hbase.servers();
    name = TableName.valueOf(info.getTestMethod().orElseThrow().getName());
    GatheredTable.create(
        connection,
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build());
    try (Connection dropIn = GatheredTable.dropIn(connection, true)) {
      GatheredTable.fill(dropIn, name, ROWS);
    }
  }

  @AfterEach
  void noServerHasStopped() throws IOException {
    assertThat(hbase.servers()).containsExactlyInAnyOrderElementsOf(servers);
    try (Connection dropIn = GatheredTable.dropIn(plain, true);
        Table table = dropIn.getTable(name)) {
      assertThat(GatheredTable.keys(table, new Scan().setLimit(3))).containsExactly(0, 1, 2);
    }
  }

  private HRegionLocation first() throws IOException {
    try (RegionLocator locator = plain.getRegionLocator(name)) {
      return locator.getRegionLocation(new byte[] {0});
    }
  }

  private static ClientProtos.Scan template(Filter filter) throws IOException {
    return ProtobufUtil.toScan(new Scan().setFilter(filter));
  }

  private GatherRequest request(ClientProtos.Scan template) throws IOException {
    return new GatherRequest(
        1,
        false,
        10,
        1 << 20,
        io.evenkey.layout.bytes.ByteString.of(template.toByteArray()),
        List.of(
            new GatherRequest.Part(
                first().getRegion().getEncodedName(),
                List.of(KeyRange.prefix(new byte[] {0}), KeyRange.prefix(new byte[] {1})))));
  }

  private List<Result> ask(byte[] request) throws IOException {
    Scan scan =
        new Scan().withStartRow(new byte[] {0}).withStopRow(new byte[] {0}, true).setLimit(100);
    scan.setAttribute(GatherAttributes.REQUEST, request);
    try (Table table = plain.getTable(name)) {
      return GatheredTable.rows(table, scan);
    }
  }

  private void isRefused(ClientProtos.Scan template, String rule) {
    assertThatThrownBy(() -> ask(request(template).toBytes()))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining(rule);
  }

  @Test
  void aScanThatHBaseCannotReadIsRefused() throws IOException {
    isRefused(
        ClientProtos.Scan.newBuilder()
            .setTimeRange(HBaseProtos.TimeRange.newBuilder().setFrom(9).setTo(-3))
            .build(),
        "hook failed: hook=postScannerOpen");
    isRefused(ClientProtos.Scan.newBuilder().setFilter(nested(3_000)).build(), "hook failed");
  }

  /** Filters in filters, as many as fill the stack of a thread that reads them. */
  private static FilterProtos.Filter nested(int depth) {
    FilterProtos.Filter nested = filter(Failing.class, ByteString.EMPTY);
    for (int i = 0; i < depth; i++) {
      nested =
          filter(
              SkipFilter.class,
              FilterProtos.SkipFilter.newBuilder().setFilter(nested).build().toByteString());
    }
    return nested;
  }

  private static FilterProtos.Filter filter(Class<?> type, ByteString bytes) {
    return FilterProtos.Filter.newBuilder()
        .setName(type.getName())
        .setSerializedFilter(bytes)
        .build();
  }

  @Test
  void aFilterThatFailsFailsTheRequestOnly() throws IOException {
    isRefused(template(new Failing()), "cause=java.lang.IllegalStateException: filter fails");
  }

  /** As a jar on the servers that was built against another HBase. */
  @Test
  void aComparatorThatCannotBeLinkedFailsTheScanOnly() throws IOException {
    Filter filter =
        new SingleColumnValueFilter(FAMILY, FAMILY, CompareOperator.EQUAL, new Unlinked(FAMILY));
    isRefused(template(filter), "cause=java.lang.NoSuchMethodError: org.apache.hadoop");
    try (Connection dropIn = GatheredTable.dropIn(plain, true);
        Table table = dropIn.getTable(name)) {
      assertThatThrownBy(() -> GatheredTable.rows(table, new Scan().setLimit(5).setFilter(filter)))
          .hasStackTraceContaining("NoSuchMethodError");
    }
  }

  @Test
  void regionsThatAreNotOfTheTableOrNotThereAreRefused() throws IOException {
    GatherRequest good = request(template(null));
    String meta = "1588230740";
    for (String region : List.of(meta, "0123456789abcdef0123456789abcdef", "x")) {
      GatherRequest.Part part = new GatherRequest.Part(region, good.regions().get(0).ranges());
      byte[] bytes = new GatherRequest(1, false, 10, 1 << 20, good.scan(), List.of(part)).toBytes();
      assertThatThrownBy(() -> ask(bytes))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("region is not on this server");
    }
  }

  /** HBase refuses to end within a row where a filter decides on rows. */
  @Test
  void aFilterOfRowsIsAppliedToRowsOfManyCells() throws IOException {
    int width = 2_500;
    try (Connection dropIn = GatheredTable.dropIn(plain, true);
        Table table = dropIn.getTable(name)) {
      for (int key = 100; key < 120; key++) {
        Put put = new Put(Bytes.toBytes(key));
        for (int i = 0; i < width; i++) {
          put.addColumn(FAMILY, Bytes.toBytes(i), FAMILY);
        }
        table.put(put);
      }
      List<Result> rows =
          GatheredTable.gathered(
              "rows of many cells",
              table,
              () ->
                  new Scan()
                      .withStartRow(Bytes.toBytes(90))
                      .setLimit(12)
                      .setFilter(
                          new SingleColumnValueFilter(
                              FAMILY,
                              FAMILY,
                              CompareOperator.GREATER_OR_EQUAL,
                              Bytes.toBytes(95))));
      assertThat(rows.stream().map(row -> Bytes.toInt(row.getRow())).toList())
          .containsExactly(95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106);
      assertThat(rows.get(6).size()).isEqualTo(width + 1);
    }
  }

  /**
   * The law for each altered request: it is refused, or its answer has as many rows as it says,
   * within the limit and in order.
   */
  @Test
  void anAlteredRequestIsRefusedOrAnswered() throws IOException {
    SplittableRandom random = new SplittableRandom(Long.getLong("evenkey.seed", 20261124L));
    byte[] good = request(template(null)).toBytes();
    int answered = 0;
    int cases = Boolean.getBoolean("evenkey.deep") ? 10_000 : 100;
    for (int i = 0; i < cases; i++) {
      byte[] bytes = good.clone();
      for (int changes = random.nextInt(3); changes >= 0; changes--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      if (random.nextInt(8) == 0) {
        bytes = Arrays.copyOf(bytes, random.nextInt(2 * bytes.length));
      }
      try {
        check(bytes, ask(bytes));
        answered++;
      } catch (DoNotRetryIOException e) {
        assertThat(e.getMessage())
            .as("%s", Bytes.toHex(bytes))
            .containsAnyOf("gather", "hook failed");
      }
    }
    assertThat(answered).isBetween(cases / 20, cases * 9 / 10);
  }

  /** The answer has as many rows as it says, within the limit and in order. */
  static void check(byte[] bytes, List<Result> rows) {
    byte[] answer = Bytes.toBytes(GatherAttributes.ANSWER);
    GatherAnswer head = GatherAnswer.parse(rows.get(0).getValue(answer, answer));
    GatherRequest request = GatherRequest.parse(bytes);
    List<byte[]> keys = new ArrayList<>();
    for (Result row : rows.subList(1, rows.size())) {
      byte[] physical = row.getRow();
      keys.add(
          Arrays.copyOfRange(
              physical, Math.min(request.keyOffset(), physical.length), physical.length));
    }
    assertThat(keys)
        .as("%s", Bytes.toHex(bytes))
        .hasSize(head.rows())
        .hasSizeLessThanOrEqualTo(request.limit())
        .isSortedAccordingTo(
            request.reversed() ? (a, b) -> Arrays.compareUnsigned(b, a) : Arrays::compareUnsigned);
  }
}
