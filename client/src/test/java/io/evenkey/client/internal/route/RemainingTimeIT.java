/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.client.internal.index.EntryFamily;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.guard.DescribedIndexes;
import io.evenkey.protocol.index.IndexKey;
import io.evenkey.protocol.index.TableIndex;
import io.evenkey.protocol.index.TableIndexes;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Operations of several requests: each request is given the time that the earlier ones left. */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RemainingTimeIT {
  private static final byte[] D = Bytes.toBytes("d");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final int TIMEOUT_MS = 30_000;
  private static final int BRIEF_MS = 2_000;
  private static final Layout LAYOUT = Layout.parse("salt(2) + key:bytes");
  private static final TableIndex INDEX =
      TableIndex.parse("by_q mutable public as \"salt(2) + q:string + key:bytes\" from q=d:q");

  private TableName name;
  private Connection dropIn;

  @BeforeEach
  void open(Connection plain, TestInfo info) throws IOException {
    name = TableName.valueOf("remaining_" + info.getTestMethod().orElseThrow().getName());
    Configuration configuration = new Configuration(plain.getConfiguration());
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    dropIn = ConnectionFactory.createConnection(configuration);
  }

  @AfterEach
  void close() throws IOException {
    SlowRegion.end();
    dropIn.close();
  }

  private static TableDescriptor described(TableName table, byte[] family, Layout layout)
      throws IOException {
    return TableLayout.with(
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family))
            .setCoprocessor(SlowRegion.class.getName())
            .build(),
        layout);
  }

  private void create(Connection plain) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      admin.createTable(described(name, D, LAYOUT));
    }
  }

  private void createIndexed(Connection plain) throws IOException {
    TableName entries = TableName.valueOf(INDEX.tableName(name.getNameAsString()));
    TableDescriptor ofEntries =
        described(entries, EntryFamily.name(), IndexKey.of(LAYOUT, INDEX).index().layout());
    TableDescriptor rows = described(name, D, LAYOUT);
    TableDescriptor indexed = TableLayout.with(rows, TableIndexes.NONE.with(INDEX));
    try (Admin admin = plain.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(ofEntries)
              .setValue(DescribedIndexes.INDEXED_TABLE_KEY, name.getNameAsString())
              .build());
      // A table that is created with an index counts as restored, and the index as unread.
      admin.createTable(rows);
      admin.modifyTable(TableGuard.with(indexed, TableGuard.state(indexed).next()));
    }
  }

  private Table table() {
    return dropIn.getTableBuilder(name, null).setOperationTimeout(TIMEOUT_MS).build();
  }

  private BufferedMutator buffer() throws IOException {
    return dropIn.getBufferedMutator(new BufferedMutatorParams(name).operationTimeout(TIMEOUT_MS));
  }

  private static Put put() {
    return new Put(ROW).addColumn(D, Q, Q);
  }

  /** An operation on a table. */
  @FunctionalInterface
  private interface Operation {
    void on(Table table) throws Exception;
  }

  private static Map<String, Operation> puts() {
    Map<String, Operation> all = new LinkedHashMap<>();
    all.put("put", table -> table.put(put()));
    all.put("put of a list", table -> table.put(List.of(put(), new Put(D).addColumn(D, Q, Q))));
    all.put("batch", table -> table.batch(List.of(put()), new Object[1]));
    return all;
  }

  private static Map<String, Operation> others() {
    CheckAndMutate check = CheckAndMutate.newBuilder(ROW).ifNotExists(D, D).build(put());
    Map<String, Operation> all = new LinkedHashMap<>();
    all.put("delete", table -> table.delete(new Delete(ROW).addColumn(D, D)));
    all.put("mutateRow", table -> table.mutateRow(RowMutations.of(List.of(put()))));
    all.put("checkAndMutate", table -> table.checkAndMutate(check));
    all.put("get", table -> table.get(new Get(ROW)));
    all.put("get of a list", table -> table.get(List.of(new Get(ROW))));
    all.put("exists", table -> table.exists(new Get(ROW)));
    all.put("append", table -> table.append(new Append(ROW).addColumn(D, D, Q)));
    all.put("increment", table -> table.increment(new Increment(ROW).addColumn(D, ROW, 1)));
    return all;
  }

  private static void areGivenWhatIsLeft(String operation, int least) {
    List<Long> given = SlowRegion.end();
    assertThat(given).as(operation).hasSizeGreaterThanOrEqualTo(least);
    for (int i = 0; i < given.size(); i++) {
      assertThat(given.get(i))
          .as("request=%d of %s given=%s", i, operation, given)
          .isBetween(1L, TIMEOUT_MS - (long) i * SlowRegion.DELAY_MS);
    }
  }

  @Tag("ci")
  @Test
  void whatIsRepeatedHasTheTimeThatIsLeft(Connection plain) throws Exception {
    create(plain);
    Map<String, Operation> all = new LinkedHashMap<>(puts());
    all.putAll(others());
    try (Table table = table();
        BufferedMutator buffer = buffer()) {
      table.get(new Get(ROW));
      for (Map.Entry<String, Operation> each : all.entrySet()) {
        SlowRegion.begin(2);
        each.getValue().on(table);
        areGivenWhatIsLeft(each.getKey(), 3);
      }
      buffer.mutate(put());
      SlowRegion.begin(2);
      buffer.flush();
      areGivenWhatIsLeft("flush", 3);
    }
  }

  /** A read that does not end before its time is over. */
  @FunctionalInterface
  private interface Read {
    Object make() throws Exception;
  }

  private Configuration brief(Connection plain) {
    Configuration configuration = new Configuration(plain.getConfiguration());
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    configuration.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    configuration.setInt(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, BRIEF_MS);
    configuration.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, BRIEF_MS);
    // Else its scans of some rows would be refused instead.
    configuration.set(EvenkeyConnection.CHECK, "off");
    return configuration;
  }

  private static Object first(ResultScanner scanner) throws IOException {
    try (scanner) {
      return scanner.next();
    }
  }

  private static Object read(AsyncTable<AdvancedScanResultConsumer> table, Scan scan) {
    CompletableFuture<List<Result>> rows = new CompletableFuture<>();
    table.scan(
        scan,
        new AdvancedScanResultConsumer() {
          @Override
          public void onNext(Result[] results, ScanController controller) {
            rows.complete(List.of(results));
          }

          @Override
          public void onError(Throwable error) {
            rows.completeExceptionally(error);
          }

          @Override
          public void onComplete() {
            rows.complete(List.of());
          }
        });
    return rows.join();
  }

  /** Makes all reads at once, whose scans {@link SlowRegion#holdScans are not answered}. */
  private static void endInTime(Map<String, Read> reads) throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      Map<String, Future<Throwable>> failures = new LinkedHashMap<>();
      reads.forEach(
          (as, read) -> failures.put(as, threads.submit(() -> catchThrowable(read::make))));
      for (Map.Entry<String, Future<Throwable>> failure : failures.entrySet()) {
        assertThat(FutureUtils.unwrapCompletionException(failure.getValue().get()))
            .as(failure.getKey())
            .isInstanceOfAny(SocketTimeoutException.class, RetriesExhaustedException.class)
            .hasMessageContaining("operation timed out: table=remaining_")
            .hasMessageContaining("timeout=" + BRIEF_MS + " ms");
      }
    } finally {
      SlowRegion.end();
      threads.shutdown();
    }
  }

  private static Scan scan(String id) {
    return new Scan().setId(id);
  }

  /**
   * Scans that are refused in all ranges, and not answered when they are begun again.
   *
   * @param ranges of a scan
   */
  private void scansEndInTime(Connection plain, int ranges) throws Exception {
    Configuration brief = brief(plain);
    try (Connection blocking = ConnectionFactory.createConnection(brief);
        Table table = blocking.getTable(name);
        AsyncConnection async = ConnectionFactory.createAsyncConnection(brief).get()) {
      AsyncTable<AdvancedScanResultConsumer> later = async.getTable(name);
      AsyncTable<?> pooled = async.getTable(name, ForkJoinPool.commonPool());
      // Looked up.
      table.get(new Get(ROW));
      later.get(new Get(ROW)).join();
      // Before it is opened: its scans begin then.
      SlowRegion.holdScans(ranges);
      ResultScanner late = table.getScanner(scan("late"));
      Map<String, Read> all = new LinkedHashMap<>();
      all.put("late", late::next);
      all.put("scanner", () -> first(later.getScanner(scan("scanner"))));
      all.put("observed", () -> read(later, scan("observed")));
      all.put("all", () -> later.scanAll(scan("all")).join());
      all.put("pool", () -> pooled.scanAll(scan("pool")).join());
      endInTime(all);
      // What was too late does not look like the end of the rows.
      assertThatThrownBy(late::next).isInstanceOf(SocketTimeoutException.class);
      late.close();
      table.put(put());
      assertThat(first(table.getScanner(new Scan()))).isNotNull();
    }
  }

  @Test
  void aScanThatIsBegunAgainEndsWithItsTimeout(Connection plain) throws Exception {
    create(plain);
    scansEndInTime(plain, 2);
    try (Connection blocking = ConnectionFactory.createConnection(brief(plain));
        SpreadTables tables = SpreadTables.on(blocking)) {
      SpreadTable table = tables.open(name);
      SlowRegion.holdScans(2);
      endInTime(Map.of("selection", () -> table.select().open().next()));
    }
  }

  @Test
  void aScanOfAPlainTableThatIsBegunAgainEndsWithItsTimeout(Connection plain) throws Exception {
    try (Admin admin = plain.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(D))
              .setCoprocessor(SlowRegion.class.getName())
              .build());
    }
    scansEndInTime(plain, 1);
  }

  @Test
  void aScanEndsWithTheScanTimeoutThatItsTableHasOfItsOwn(Connection plain) throws Exception {
    create(plain);
    Configuration usual = brief(plain);
    usual.setInt(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, TIMEOUT_MS);
    usual.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, TIMEOUT_MS);
    try (AsyncConnection async = ConnectionFactory.createAsyncConnection(usual).get()) {
      AsyncTable<AdvancedScanResultConsumer> brief =
          async.getTableBuilder(name).setScanTimeout(BRIEF_MS, TimeUnit.MILLISECONDS).build();
      brief.put(put()).join();
      // From now on region servers are known to gather, and are asked for the short scan first.
      assertThat(brief.scanAll(scan("known").setLimit(1)).join()).hasSize(1);
      Map<String, Read> all = new LinkedHashMap<>();
      all.put("scanner", () -> first(brief.getScanner(scan("scanner"))));
      all.put("observed", () -> read(brief, scan("observed")));
      all.put("short", () -> first(brief.getScanner(scan("short").setLimit(1))));
      all.put("short observed", () -> brief.scanAll(scan("short observed").setLimit(1)).join());
      SlowRegion.holdScans(0);
      endInTime(all);
    }
  }

  @Test
  void readsOfTheTableOfAnIndexEndWithTheTimeoutOfTheOperation(Connection plain) throws Exception {
    createIndexed(plain);
    Configuration brief = brief(plain);
    // Each request of such a read could take longer than all of it.
    brief.setInt(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, TIMEOUT_MS);
    TableName index = TableName.valueOf(INDEX.tableName(name.getNameAsString()));
    try (Connection blocking = ConnectionFactory.createConnection(brief);
        Table table = blocking.getTable(name);
        Table entries = blocking.getTable(index);
        AsyncConnection async = ConnectionFactory.createAsyncConnection(brief).get()) {
      table.put(put());
      AsyncTable<?> later = async.getTable(index);
      Get get;
      try (ResultScanner all = entries.getScanner(new Scan())) {
        get = new Get(all.next().getRow());
      }
      assertThat(entries.get(List.of(get, get))).allMatch(row -> !row.isEmpty());
      assertThat(later.get(get).join().isEmpty()).isFalse();
      Map<String, Read> all = new LinkedHashMap<>();
      all.put("get", () -> entries.get(get));
      all.put("exists", () -> entries.exists(get));
      all.put("list", () -> entries.get(List.of(get, get)));
      all.put("later", () -> later.get(get).join());
      all.put("list later", () -> later.getAll(List.of(get, get)).join());
      SlowRegion.holdScans(0);
      endInTime(all);
    }
  }

  @Test
  void aScanOfTheTableOfAnIndexThatIsBegunAgainEndsWithItsTimeout(Connection plain)
      throws Exception {
    createIndexed(plain);
    Configuration brief = brief(plain);
    TableName index = TableName.valueOf(INDEX.tableName(name.getNameAsString()));
    try (Connection blocking = ConnectionFactory.createConnection(brief);
        Table table = blocking.getTable(name);
        Table entries = blocking.getTable(index)) {
      table.put(put());
      assertThat(first(entries.getScanner(new Scan()))).isNotNull();
      SlowRegion.holdScans(2);
      ResultScanner late = entries.getScanner(scan("late"));
      endInTime(Map.of("late", late::next));
      late.close();
    }
  }

  @Test
  void rowsHaveTheTimeThatTheirEntriesLeave(Connection plain) throws Exception {
    createIndexed(plain);
    try (Table table = table();
        BufferedMutator buffer = buffer()) {
      table.get(new Get(ROW));
      for (Map.Entry<String, Operation> each : puts().entrySet()) {
        SlowRegion.begin(0);
        each.getValue().on(table);
        areGivenWhatIsLeft(each.getKey(), 2);
      }
      List<Put> ofOneRow = List.of(put(), put(), put());
      SlowRegion.begin(0);
      table.batch(ofOneRow, new Object[3]);
      areGivenWhatIsLeft("batch of one row", 6);
      buffer.mutate(ofOneRow);
      SlowRegion.begin(1);
      buffer.flush();
      areGivenWhatIsLeft("flush", 6);
    }
  }
}
