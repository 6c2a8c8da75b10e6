/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadMutator;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.metrics.ScanMeters;
import io.evenkey.client.select.Selection;
import io.evenkey.client.select.SelectionExplanation;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.protocol.gather.GatherAttributes;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.exceptions.MergeRegionException;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Short scans that region servers gather give what a sorted map gives. */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ServerGatherIT {
  private static final Logger LOG = LoggerFactory.getLogger(ServerGatherIT.class);
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final int ROWS = 3_000;
  private static final long KEYS = 100_000;

  private final SplittableRandom random = new SplittableRandom(7);
  private final NavigableMap<Long, Long> rows = new TreeMap<>();
  private Connection plain;
  private Connection own;
  private TableName name;
  private Layout layout;
  private long gathered;
  private long ungathered;

  @BeforeEach
  void open(Connection connection, TestInfo info) throws IOException {
    plain = connection;
    own = ConnectionFactory.createConnection(dropIn(connection));
    name =
        TableName.valueOf(
            info.getTestMethod().orElseThrow().getName()
                + Integer.toHexString(info.getDisplayName().hashCode()));
    gathered = ScanMeters.gathered();
    ungathered = ScanMeters.ungathered();
  }

  @AfterEach
  void close() throws IOException {
    own.close();
  }

  private static Configuration dropIn(Connection connection) {
    Configuration dropIn = new Configuration(connection.getConfiguration());
    dropIn.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    dropIn.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    return dropIn;
  }

  private void create(Connection connection, String line) throws IOException {
    layout = Layout.parse(line);
    try (SpreadTables tables = SpreadTables.on(connection)) {
      SpreadTable table = tables.create(name, layout, layout.splits(7), List.of("d"));
      try (SpreadMutator mutator = table.mutator()) {
        for (int i = 0; i < ROWS; i++) {
          long n = random.nextLong(KEYS);
          rows.put(n, (long) i);
          mutator.put(new Put(key(n)).addColumn(FAMILY, FAMILY, i + 1L, Bytes.toBytes((long) i)));
        }
      }
    }
  }

  private byte[] key(long n) {
    return layout.logicalKey(
        layout.fields().size() == 1
            ? Values.of("n", n)
            : Values.of(Map.of("g", n / 10_000, "n", n)));
  }

  private record Query(long from, long to, int limit, boolean reversed) {
    static Query of(SplittableRandom random, int mostRows) {
      long from = random.nextLong(KEYS);
      return new Query(
          from,
          from + random.nextLong(KEYS / 5) + 1,
          1 + random.nextInt(mostRows),
          random.nextBoolean());
    }
  }

  private Scan scan(Query query) {
    Scan scan = new Scan();
    if (query.limit < Integer.MAX_VALUE) {
      scan.setLimit(query.limit);
    }
    return query.reversed
        ? scan.setReversed(true)
            .withStartRow(key(query.to), false)
            .withStopRow(key(query.from), true)
        : scan.withStartRow(key(query.from)).withStopRow(key(query.to));
  }

  private List<Long> expected(Query query) {
    NavigableMap<Long, Long> part = rows.subMap(query.from, true, query.to, false);
    return (query.reversed ? part.descendingKeySet() : part.keySet())
        .stream().limit(query.limit).toList();
  }

  private List<Long> found(Table table, Scan scan) throws IOException {
    List<Long> found = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result row : scanner) {
        found.add(number(row));
      }
    }
    return found;
  }

  private void assertFound(Query query, Table table, AsyncConnection async) throws IOException {
    assertThat(found(table, scan(query))).as("%s", query).isEqualTo(expected(query));
    List<Result> later = FutureUtils.get(async.getTable(name).scanAll(scan(query)));
    assertThat(later.stream().map(this::number).toList())
        .as("%s", query)
        .isEqualTo(expected(query));
  }

  private long number(Result row) {
    return (Long) layout.decode(layout.physical(row.getRow())).get("n");
  }

  private long gathered() {
    return ScanMeters.gathered() - gathered;
  }

  private long ungathered() {
    return ScanMeters.ungathered() - ungathered;
  }

  @ParameterizedTest
  @ValueSource(strings = "salt(16) + n:int64")
  void shortScansGiveTheFirstRowsInOrder(String line) throws IOException {
    create(plain, line);
    try (AsyncConnection async =
            FutureUtils.get(ConnectionFactory.createAsyncConnection(dropIn(plain)));
        Table table = own.getTable(name)) {
      for (int i = 0; i < 60; i++) {
        Query query = Query.of(random, i % 3 == 0 ? 300 : 12);
        assertFound(query, table, async);
      }
    }
    assertThat(gathered()).isGreaterThan(60);
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "salt(64, n) + n:int64",
        "md5(n)[0..2] + n:int64",
        "salt(16, g) + g:int64 + n:int64"
      })
  void shortScansOfOtherSpreadsGiveTheFirstRowsInOrder(String line) throws IOException {
    shortScansGiveTheFirstRowsInOrder(line);
  }

  /** Suspends its scan at the first rows, and reads on when it is told to. */
  private static final class Suspending implements AdvancedScanResultConsumer {
    final CompletableFuture<ScanResumer> suspended = new CompletableFuture<>();
    final CompletableFuture<List<Result>> all = new CompletableFuture<>();
    private final List<Result> rows = new ArrayList<>();

    @Override
    public void onNext(Result[] results, ScanController controller) {
      rows.addAll(List.of(results));
      if (!suspended.isDone()) {
        suspended.complete(controller.suspend());
      }
    }

    @Override
    public void onError(Throwable error) {
      all.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
      all.complete(rows);
    }
  }

  /** As a reader's: while the observer works on the rows of an answer, the next one comes. */
  @Test
  void theSecondAnswerIsRequestedWhileAnObserverHasTheFirst() throws Exception {
    // The rows of a group are in one bucket, so that its server's share is not enough.
    create(plain, "salt(16, g) + g:int64 + n:int64");
    Query query = new Query(0, KEYS, 250, false);
    try (AsyncConnection async =
        FutureUtils.get(ConnectionFactory.createAsyncConnection(dropIn(plain)))) {
      Suspending observer = new Suspending();
      async.getTable(name).scan(scan(query), observer);
      AdvancedScanResultConsumer.ScanResumer resumer = observer.suspended.get(1, TimeUnit.MINUTES);
      await("the second answer").until(() -> gathered() == 2);
      assertThat(observer.all).isNotDone();
      resumer.resume();
      assertThat(observer.all.get(1, TimeUnit.MINUTES).stream().map(this::number).toList())
          .isEqualTo(expected(query));
    }
  }

  @Test
  void aShortScanWhoseReaderIsInterruptedCanBeReadOn() throws IOException {
    create(plain, "salt(16) + n:int64");
    Query query = new Query(0, KEYS, 20, false);
    int interrupted = 0;
    try (Table table = own.getTable(name)) {
      // An answer that has come already is not waited for.
      for (int i = 0; i < 100 && interrupted < 3; i++) {
        List<Long> found = new ArrayList<>();
        try (ResultScanner scanner = table.getScanner(scan(query))) {
          Thread.currentThread().interrupt();
          try {
            found.add(number(scanner.next()));
          } catch (InterruptedIOException e) {
            interrupted++;
          } finally {
            assertThat(Thread.interrupted()).isTrue();
          }
          scanner.forEach(row -> found.add(number(row)));
        }
        assertThat(found).isEqualTo(expected(query));
      }
    }
    assertThat(interrupted).isPositive();
  }

  /** What servers have sent at the beginning of each range is not read again. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aScanThatBeginsOnServersReadsEachRowOnce(boolean reversed, EmbeddedHBase hbase)
      throws IOException {
    create(plain, "salt(64) + n:int64");
    // Some ranges have more rows than one answer, and others fewer.
    Query all = new Query(0, KEYS, Integer.MAX_VALUE, reversed);
    try (Table table = own.getTable(name)) {
      for (int caching : new int[] {0, ROWS / 64}) {
        long before = rowsRead(hbase);
        Scan scan = scan(all).setCaching(caching);
        assertThat(found(table, scan)).isEqualTo(expected(all));
        assertThat(rowsRead(hbase) - before)
            .as("rows read, caching=%d", caching)
            .isBetween((long) rows.size(), (long) rows.size() + 64);
      }
    }
    assertThat(gathered()).isEqualTo(2);
    assertThat(ungathered()).isZero();
  }

  private long rowsRead(EmbeddedHBase hbase) throws IOException {
    long read = 0;
    try (Admin admin = plain.getAdmin()) {
      for (ServerName server : hbase.servers()) {
        for (RegionMetrics region : admin.getRegionMetrics(server, name)) {
          read += region.getReadRequestCount();
        }
      }
    }
    return read;
  }

  /** Ranges for whose rows an answer has no room are read by scans of their own. */
  @Test
  void aScanOfManyRangesOfLargeRowsIsExact() throws IOException {
    create(plain, "salt(64) + n:int64");
    byte[] large = new byte[60_000];
    try (Table table = own.getTable(name)) {
      for (long n = KEYS; n < KEYS + 150; n++) {
        table.put(new Put(key(n)).addColumn(FAMILY, FAMILY, large));
        rows.put(n, 0L);
      }
      for (boolean reversed : new boolean[] {false, true}) {
        Query query = new Query(KEYS - 100, KEYS + 150, Integer.MAX_VALUE, reversed);
        assertThat(found(table, scan(query))).isEqualTo(expected(query));
      }
    }
    assertThat(gathered()).isEqualTo(2);
  }

  /** The first rows of each range by servers, and the rest by the client. */
  @Tag("long")
  @Test
  void longScansOfManyRangesBeginOnServers() throws IOException {
    create(plain, "salt(128) + n:int64");
    try (SpreadTables tables = SpreadTables.on(plain);
        SpreadMutator mutator = tables.open(name).mutator()) {
      for (int i = 0; i < 5 * ROWS; i++) {
        long n = random.nextLong(KEYS);
        rows.put(n, (long) i);
        mutator.put(new Put(key(n)).addColumn(FAMILY, FAMILY, Bytes.toBytes((long) i)));
      }
    }
    try (AsyncConnection async =
            FutureUtils.get(ConnectionFactory.createAsyncConnection(dropIn(plain)));
        Table table = own.getTable(name)) {
      for (int i = 0; i < 12; i++) {
        Query all = new Query(random.nextLong(KEYS / 2), KEYS, Integer.MAX_VALUE, i % 2 == 0);
        Query query = i % 3 == 0 ? new Query(all.from, KEYS, 4_000, all.reversed) : all;
        assertFound(query, table, async);
      }
    }
    assertThat(gathered()).isGreaterThanOrEqualTo(12);
    try (SpreadTables tables = SpreadTables.on(own)) {
      assertThat(tables.open(name).select().explain().gathering())
          .isEqualTo(Gathering.SERVERS_FIRST.code());
    }
  }

  @Test
  void aFilterOfColumnsIsAppliedOnTheServers() throws IOException {
    create(plain, "salt(16) + n:int64");
    try (Table table = own.getTable(name)) {
      for (int i = 0; i < 20; i++) {
        Query query = Query.of(random, 12);
        long least = random.nextLong(ROWS);
        Scan scan =
            scan(query)
                .setFilter(
                    new SingleColumnValueFilter(
                        FAMILY, FAMILY, CompareOperator.GREATER_OR_EQUAL, Bytes.toBytes(least)));
        Query all = new Query(query.from, query.to, Integer.MAX_VALUE, query.reversed);
        assertThat(found(table, scan))
            .isEqualTo(
                expected(all).stream()
                    .filter(n -> rows.get(n) >= least)
                    .limit(query.limit)
                    .toList());
      }
    }
    assertThat(gathered()).isGreaterThan(10);
  }

  @Test
  void aFilterOfRowsIsLeftToTheClient() throws IOException {
    create(plain, "salt(16) + n:int64");
    Query query = new Query(0, KEYS, 10, false);
    try (Table table = own.getTable(name)) {
      Scan scan =
          scan(query)
              .setFilter(
                  new RowFilter(CompareOperator.GREATER, new BinaryComparator(key(KEYS / 2))));
      assertThat(found(table, scan)).isEqualTo(expected(new Query(KEYS / 2 + 1, KEYS, 10, false)));
    }
    assertThat(gathered() + ungathered()).isZero();
  }

  /**
   * A server reads 1,000 cells at a time: these rows end where it stops, or just before or behind.
   */
  @Test
  void rowsOfManyCellsAreWhole() throws IOException {
    create(plain, "salt(64) + n:int64");
    int[] widths = {999, 1_000, 1_001, 2_000};
    try (Table table = own.getTable(name)) {
      for (long n = KEYS; n < KEYS + 80; n++) {
        Put put = new Put(key(n));
        for (int i = 0; i < widths[(int) (n % 4)]; i++) {
          put.addColumn(FAMILY, Bytes.toBytes(i), FAMILY);
        }
        table.put(put);
      }
      for (int limit : new int[] {1, 7, 80, 100}) {
        Scan scan = new Scan().withStartRow(key(KEYS)).withStopRow(key(KEYS + 80)).setLimit(limit);
        long n = KEYS;
        try (ResultScanner scanner = table.getScanner(scan)) {
          for (Result row : scanner) {
            assertThat(number(row)).isEqualTo(n);
            assertThat(row.size()).isEqualTo(widths[(int) (n % 4)]);
            n++;
          }
        }
        assertThat(n - KEYS).isEqualTo(Math.min(limit, 80));
      }
    }
    // A busy server may stop after its second.
    assertThat(gathered()).isGreaterThan(ungathered());
  }

  /** Rows that are larger than an answer may be are read by the scan of their range. */
  @Test
  void largeRowsAreRead() throws IOException {
    create(plain, "salt(16) + n:int64");
    byte[] large = new byte[3 << 20];
    try (Table table = own.getTable(name)) {
      for (long n = KEYS; n < KEYS + 4; n++) {
        table.put(new Put(key(n)).addColumn(FAMILY, FAMILY, large));
        rows.put(n, 0L);
      }
      Query query = new Query(KEYS - 10, KEYS + 10, 10, false);
      assertThat(found(table, scan(query))).isEqualTo(expected(query));
    }
  }

  @Tag("long")
  @Test
  void scansAreExactWhileRegionsSplitMergeAndMove(EmbeddedHBase hbase) throws Exception {
    create(plain, "salt(128) + n:int64");
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Integer> reader =
        CompletableFuture.supplyAsync(
            () -> {
              SplittableRandom queries = new SplittableRandom(11);
              int scans = 0;
              try (Table table = own.getTable(name)) {
                while (!over.get() || scans < 100) {
                  Query some = Query.of(queries, 50);
                  boolean all = scans % 5 == 0;
                  Query query =
                      all ? new Query(some.from, some.to, Integer.MAX_VALUE, some.reversed) : some;
                  assertThat(found(table, scan(query))).as("%s", query).isEqualTo(expected(query));
                  scans++;
                }
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
              return scans;
            });
    try (Admin admin = plain.getAdmin()) {
      List<ServerName> servers = hbase.servers();
      for (int round = 0; round < 3; round++) {
        List<RegionInfo> regions = admin.getRegions(name);
        RegionInfo split = regions.get(random.nextInt(regions.size()));
        FutureUtils.get(admin.splitRegionAsync(split.getRegionName(), middle(split)));
        move(admin, servers);
        List<RegionInfo> now = admin.getRegions(name);
        int first = random.nextInt(now.size() - 1);
        merge(admin, now.get(first), now.get(first + 1));
      }
    } finally {
      over.set(true);
    }
    assertThat(reader.get()).isGreaterThanOrEqualTo(100);
    assertThat(gathered()).isPositive();
  }

  // Each region once: a client may take the later of two moves in a second for the earlier one.
  private void move(Admin admin, List<ServerName> servers) throws IOException {
    List<HRegionLocation> locations;
    try (RegionLocator locator = plain.getRegionLocator(name)) {
      locator.clearRegionLocationCache();
      locations = new ArrayList<>(locator.getAllRegionLocations());
    }
    Collections.shuffle(locations, new Random(random.nextLong()));
    for (HRegionLocation location : locations.subList(0, 4)) {
      ServerName to = servers.get(random.nextInt(servers.size()));
      if (!to.equals(location.getServerName())) {
        admin.move(location.getRegion().getEncodedNameAsBytes(), to);
      }
    }
  }

  private static void merge(Admin admin, RegionInfo left, RegionInfo right) throws IOException {
    try {
      FutureUtils.get(
          admin.mergeRegionsAsync(
              new byte[][] {left.getEncodedNameAsBytes(), right.getEncodedNameAsBytes()}, false));
    } catch (MergeRegionException e) {
      // One of them was split or merged a moment ago: HBase has to compact it first.
      LOG.info("not merged: {}", e.getMessage());
    }
  }

  private static byte[] middle(RegionInfo region) {
    byte[] start = region.getStartKey();
    return start.length == 0 ? new byte[] {0, 0, 0, 1} : Bytes.add(start, new byte[] {0, 0, 1});
  }

  @Test
  void aTableOnServersWithoutTheModuleCostsNoRequest() throws Exception {
    try (EmbeddedHBase bare = EmbeddedHBase.temporary().servers(1).guard(false).start();
        Connection client = ConnectionFactory.createConnection(dropIn(bare.connection()))) {
      create(bare.connection(), "salt(16) + n:int64");
      Query query = new Query(0, KEYS, 10, false);
      try (Table table = client.getTable(name)) {
        assertThat(found(table, scan(query))).isEqualTo(expected(query));
      }
    }
    assertThat(gathered() + ungathered()).isZero();
  }

  @Test
  void theSettingTurnsItOff() throws IOException {
    create(plain, "salt(16) + n:int64");
    Configuration off = dropIn(plain);
    off.setBoolean(Gather.ON_SERVERS, false);
    Query query = new Query(0, KEYS, 10, false);
    try (Connection client = ConnectionFactory.createConnection(off);
        Table table = client.getTable(name)) {
      assertThat(found(table, scan(query))).isEqualTo(expected(query));
    }
    assertThat(gathered() + ungathered()).isZero();
  }

  @Test
  void theExplanationOfAScanNamesTheReason() throws IOException {
    create(plain, "salt(16) + n:int64");
    try (SpreadTables tables = SpreadTables.on(own)) {
      Selection all = tables.open(name).select();
      SelectionExplanation explained = all.limit(10).explain();
      assertThat(explained.gathering()).isEqualTo(Gathering.ON_SERVERS.code());
      assertThat(explained.ranges()).hasSize(16);
      assertThat(explained.regions()).isEqualTo(7);
      assertThat(explained.servers()).isBetween(1, 7);
      assertThat(explained.limit()).isEqualTo(10);
      assertThat(all.limit(321).explain().gathering()).isEqualTo(Gathering.LONG_LIMIT.code());
      assertThat(all.explain().gathering()).isEqualTo(Gathering.NO_LIMIT.code());
      assertThat(all.where("n = 5").limit(1).explain().gathering())
          .isEqualTo(Gathering.ONE_RANGE.code());
      assertThat(all.measured().limit(10).explain().gathering())
          .isEqualTo(Gathering.SCAN_OPTIONS.code());
      RowFilter filter =
          new RowFilter(CompareOperator.GREATER, new BinaryComparator(key(KEYS / 2)));
      assertThat(all.filter(filter).limit(10).explain().gathering())
          .isEqualTo(Gathering.ROW_FILTER.code());
    }
    Configuration off = dropIn(plain);
    off.setBoolean(Gather.ON_SERVERS, false);
    try (Connection client = ConnectionFactory.createConnection(off);
        SpreadTables tables = SpreadTables.on(client)) {
      assertThat(tables.open(name).select().limit(10).explain().gathering())
          .isEqualTo(Gathering.TURNED_OFF.code());
    }
    assertThat(gathered() + ungathered()).isZero();
  }

  @Test
  void aHostileRequestIsRefusedAndTheServerGoesOn() throws IOException {
    create(plain, "salt(16) + n:int64");
    try (Table table = plain.getTable(name)) {
      for (int length = 0; length < 64; length++) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        bytes = length > 0 && length % 2 == 0 ? Bytes.add(new byte[] {1}, bytes) : bytes;
        Scan scan = new Scan().setLimit(1);
        scan.setAttribute(GatherAttributes.REQUEST, bytes);
        assertThatThrownBy(() -> table.getScanner(scan).next())
            .isInstanceOf(DoNotRetryIOException.class)
            .hasMessageContaining("gather not understood");
      }
      assertThat(table.getScanner(new Scan().setLimit(1)).next()).isNotNull();
    }
  }
}
