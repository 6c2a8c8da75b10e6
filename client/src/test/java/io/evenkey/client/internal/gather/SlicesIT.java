/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.metrics.ScanMeters;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.client.select.Selection;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.bytes.KeyRange;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables with slices or steps in their salts read as a sorted set of their keys does. */
@ExtendWith(EmbeddedHBaseExtension.class)
class SlicesIT {
  private static final long SEED = Long.getLong("evenkey.seed", 20261124L);
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final int SCANS = 60;
  private static final Layout SPARSE = Layout.parse("salt(40, ts every 1s; over=6) + ts:timestamp");

  @ParameterizedTest
  @ValueSource(
      strings = "salt(20, ts every 1m; over=2, 30 from ts 1000000) + ts:timestamp desc + id:int16")
  void aTableWithSlicesReadsAsASortedSet(String line, Connection shared) throws Exception {
    Layout layout = Layout.parse(line);
    TableName name = TableName.valueOf("slices" + Integer.toHexString(line.hashCode()));
    NavigableSet<byte[]> keys = keys(layout);
    Configuration configuration = new Configuration(shared.getConfiguration());
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    configuration.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    Configuration alone = new Configuration(configuration);
    alone.setBoolean(Gather.ON_SERVERS, false);
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Connection byClient = ConnectionFactory.createConnection(alone);
        AsyncConnection async =
            ConnectionFactory.createAsyncConnection(configuration).get(1, TimeUnit.MINUTES);
        Admin admin = connection.getAdmin();
        Table merged = byClient.getTable(name);
        Table table = connection.getTable(name)) {
      admin.createTable(
          TableLayout.with(
              TableDescriptorBuilder.newBuilder(name)
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                  .build(),
              layout),
          layout.splits(5).toArray());
      List<Put> puts = new ArrayList<>();
      keys.forEach(key -> puts.add(new Put(key).addColumn(FAMILY, FAMILY, key)));
      table.put(puts);
      SplittableRandom random = new SplittableRandom(SEED);
      for (int i = 0; i < SCANS; i++) {
        Scan scan = scan(layout, random);
        List<String> expected = expected(keys, scan);
        assertThat(read(table, scan)).as("scan %d %s", i, scan).isEqualTo(expected);
        assertThat(read(merged, scan)).as("merged scan %d %s", i, scan).isEqualTo(expected);
        assertThat(hex(async.getTable(name).scanAll(new Scan(scan)).get(1, TimeUnit.MINUTES)))
            .as("asynchronous scan %d %s", i, scan)
            .isEqualTo(expected);
      }
      assertThat(table.get(new Get(keys.first())).getRow()).isEqualTo(keys.first());
      byte[] middle = layout.logicalKey(Values.of("ts", 10_000L).and("id", 0));
      List<Result> rows =
          GatheredTable.gathered(
              "a slice", table, () -> new Scan().withStartRow(middle).setLimit(10));
      assertThat(hex(rows))
          .isEqualTo(keys.tailSet(middle).stream().limit(10).map(ByteText::hex).toList());
    }
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "salt(40, ts every 1s; over=6) + ts:timestamp + id:int16",
        "salt(8; 40 from ts 30000, 3 from ts 50000) + ts:timestamp + id:int16"
      })
  void tablesWithOtherSlicesReadAsASortedSetToo(String line, Connection shared) throws Exception {
    aTableWithSlicesReadsAsASortedSet(line, shared);
  }

  @Test
  void onlyAScanWithoutALimitReadsTheNextSliceAhead(Connection plain) throws Exception {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    Metrics.addRegistry(registry);
    try (SpreadTables tables = SpreadTables.on(plain)) {
      SpreadTable table = sparse(tables, "slicesReadAhead");
      KeyRange keys = KeyRange.of(SPARSE.logicalKey(Values.of("ts", 0L)), new byte[0]);
      // Too long a limit for region servers to gather.
      double limited = opened(registry, table, keys, new Scan().setLimit(10_000));
      double whole = opened(registry, table, keys, new Scan());
      assertThat(limited).isEqualTo(6);
      assertThat(whole).isBetween(7.0, 12.0);
    } finally {
      Metrics.removeRegistry(registry);
    }
  }

  @Test
  void aShortScanThatTheClientMergesOpensItsFirstSliceOnly(Connection shared) throws Exception {
    Configuration alone = new Configuration(shared.getConfiguration());
    alone.setBoolean(Gather.ON_SERVERS, false);
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    Metrics.addRegistry(registry);
    try (Connection plain = ConnectionFactory.createConnection(alone);
        SpreadTables tables = SpreadTables.on(plain)) {
      SpreadTable table = sparse(tables, "slicesMerged");
      KeyRange keys = KeyRange.of(SPARSE.logicalKey(Values.of("ts", 0L)), new byte[0]);
      assertThat(opened(registry, table, keys, new Scan().setLimit(7))).isEqualTo(6);
      List<byte[]> rows = new ArrayList<>();
      try (ResultScanner scanner = table.scan(keys, new Scan().setLimit(7))) {
        scanner.forEach(row -> rows.add(row.getRow()));
      }
      assertThat(rows)
          .hasSize(7)
          .isSortedAccordingTo(Arrays::compareUnsigned)
          .last()
          .isEqualTo(SPARSE.logicalKey(Values.of("ts", 6_000L)));
    } finally {
      Metrics.removeRegistry(registry);
    }
  }

  @Test
  void aScanOfFewSlicesIsGatheredByServersAtOnce(Connection plain) throws Exception {
    try (SpreadTables tables = SpreadTables.on(plain)) {
      SpreadTable table =
          tables.create(TableName.valueOf("slicesFew"), SPARSE, SPARSE.splits(4), List.of("d"));
      List<Put> puts = new ArrayList<>();
      for (long ts = 0; ts < 3_000; ts++) {
        byte[] key = SPARSE.logicalKey(Values.of("ts", ts));
        puts.add(new Put(key).addColumn(FAMILY, FAMILY, key));
      }
      table.put(puts);
      // Three slices, of which one answer holds some rows: the client reads the others.
      Selection few = table.select().where("ts >= 1970-01-01 and ts < 1970-01-01T00:00:03Z");
      assertThat(few.explain().gathering()).isEqualTo(Gathering.FEW_SLICES.code());
      List<Long> read = new ArrayList<>();
      try (KeyedRows rows = few.open()) {
        rows.forEach(row -> read.add(row.getInstant("ts").toEpochMilli()));
      }
      assertThat(read).isEqualTo(LongStream.range(0, 3_000).boxed().toList());
      assertThat(few.limit(2_000).explain().gathering()).isEqualTo(Gathering.GRADUALLY.code());
      assertThat(table.select().explain().gathering()).isEqualTo(Gathering.GRADUALLY.code());
    }
  }

  /** A table with one row in each of 20 slices. */
  private static SpreadTable sparse(SpreadTables tables, String name) throws IOException {
    SpreadTable table =
        tables.create(TableName.valueOf(name), SPARSE, SPARSE.splits(4), List.of("d"));
    for (long second = 0; second < 20; second++) {
      byte[] key = SPARSE.logicalKey(Values.of("ts", second * 1_000));
      table.put(new Put(key).addColumn(FAMILY, FAMILY, key));
    }
    return table;
  }

  /** The ranges that a scan opens for its first row. */
  private static double opened(MeterRegistry registry, SpreadTable table, KeyRange keys, Scan scan)
      throws IOException {
    // Registers the meters.
    ScanMeters.returned(0);
    DistributionSummary ranges = registry.get("evenkey.scan.fanout").summary();
    double before = ranges.totalAmount();
    try (ResultScanner scanner = table.scan(keys, scan)) {
      assertThat(scanner.next()).isNotNull();
    }
    return ranges.totalAmount() - before;
  }

  /** Many rows within a minute, and a few that are far from each other. */
  private static NavigableSet<byte[]> keys(Layout layout) {
    SplittableRandom random = new SplittableRandom(SEED);
    NavigableSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
    for (int i = 0; i < 2_000; i++) {
      keys.add(layout.logicalKey(record(random)));
    }
    return keys;
  }

  private static Values record(SplittableRandom random) {
    boolean dense = random.nextInt(20) > 0;
    long ts = dense ? random.nextInt(60_000) : random.nextLong(-4_000_000, 4_000_000);
    return Values.of("ts", ts).and("id", random.nextInt(3));
  }

  private static Scan scan(Layout layout, SplittableRandom random) {
    byte[] a = layout.logicalKey(record(random));
    byte[] b = layout.logicalKey(record(random));
    boolean swap = Arrays.compareUnsigned(a, b) > 0;
    byte[] low = random.nextInt(4) == 0 ? new byte[0] : swap ? b : a;
    byte[] high = random.nextInt(3) == 0 ? new byte[0] : swap ? a : b;
    boolean reversed = random.nextInt(3) == 0;
    Scan scan = new Scan().setReversed(reversed);
    scan.withStartRow(reversed ? high : low).withStopRow(reversed ? low : high);
    return random.nextBoolean() ? scan.setLimit(1 + random.nextInt(40)) : scan;
  }

  private static List<String> expected(NavigableSet<byte[]> keys, Scan scan) {
    NavigableSet<byte[]> inOrder = scan.isReversed() ? keys.descendingSet() : keys;
    if (scan.getStartRow().length > 0) {
      inOrder = inOrder.tailSet(scan.getStartRow(), true);
    }
    if (scan.getStopRow().length > 0) {
      inOrder = inOrder.headSet(scan.getStopRow(), false);
    }
    long limit = scan.getLimit() > 0 ? scan.getLimit() : Long.MAX_VALUE;
    return inOrder.stream().limit(limit).map(ByteText::hex).toList();
  }

  private static List<String> read(Table table, Scan scan) throws IOException {
    List<Result> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(new Scan(scan))) {
      scanner.forEach(rows::add);
    }
    return hex(rows);
  }

  private static List<String> hex(List<Result> rows) {
    return rows.stream().map(row -> ByteText.hex(row.getRow())).toList();
  }
}
