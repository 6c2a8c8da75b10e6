/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import static io.evenkey.client.RandomWork.FAMILY;
import static io.evenkey.client.RandomWork.FIELDS;
import static io.evenkey.client.RandomWork.KEYS;
import static io.evenkey.client.RandomWork.QUALIFIERS;
import static io.evenkey.client.RandomWork.action;
import static io.evenkey.client.RandomWork.actions;
import static io.evenkey.client.RandomWork.filter;
import static io.evenkey.client.RandomWork.key;
import static io.evenkey.client.RandomWork.scan;
import static io.evenkey.client.RowActions.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.ByteText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.client.ScanResultConsumerBase;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * As {@link DropInIT}, by HBase's asynchronous interface: on a plain table through HBase's own
 * connection and on a spread table through ours, whatever comes back has to be the same.
 */
@ExtendWith(EmbeddedHBaseExtension.class)
class AsyncDropInIT {
  private static final long SEED = Long.getLong("evenkey.seed", 20261121L);

  private AsyncConnection plain;
  private AsyncConnection dropIn;
  private ExecutorService pool;
  private String test;

  @BeforeEach
  void open(Connection shared, TestInfo info) throws Exception {
    plain = ConnectionFactory.createAsyncConnection(shared.getConfiguration()).get();
    Configuration configuration = new Configuration(shared.getConfiguration());
    configuration.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    dropIn = ConnectionFactory.createAsyncConnection(configuration).get();
    assertThat(dropIn).isInstanceOf(EvenkeyAsyncConnection.class);
    pool = Executors.newFixedThreadPool(2);
    test = "async_" + info.getTestMethod().orElseThrow().getName();
  }

  @AfterEach
  void close() throws IOException {
    dropIn.close();
    plain.close();
    pool.shutdownNow();
  }

  private TableName create(AsyncConnection connection, String kind, String line) throws Exception {
    TableName name = TableName.valueOf(test + kind + Integer.toHexString(line.hashCode()));
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setMaxVersions(3).build())
            .build();
    if (connection == plain) {
      connection.getAdmin().createTable(table).get();
    } else {
      Layout layout = Layout.parse(line);
      byte[][] splits = layout.splits(Math.min(4, layout.buckets().orElse(4))).toArray();
      connection.getAdmin().createTable(TableLayout.with(table, layout), splits).get();
    }
    return name;
  }

  private static List<String> texts(List<Result> rows) {
    return rows.stream().map(RowActions::seen).toList();
  }

  private static List<Result> scanned(AsyncTable<?> table, Scan scan) throws IOException {
    List<Result> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      scanner.forEach(rows::add);
    }
    return rows;
  }

  @Tag("long")
  @ParameterizedTest
  @CsvSource({
    "true, salt(4)",
    "false, salt(4)",
    "true, 'salt(6, device; over=3, as=digits(2), sep=\"_\")'",
    "true, 'salt(12, device, ts / 3; over=2)'",
    "true, 'salt(3; 7 from ts 4, 2 from ts 8)'",
    "false, 'md5(device)[0..1]'"
  })
  void randomOperationsGiveTheSameAsOnAPlainTable(boolean raw, String prefix) throws Exception {
    String line = prefix + " + " + FIELDS;
    TableName here = create(plain, raw + "_plain_", line);
    TableName there = create(dropIn, raw + "_", line);
    if (raw) {
      same(plain.getTable(here), dropIn.getTable(there), AsyncDropInIT::observed);
    } else {
      same(plain.getTable(here, pool), dropIn.getTable(there, pool), AsyncDropInIT::pooled);
    }
  }

  private interface Observation<C extends ScanResultConsumerBase> {
    List<Result> of(AsyncTable<C> table, Scan scan, SplittableRandom random) throws Exception;
  }

  private static <C extends ScanResultConsumerBase> void same(
      AsyncTable<C> expected, AsyncTable<C> actual, Observation<C> observation) throws Exception {
    for (int i = 1; i <= 400; i++) {
      String ours = run(actual, action(new SplittableRandom(SEED + i), i));
      String theirs = run(expected, action(new SplittableRandom(SEED + i), i));
      assertThat(ours).as("action %d", i).isEqualTo(theirs);
    }
    for (int i = 0; i < 20; i++) {
      List<Object> ours = actual.batchAll(actions(SEED + i, 1000 + 10L * i)).get();
      List<Object> theirs = expected.batchAll(actions(SEED + i, 1000 + 10L * i)).get();
      assertThat(ours.stream().map(RowActions::seen).toList())
          .as("batch %d", i)
          .isEqualTo(theirs.stream().map(RowActions::seen).toList());
    }
    SplittableRandom random = new SplittableRandom(SEED);
    List<Get> gets = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      gets.add(new Get(key(random)).readVersions(3));
    }
    assertThat(texts(actual.getAll(gets).get())).isEqualTo(texts(expected.getAll(gets).get()));
    assertThat(actual.existsAll(gets).get()).isEqualTo(expected.existsAll(gets).get());
    for (int i = 0; i < 100; i++) {
      Scan scan = scan(random);
      if (scan.getBatch() <= 0 && !scan.isReversed() && random.nextBoolean()) {
        scan.setFilter(filter(random));
      }
      List<String> theirs = texts(expected.scanAll(scan).get());
      assertThat(texts(actual.scanAll(scan).get())).as("scan %d: %s", i, scan).isEqualTo(theirs);
      assertThat(texts(scanned(actual, scan))).as("scanner %d: %s", i, scan).isEqualTo(theirs);
      assertThat(texts(observation.of(actual, scan, random)))
          .as("observer %d: %s", i, scan)
          .isEqualTo(theirs);
    }
  }

  /** Reads as an observer that suspends the scan now and then, and resumes it from elsewhere. */
  private static List<Result> observed(
      AsyncTable<AdvancedScanResultConsumer> table, Scan scan, SplittableRandom random)
      throws Exception {
    CompletableFuture<List<Result>> all = new CompletableFuture<>();
    List<Result> rows = new ArrayList<>();
    Scan small = new Scan(scan).setMaxResultSize(200);
    table.scan(
        small,
        new AdvancedScanResultConsumer() {
          private final Thread[] inside = new Thread[1];

          @Override
          public void onNext(Result[] results, ScanController controller) {
            if (inside[0] != null) {
              // Thrown here, it would be HBase that catches it.
              all.completeExceptionally(new AssertionError("called by two threads at once"));
            }
            inside[0] = Thread.currentThread();
            rows.addAll(Arrays.asList(results));
            if (random.nextInt(3) == 0) {
              ScanResumer resumer = controller.suspend();
              if (random.nextBoolean()) {
                resumer.resume();
              } else {
                CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS)
                    .execute(resumer::resume);
              }
            }
            inside[0] = null;
          }

          @Override
          public void onError(Throwable error) {
            all.completeExceptionally(error);
          }

          @Override
          public void onComplete() {
            all.complete(rows);
          }
        });
    return all.get(30, TimeUnit.SECONDS);
  }

  private static List<Result> pooled(
      AsyncTable<ScanResultConsumer> table, Scan scan, SplittableRandom random) throws Exception {
    CompletableFuture<List<Result>> all = new CompletableFuture<>();
    List<Result> rows = new ArrayList<>();
    table.scan(
        scan,
        new ScanResultConsumer() {
          @Override
          public boolean onNext(Result result) {
            return rows.add(result);
          }

          @Override
          public void onError(Throwable error) {
            all.completeExceptionally(error);
          }

          @Override
          public void onComplete() {
            all.complete(rows);
          }
        });
    return all.get(30, TimeUnit.SECONDS);
  }

  private static List<byte[]> fill(AsyncTable<?> table, int count) throws Exception {
    List<byte[]> keys = new ArrayList<>();
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] key = KEYS.logicalKey(Values.of("device", "d" + i % 9).and("ts", (long) i));
      keys.add(key);
      puts.add(new Put(key).addColumn(FAMILY, QUALIFIERS[0], new byte[200]));
    }
    table.putAll(puts).get();
    keys.sort(Bytes.BYTES_COMPARATOR);
    return keys;
  }

  @Test
  void anObserverMayEndTheScan() throws Exception {
    AsyncTable<AdvancedScanResultConsumer> table =
        dropIn.getTable(create(dropIn, "_", "salt(4) + " + FIELDS));
    List<byte[]> keys = fill(table, 2000);
    CompletableFuture<Integer> ended = new CompletableFuture<>();
    ScanMetrics[] metrics = new ScanMetrics[1];
    table.scan(
        new Scan().setMaxResultSize(2000).setScanMetricsEnabled(true),
        new AdvancedScanResultConsumer() {
          private int rows;

          @Override
          public void onNext(Result[] results, ScanController controller) {
            for (Result result : results) {
              if (!Arrays.equals(result.getRow(), keys.get(rows++))) {
                ended.completeExceptionally(new AssertionError("not in order: " + result));
              }
            }
            if (rows > 100) {
              controller.terminate();
            }
          }

          @Override
          public void onScanMetricsCreated(ScanMetrics created) {
            metrics[0] = created;
          }

          @Override
          public void onError(Throwable error) {
            ended.completeExceptionally(error);
          }

          @Override
          public void onComplete() {
            ended.complete(rows);
          }
        });
    assertThat(ended.get(30, TimeUnit.SECONDS)).isBetween(101, 300);
    assertThat(metrics[0].countOfRowsScanned.get()).isBetween(101L, 1000L);
  }

  @Test
  void aTableMayBeOpenedBeforeItExists() throws Exception {
    String line = "salt(3) + " + FIELDS;
    TableName name = TableName.valueOf(test + "_" + Integer.toHexString(line.hashCode()));
    AsyncTable<?> early = dropIn.getTable(name);
    Get get = new Get(key(new SplittableRandom(2)));
    assertThatThrownBy(() -> early.get(get).get())
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(TableNotFoundException.class);
    create(dropIn, "_", line);
    early.put(new Put(get.getRow()).addColumn(FAMILY, QUALIFIERS[0], QUALIFIERS[1])).get();
    assertThat(early.exists(get).get()).isTrue();
    try (ResultScanner stored = plain.getTable(name).getScanner(FAMILY)) {
      assertThat(stored.next().getRow()).isEqualTo(Layout.parse(line).physical(get.getRow()));
    }
  }

  @Test
  void aBufferedMutatorKeepsTheOrderOfItsCalls() throws Exception {
    String line = "salt(4) + " + FIELDS;
    TableName name = create(plain, "_", line);
    plain.getAdmin().disableTable(name).get();
    plain.getAdmin().deleteTable(name).get();
    create(dropIn, "_", line);
    List<CompletableFuture<Void>> written = new ArrayList<>();
    byte[] row = key(new SplittableRandom(3));
    // The first calls come before the layout is known.
    try (AsyncBufferedMutator mutator = dropIn.getBufferedMutator(name)) {
      for (int i = 0; i < 100; i++) {
        Put put = new Put(row, 1000 + i).addColumn(FAMILY, QUALIFIERS[0], Bytes.toBytes(i));
        written.add(mutator.mutate(put));
      }
      mutator.flush();
      CompletableFuture.allOf(written.toArray(new CompletableFuture<?>[0]))
          .get(30, TimeUnit.SECONDS);
    }
    Result result = dropIn.getTable(name).get(new Get(row)).get();
    assertThat(Bytes.toInt(result.getValue(FAMILY, QUALIFIERS[0]))).isEqualTo(99);
    assertThat(ByteText.hex(result.getRow())).isEqualTo(ByteText.hex(row));
  }

  @Test
  void underARandomSaltAGetAsksAllBuckets() throws Exception {
    AsyncTable<?> table = dropIn.getTable(create(dropIn, "_", "salt(4, random) + " + FIELDS));
    byte[] row = key(new SplittableRandom(1));
    for (int i = 0; i < 20; i++) {
      table.put(new Put(row, 1 + i).addColumn(FAMILY, QUALIFIERS[0], Bytes.toBytes(i))).get();
    }
    Get get = new Get(row);
    assertThat(Bytes.toInt(table.get(get).get().getValue(FAMILY, QUALIFIERS[0]))).isEqualTo(19);
    assertThat(table.exists(get).get()).isTrue();
    assertThat(table.getAll(List.of(get, get)).get())
        .extracting(Result::getRow)
        .containsExactly(row, row);
    assertThatThrownBy(() -> table.delete(new Delete(row)).get())
        .hasMessageContaining("random salt");
  }

  @Test
  void newTablesGetTheDefaultLayout() throws Exception {
    Configuration configuration = new Configuration(dropIn.getConfiguration());
    configuration.set(EvenkeyConnection.DEFAULT_LAYOUT, "salt(4) + key:bytes");
    TableName name = TableName.valueOf(test);
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build();
    try (AsyncConnection withDefault =
        ConnectionFactory.createAsyncConnection(configuration).get()) {
      byte[][] logical = {{'b'}, {'d'}, {'f'}, {'h'}, {'j'}, {'l'}, {'n'}};
      withDefault.getAdmin().createTable(table, logical).get();
      assertThat(withDefault.getAdmin().getDescriptor(name).get().getValue(TableLayout.LAYOUT))
          .isEqualTo("salt(4) + key:bytes");
      List<byte[]> starts = withDefault.getRegionLocator(name).getStartKeys().get();
      assertThat(starts).hasSize(8).contains(new byte[] {1}, new byte[] {2}, new byte[] {3});
      List<byte[]> keys = fill(withDefault.getTable(name), 50);
      assertThat(withDefault.getTable(name).scanAll(new Scan()).get().stream().map(Result::getRow))
          .containsExactlyElementsOf(keys);
    }
  }
}
