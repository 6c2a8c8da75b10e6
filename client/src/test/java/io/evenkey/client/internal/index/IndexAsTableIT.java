/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.SpreadTables;
import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.protocol.guard.DescribedIndexes;
import io.evenkey.protocol.index.IndexKey;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * An application of HBase's that opens an index as a table reads its rows in the order of the
 * index, and no entry that is without one.
 */
@ExtendWith(EmbeddedHBaseExtension.class)
class IndexAsTableIT {
  private static final TableIndex INDEX =
      TableIndex.parse(IndexedTable.BY_CUSTOMER + " covering d:amount");
  private static final int ORDERS = 300;
  private static final byte[] CUSTOMER = Bytes.toBytes("customer");
  private static final byte[] AMOUNT = Bytes.toBytes("amount");

  private EmbeddedHBase hbase;
  private IndexedTable orders;
  private TableName entries;
  private Layout layout;

  /** The keys of the index, in its order, of the rows that there are. */
  private final List<String> keys = new ArrayList<>();

  @BeforeEach
  void create(EmbeddedHBase shared, TestInfo test) throws IOException {
    hbase = shared;
    orders =
        IndexedTable.create(
            hbase.connection(), "as_table_" + test.getTestMethod().orElseThrow().getName());
    entries = orders.createEntries(INDEX);
    orders.add(INDEX);
    layout = IndexKey.of(IndexedTable.LAYOUT, INDEX).index().layout();
    try (SpreadTables tables = SpreadTables.on(hbase.connection());
        Table table = dropIn().getTable(orders.name())) {
      List<Put> puts = new ArrayList<>();
      for (int id = 0; id < ORDERS; id++) {
        puts.add(
            IndexedTable.order("s" + id % 5, id, "c" + id % 7)
                .addColumn(IndexedTable.D, AMOUNT, Bytes.toBytes("a" + id)));
      }
      table.put(puts);
      // Their entries stay: they name no rows any more.
      for (int id = 0; id < ORDERS; id += 3) {
        table.delete(new Delete(IndexedTable.key("s" + id % 5, id)));
      }
      assertThat(tables.open(entries).select().stream()).hasSize(ORDERS);
    }
    List<byte[]> sorted = new ArrayList<>();
    for (int id = 0; id < ORDERS; id++) {
      if (id % 3 != 0) {
        sorted.add(key(id));
      }
    }
    sorted.sort(Arrays::compareUnsigned);
    sorted.forEach(key -> keys.add(IndexedTable.printable(key)));
  }

  private byte[] key(int id) {
    return layout.logicalKey(
        Values.of("customer", "c" + id % 7).and("seller", "s" + id % 5).and("id", (long) id));
  }

  private Connection dropIn() throws IOException {
    return ConnectionFactory.createConnection(
        IndexedTable.dropIn(hbase.connection().getConfiguration()));
  }

  private static List<String> keysOf(Iterable<Result> rows) {
    List<String> read = new ArrayList<>();
    for (Result row : rows) {
      String id = Bytes.toString(row.getValue(IndexedTable.D, AMOUNT)).substring(1);
      assertThat(row.getValue(IndexedTable.D, CUSTOMER))
          .isIn(null, Bytes.toBytes("c" + Integer.parseInt(id) % 7));
      read.add(IndexedTable.printable(row.getRow()));
    }
    return read;
  }

  private static List<String> read(Table table, Scan scan) throws IOException {
    try (ResultScanner rows = table.getScanner(scan)) {
      return keysOf(rows);
    }
  }

  @Test
  void aBlockingApplicationReadsTheRowsUnderTheKeysOfTheIndex() throws IOException {
    try (Connection connection = dropIn();
        Table table = connection.getTable(entries)) {
      assertThat(read(table, new Scan())).isEqualTo(keys);
      assertThat(read(table, new Scan().addColumn(IndexedTable.D, AMOUNT))).isEqualTo(keys);
      assertThat(read(table, new Scan().setLimit(20))).isEqualTo(keys.subList(0, 20));
      List<String> down = new ArrayList<>(keys);
      Collections.reverse(down);
      assertThat(read(table, new Scan().setReversed(true))).isEqualTo(down);
      List<String> some = keys.stream().filter(key -> key.startsWith("c3")).toList();
      assertThat(read(table, new Scan().setStartStopRowForPrefixScan(Bytes.toBytes("c3"))))
          .isEqualTo(some)
          .isNotEmpty();
      assertThat(
              read(
                  table,
                  new Scan()
                      .setReversed(true)
                      .withStartRow(Bytes.toBytes("c4"))
                      .withStopRow(Bytes.toBytes("c3"))
                      .setLimit(2)))
          .isEqualTo(List.of(some.get(some.size() - 1), some.get(some.size() - 2)));
      assertThat(table.get(new Get(key(1))).getValue(IndexedTable.D, AMOUNT))
          .isEqualTo(Bytes.toBytes("a1"));
      assertThat(table.get(new Get(key(3))).isEmpty()).isTrue();
      assertThat(table.exists(new Get(key(1)))).isTrue();
      assertThat(table.exists(List.of(new Get(key(3)), new Get(key(4)))))
          .containsExactly(false, true);
      assertThat(keysOf(Arrays.asList(table.get(List.of(new Get(key(4)), new Get(key(2)))))))
          .containsExactly(IndexedTable.printable(key(4)), IndexedTable.printable(key(2)));
      Object[] results = new Object[2];
      table.batch(List.of(new Get(key(5)), new Get(key(6))), results);
      assertThat(((Result) results[0]).getRow()).isEqualTo(key(5));
      assertThat(((Result) results[1]).isEmpty()).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anAsynchronousApplicationReadsThemToo() throws Exception {
    try (AsyncConnection connection =
        ConnectionFactory.createAsyncConnection(
                IndexedTable.dropIn(hbase.connection().getConfiguration()))
            .get()) {
      AsyncTable<AdvancedScanResultConsumer> table = connection.getTable(entries);
      assertThat(table.get(new Get(key(1))).get().getRow()).isEqualTo(key(1));
      assertThat(table.exists(new Get(key(3))).get()).isFalse();
      assertThat(table.existsAll(List.of(new Get(key(3)), new Get(key(4)))).get())
          .containsExactly(false, true);
      assertThat(keysOf(table.getAll(List.of(new Get(key(4)), new Get(key(2)))).get()))
          .containsExactly(IndexedTable.printable(key(4)), IndexedTable.printable(key(2)));
      List<Result> batch = table.<Result>batchAll(List.of(new Get(key(4)), new Get(key(6)))).get();
      assertThat(batch.get(0).getRow()).isEqualTo(key(4));
      assertThat(batch.get(1).isEmpty()).isTrue();
      assertThat(keysOf(table.scanAll(new Scan()).get())).isEqualTo(keys);
      assertThat(keysOf(table.scanAll(new Scan().setLimit(7)).get())).isEqualTo(keys.subList(0, 7));
      try (ResultScanner rows = table.getScanner(new Scan().addColumn(IndexedTable.D, AMOUNT))) {
        assertThat(keysOf(rows)).isEqualTo(keys);
      }
      Suspending suspending = new Suspending(keys.size());
      table.scan(new Scan(), suspending);
      assertThat(keysOf(suspending.all.get())).isEqualTo(keys);
      Suspending first = new Suspending(5);
      table.scan(new Scan(), first);
      assertThat(keysOf(first.all.get())).isEqualTo(keys.subList(0, 5));
    }
  }

  @Test
  void anApplicationWithThreadsOfItsOwnReadsThemToo() throws Exception {
    var pool = Executors.newFixedThreadPool(2);
    try (AsyncConnection connection =
        ConnectionFactory.createAsyncConnection(
                IndexedTable.dropIn(hbase.connection().getConfiguration()))
            .get()) {
      AsyncTable<ScanResultConsumer> table = connection.getTable(entries, pool);
      assertThat(keysOf(table.scanAll(new Scan()).get())).isEqualTo(keys);
      Simple simple = new Simple();
      table.scan(new Scan(), simple);
      assertThat(keysOf(simple.all.get())).isEqualTo(keys);
    } finally {
      pool.shutdown();
    }
  }

  /** Suspends the scan at each second row, and ends it after some. */
  private static final class Suspending implements AdvancedScanResultConsumer {
    final CompletableFuture<List<Result>> all = new CompletableFuture<>();
    private final List<Result> rows = new ArrayList<>();
    private final int most;

    Suspending(int most) {
      this.most = most;
    }

    @Override
    public void onNext(Result[] results, ScanController controller) {
      rows.addAll(Arrays.asList(results));
      if (rows.size() == most) {
        controller.terminate();
      } else if (rows.size() % 2 == 0) {
        ScanResumer resumer = controller.suspend();
        ForkJoinPool.commonPool().execute(resumer::resume);
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

  private static final class Simple implements ScanResultConsumer {
    final CompletableFuture<List<Result>> all = new CompletableFuture<>();
    private final List<Result> rows = new ArrayList<>();

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
  }

  @Test
  void whatIsMoreThanAReadOfRowsIsRefusedByName() throws IOException {
    // As commands make the table of an index.
    try (var admin = hbase.connection().getAdmin()) {
      assertThat(admin.getDescriptor(entries).getValue(DescribedIndexes.INDEXED_TABLE_KEY))
          .isEqualTo(orders.name().getNameAsString());
      assertThat(TableLayout.indexedTable(admin.getDescriptor(entries))).isEqualTo(orders.name());
    }
    try (Connection connection = dropIn();
        Table table = connection.getTable(entries)) {
      assertRefused(table, new Scan().setFilter(new KeyOnlyFilter()), "option=filter");
      assertRefused(table, new Scan().readAllVersions(), "option=versions");
      assertRefused(table, new Scan().setTimeRange(1, 2), "option=time_range");
      assertRefused(table, new Scan().setBatch(1), "option=batch");
      assertRefused(table, new Scan().setRaw(true), "option=raw");
      Put put = new Put(key(1)).addColumn(EntryFamily.name(), new byte[16], new byte[0]);
      assertThatThrownBy(() -> table.put(put)).hasMessageContaining("write to that table");
      assertThatThrownBy(() -> table.batch(List.of(put, new Get(key(1))), new Object[2]))
          .hasMessageContaining("action=Put");
      assertThatThrownBy(() -> table.coprocessorService(key(1)))
          .hasMessageContaining("call=coprocessor");
      try (BufferedMutator mutator = connection.getBufferedMutator(entries)) {
        mutator.mutate(put);
        assertThatThrownBy(mutator::flush).hasStackTraceContaining("write to that table");
      }
    }
  }

  private static void assertRefused(Table table, Scan scan, String option) {
    assertThatThrownBy(() -> read(table, scan))
        .isInstanceOf(IndexRefusedException.class)
        .hasMessageContaining("index_of=")
        .hasMessageContaining(option);
  }
}
