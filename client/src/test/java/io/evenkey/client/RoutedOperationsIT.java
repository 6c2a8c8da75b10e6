/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import static io.evenkey.client.RandomWork.FAMILY;
import static io.evenkey.client.RandomWork.action;
import static io.evenkey.client.RandomWork.actions;
import static io.evenkey.client.RandomWork.filter;
import static io.evenkey.client.RandomWork.key;
import static io.evenkey.client.RandomWork.scan;
import static io.evenkey.client.RowActions.run;
import static io.evenkey.client.RowActions.seen;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.failure.FencedException;
import io.evenkey.client.internal.route.GuardSwitch;
import io.evenkey.client.internal.route.Resumption;
import io.evenkey.client.internal.route.Switching;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.protocol.guard.GuardMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * All operations on a table that becomes another generation and back while they are made: an
 * application sees nothing of it.
 */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RoutedOperationsIT {
  private static final long SEED = Long.getLong("evenkey.seed", 20261122L);
  private static final int SWITCHES = Integer.getInteger("evenkey.switches", 3);
  private static final int ACTIONS = Boolean.getBoolean("evenkey.deep") ? 1_000 : 100;
  private static final byte[] Q = Bytes.toBytes("q");
  private static final int ROWS = 400;

  private Connection plain;
  private Connection dropIn;
  private AsyncConnection async;
  private Configuration configuration;
  private GuardSwitch spread;
  private TableName name;

  @BeforeEach
  void open(Connection shared, TestInfo info) throws IOException {
    plain = shared;
    name = TableName.valueOf("routed_" + info.getTestMethod().orElseThrow().getName());
    spread = GuardSwitch.create(plain, name);
    configuration = spread.dropIn();
    // Scans are under way when the table is switched.
    configuration.setInt("hbase.client.scanner.caching", 10);
    dropIn = ConnectionFactory.createConnection(configuration);
    async = FutureUtils.get(ConnectionFactory.createAsyncConnection(configuration));
  }

  @AfterEach
  void close() throws IOException {
    async.close();
    dropIn.close();
  }

  /** The same table as HBase has them, to compare with. */
  private Table expected() throws IOException {
    TableName plainName = TableName.valueOf(name + "_plain");
    try (Admin admin = plain.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(plainName)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setMaxVersions(3).build())
              .build());
    }
    return plain.getTable(plainName);
  }

  private static List<String> texts(Object[] results) {
    return Arrays.stream(results).map(RowActions::seen).toList();
  }

  private static List<String> all(ResultScanner opened) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = opened) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        rows.add(seen(row));
      }
    }
    return rows;
  }

  private static List<Get> gets(SplittableRandom random) throws IOException {
    List<Get> gets = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      gets.add(new Get(key(random)).readVersions(3));
    }
    return gets;
  }

  @Test
  void tableAnswersAsAPlainOneWhileItIsSwitched() throws Exception {
    try (Table expected = expected();
        Table actual = dropIn.getTable(name);
        Switching switching = Switching.of(spread)) {
      int i = 0;
      for (int done = 0; done < ACTIONS || switching.switches() < SWITCHES; done++) {
        long seed = SEED + ++i;
        String ours = run(actual, action(new SplittableRandom(seed), i));
        String theirs = run(expected, action(new SplittableRandom(seed), i));
        assertThat(ours).as("action %d", i).isEqualTo(theirs);
        if (i % 10 == 0) {
          compareBatches(expected, actual, seed, 10L * i);
        }
        if (i % 20 == 0) {
          compareReads(expected, actual, seed);
        }
      }
    }
  }

  private static void compareBatches(Table expected, Table actual, long seed, long time)
      throws Exception {
    List<Row> ours = actions(seed, 100_000 + time);
    Object[] found = new Object[ours.size()];
    AtomicInteger called = new AtomicInteger();
    actual.batchCallback(ours, found, (region, row, result) -> called.incrementAndGet());
    List<Row> theirs = actions(seed, 100_000 + time);
    Object[] wanted = new Object[theirs.size()];
    expected.batch(theirs, wanted);
    assertThat(texts(found)).isEqualTo(texts(wanted));
    assertThat(called).hasValueGreaterThanOrEqualTo(found.length);
    SplittableRandom random = new SplittableRandom(seed);
    List<Put> puts = new ArrayList<>();
    List<Delete> deletes = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      puts.add(RandomWork.put(random, key(random), 100_005 + time));
      deletes.add(RandomWork.delete(random, key(random), 100_005 + time));
    }
    actual.put(puts);
    expected.put(puts);
    actual.delete(new ArrayList<>(deletes));
    expected.delete(new ArrayList<>(deletes));
  }

  private static void compareReads(Table expected, Table actual, long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    List<Get> gets = gets(random);
    assertThat(texts(actual.get(gets))).isEqualTo(texts(expected.get(gets)));
    assertThat(actual.exists(gets)).isEqualTo(expected.exists(gets));
    assertThat(actual.exists(gets.get(0))).isEqualTo(expected.exists(gets.get(0)));
    assertThat(seen(actual.get(gets.get(1)))).isEqualTo(seen(expected.get(gets.get(1))));
    for (int i = 0; i < 3; i++) {
      Scan scan = randomScan(random);
      assertThat(all(actual.getScanner(scan)))
          .as("scan %s", scan)
          .isEqualTo(all(expected.getScanner(scan)));
    }
  }

  private static Scan randomScan(SplittableRandom random) throws IOException {
    Scan scan = scan(random);
    if (scan.getBatch() > 0) {
      // The rest of a row cannot be read from another generation.
      scan.setBatch(-1);
    }
    if (!scan.isReversed() && random.nextBoolean()) {
      scan.setFilter(filter(random));
    }
    return Resumption.isPossible(scan) ? scan : scan.setFilter((Filter) null);
  }

  @Tag("long")
  @Test
  void asynchronousTableAnswersAsAPlainOneWhileItIsSwitched() throws Exception {
    AsyncTable<AdvancedScanResultConsumer> actual = async.getTable(name);
    try (Table expected = expected();
        Switching switching = Switching.of(spread)) {
      int i = 0;
      for (int done = 0; done < ACTIONS || switching.switches() < SWITCHES; done++) {
        long seed = SEED + ++i;
        String ours = run(actual, action(new SplittableRandom(seed), i));
        String theirs = run(expected, action(new SplittableRandom(seed), i));
        assertThat(ours).as("action %d", i).isEqualTo(theirs);
        if (i % 10 == 0) {
          List<Row> batch = actions(seed, 100_000 + 10L * i);
          Object[] wanted = new Object[batch.size()];
          expected.batch(batch, wanted);
          List<Object> found = FutureUtils.get(actual.batchAll(actions(seed, 100_000 + 10L * i)));
          assertThat(texts(found.toArray())).isEqualTo(texts(wanted));
        }
        if (i % 20 == 0) {
          compareReads(expected, actual, seed);
        }
      }
    }
  }

  private static void compareReads(
      Table expected, AsyncTable<AdvancedScanResultConsumer> actual, long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    List<Get> gets = gets(random);
    assertThat(texts(FutureUtils.get(actual.getAll(gets)).toArray()))
        .isEqualTo(texts(expected.get(gets)));
    assertThat(FutureUtils.get(actual.exists(gets.get(0)))).isEqualTo(expected.exists(gets.get(0)));
    for (int i = 0; i < 3; i++) {
      Scan scan = randomScan(random);
      List<String> wanted = all(expected.getScanner(scan));
      assertThat(texts(FutureUtils.get(actual.scanAll(scan)).toArray()))
          .as("scan %s", scan)
          .isEqualTo(wanted);
      assertThat(all(actual.getScanner(scan))).as("scanner %s", scan).isEqualTo(wanted);
      assertThat(observed(actual, scan, () -> {})).as("observer %s", scan).isEqualTo(wanted);
    }
  }

  private static List<String> observed(
      AsyncTable<AdvancedScanResultConsumer> table, Scan scan, Runnable inTheMiddle)
      throws Exception {
    CompletableFuture<List<String>> all = new CompletableFuture<>();
    List<String> rows = new ArrayList<>();
    table.scan(
        scan,
        new AdvancedScanResultConsumer() {
          private boolean suspended;

          @Override
          public void onNext(Result[] results, ScanController controller) {
            for (Result result : results) {
              rows.add(seen(result));
            }
            if (!suspended) {
              suspended = true;
              ScanResumer resumer = controller.suspend();
              new Thread(
                      () -> {
                        inTheMiddle.run();
                        resumer.resume();
                      })
                  .start();
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
        });
    return all.get(2, TimeUnit.MINUTES);
  }

  private void fill() throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(new Put(row(i)).addColumn(FAMILY, Q, new byte[1_000]));
    }
    try (Table table = dropIn.getTable(name)) {
      table.put(puts);
    }
  }

  private static byte[] row(int i) {
    return Bytes.toBytes(String.format(Locale.ROOT, "row%04d", i));
  }

  private void switched() {
    try {
      spread.toOther();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Scans that hold little, so that most is read after the switch. */
  private static List<Scan> scans() throws IOException {
    Scan all = new Scan().setCaching(10).setMaxResultSize(5_000);
    return List.of(
        all,
        new Scan(all).setReversed(true),
        new Scan(all).setLimit(250),
        new Scan(all).setLimit(250).setReversed(true),
        new Scan(all).withStartRow(row(20)).withStopRow(row(380), true),
        new Scan(all).setFilter(new ColumnPrefixFilter(Q)));
  }

  private static List<Integer> expectedRows(Scan scan) {
    List<Integer> rows = new ArrayList<>();
    int from = scan.getStartRow().length == 0 ? 0 : 20;
    int to = scan.getStopRow().length == 0 ? ROWS : 381;
    for (int i = from; i < to; i++) {
      rows.add(scan.isReversed() ? ROWS - 1 - i : i);
    }
    return scan.getLimit() > 0 ? rows.subList(0, scan.getLimit()) : rows;
  }

  private static int number(Result row) {
    return Integer.parseInt(Bytes.toString(row.getRow()).substring(3));
  }

  private List<Integer> switchedAtHalf(ResultScanner opened) throws IOException {
    List<Integer> rows = new ArrayList<>();
    try (ResultScanner scanner = opened) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        rows.add(number(row));
        if (rows.size() == 7) {
          spread.toOther();
        }
      }
    }
    return rows;
  }

  @Test
  void scansGoOnInTheOtherGeneration() throws Exception {
    fill();
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try (Table table = dropIn.getTable(name);
        SpreadTables tables = SpreadTables.on(dropIn)) {
      for (Scan scan : scans()) {
        List<Integer> wanted = expectedRows(scan);
        assertThat(switchedAtHalf(table.getScanner(scan))).isEqualTo(wanted);
        assertThat(switchedAtHalf(async.getTable(name).getScanner(scan))).isEqualTo(wanted);
        assertThat(observed(async.getTable(name), scan, this::switched)).hasSize(wanted.size());
        assertThat(pooled(async.getTable(name, pool), scan)).isEqualTo(wanted);
      }
      SpreadTable own = tables.open(name);
      Scan all = scans().get(0);
      assertThat(switchedAtHalf(own.scan(KeyRange.all(), all))).isEqualTo(expectedRows(all));
      List<Integer> selected = new ArrayList<>();
      try (KeyedRows rows = own.select().limit(300).open()) {
        for (KeyedRow row = rows.next(); row != null; row = rows.next()) {
          selected.add(number(row.result()));
          if (selected.size() == 7) {
            spread.toOther();
          }
        }
      }
      assertThat(selected).isEqualTo(expectedRows(new Scan().setLimit(300)));
      for (int i = 0; i < 5; i++) {
        assertThat(published(own.select().limit(300).publisher())).isEqualTo(selected);
        // It is begun in the generation that was left.
        spread.toOther();
      }
      assertThat(own.get(new Get(row(3))).isEmpty()).isFalse();
      own.put(new Put(row(3)).addColumn(FAMILY, Q, Q));
      own.delete(new Delete(row(4)));
      assertThat(own.get(List.of(new Get(row(3)), new Get(row(4)))))
          .extracting(Result::isEmpty)
          .containsExactly(false, true);
    } finally {
      pool.shutdownNow();
    }
  }

  @Tag("long")
  @Test
  void scansThatCannotGoOnAreBegunAgainBeforeTheirFirstRow() throws Exception {
    fill();
    Scan scan = new Scan().setFilter(new PageFilter(ROWS));
    assertThat(Resumption.isPossible(scan)).isFalse();
    try (Table table = dropIn.getTable(name)) {
      // Each client has read the generation before.
      assertThat(all(table.getScanner(scan))).hasSize(ROWS);
      switched();
      assertThat(all(table.getScanner(scan))).hasSize(ROWS);
      AsyncTable<AdvancedScanResultConsumer> later = async.getTable(name);
      assertThat(all(later.getScanner(scan))).hasSize(ROWS);
      switched();
      assertThat(all(later.getScanner(scan))).hasSize(ROWS);
      switched();
      assertThat(observed(later, scan, () -> {})).hasSize(ROWS);
    }
  }

  /** By a subscriber that asks for one row at a time. */
  private List<Integer> published(Flow.Publisher<KeyedRow> publisher) throws Exception {
    BlockingQueue<Object> events = new LinkedBlockingQueue<>();
    publisher.subscribe(
        new Flow.Subscriber<>() {
          @Override
          public void onSubscribe(Flow.Subscription subscription) {
            events.add(subscription);
          }

          @Override
          public void onNext(KeyedRow row) {
            events.add(number(row.result()));
          }

          @Override
          public void onError(Throwable error) {
            events.add(error);
          }

          @Override
          public void onComplete() {
            events.add("complete");
          }
        });
    Flow.Subscription subscription = (Flow.Subscription) events.take();
    List<Integer> rows = new ArrayList<>();
    for (; ; ) {
      subscription.request(1);
      Object event = events.take();
      if (!(event instanceof Integer row)) {
        assertThat(event).isEqualTo("complete");
        return rows;
      }
      rows.add(row);
      if (rows.size() == 7) {
        spread.toOther();
      }
    }
  }

  private List<Integer> pooled(AsyncTable<ScanResultConsumer> table, Scan scan) throws Exception {
    CompletableFuture<List<Integer>> all = new CompletableFuture<>();
    List<Integer> rows = new ArrayList<>();
    table.scan(
        scan,
        new ScanResultConsumer() {
          @Override
          public boolean onNext(Result row) {
            rows.add(number(row));
            if (rows.size() == 7) {
              switched();
            }
            return true;
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
    return all.get(2, TimeUnit.MINUTES);
  }

  @Test
  void mutationsDuringASwitchAreWrittenOnce() throws Exception {
    int given = 0;
    List<CompletableFuture<Void>> answers = new ArrayList<>();
    try (Switching switching = Switching.inTurns(spread);
        BufferedMutator mutator = dropIn.getBufferedMutator(name);
        AsyncBufferedMutator later = async.getBufferedMutator(name)) {
      while (given < ROWS || switching.switches() < SWITCHES) {
        Put put = new Put(row(given)).addColumn(FAMILY, Q, Bytes.toBytes(given));
        mutator.mutate(put);
        answers.add(later.mutate(new Put(row(given)).addColumn(FAMILY, FAMILY, Q)));
        if (++given % 50 == 0) {
          mutator.flush();
          later.flush();
          FutureUtils.get(CompletableFuture.allOf(answers.toArray(new CompletableFuture<?>[0])));
          switching.again();
        }
      }
    }
    FutureUtils.get(CompletableFuture.allOf(answers.toArray(new CompletableFuture<?>[0])));
    try (Table table = dropIn.getTable(name)) {
      for (int i = 0; i < given; i += 20) {
        List<Get> gets = new ArrayList<>();
        for (int k = i; k < Math.min(given, i + 20); k++) {
          gets.add(new Get(row(k)));
        }
        Result[] found = table.get(gets);
        for (int k = 0; k < found.length; k++) {
          assertThat(Bytes.toInt(found[k].getValue(FAMILY, Q))).isEqualTo(i + k);
          assertThat(found[k].containsColumn(FAMILY, FAMILY)).isTrue();
        }
      }
    }
  }

  @Test
  void incrementsFromManyThreadsAreCountedOnce() throws Exception {
    byte[] row = Bytes.toBytes("n");
    AtomicInteger made = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<CompletableFuture<Void>> workers = new ArrayList<>();
    try (Switching switching = Switching.of(spread)) {
      for (int i = 0; i < 4; i++) {
        boolean later = i % 2 == 0;
        workers.add(
            CompletableFuture.runAsync(
                () -> {
                  try (Table table = dropIn.getTable(name)) {
                    while (switching.switches() < SWITCHES) {
                      Increment one = new Increment(row).addColumn(FAMILY, Q, 1);
                      if (later) {
                        FutureUtils.get(async.getTable(name).increment(one));
                      } else {
                        table.increment(one);
                      }
                      made.incrementAndGet();
                    }
                  } catch (IOException e) {
                    throw new AssertionError(e);
                  }
                },
                threads));
      }
      for (CompletableFuture<Void> worker : workers) {
        worker.get();
      }
    } finally {
      threads.shutdownNow();
    }
    try (Table table = dropIn.getTable(name)) {
      assertThat(Bytes.toLong(table.get(new Get(row)).getValue(FAMILY, Q))).isEqualTo(made.get());
    }
  }

  @Test
  void fenceOfAMomentIsWaitedFor() throws Exception {
    try (Table table = dropIn.getTable(name)) {
      fill();
      spread.fence();
      CompletableFuture<Void> later =
          async.getTable(name).put(new Put(row(1)).addColumn(FAMILY, Q, Q));
      CompletableFuture<Void> now =
          CompletableFuture.runAsync(
              () -> {
                try {
                  table.put(new Put(row(2)).addColumn(FAMILY, Q, Q));
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      assertThat(table.get(new Get(row(1))).isEmpty()).as("reads go on").isFalse();
      TimeUnit.MILLISECONDS.sleep(300);
      assertThat(later).isNotDone();
      assertThat(now).isNotDone();
      spread.unfence();
      later.get(30, TimeUnit.SECONDS);
      now.get(30, TimeUnit.SECONDS);
      assertThat(table.get(new Get(row(1))).getValue(FAMILY, Q)).isEqualTo(Q);
      assertThat(table.get(new Get(row(2))).getValue(FAMILY, Q)).isEqualTo(Q);
    }
  }

  @Tag("long")
  @Test
  void writeThatIsRefusedForTooLongSaysWhatToDo() throws Exception {
    configuration.setInt("evenkey.migration.wait.ms", 300);
    spread.set(name, GuardMode.READ_ONLY);
    Put put = new Put(Q).addColumn(FAMILY, Q, Q);
    String[] message = {
      "the table's layout or indexes are being changed, and region servers rejected the operation"
          + " for too long: table="
          + name,
      "waited=",
      "look at the migration or look at the indexes"
    };
    try (Connection impatient = ConnectionFactory.createConnection(configuration);
        AsyncConnection later =
            FutureUtils.get(ConnectionFactory.createAsyncConnection(configuration));
        Table table = impatient.getTable(name)) {
      assertThatThrownBy(() -> table.put(put))
          .isInstanceOf(FencedException.class)
          .hasMessageContainingAll(message);
      assertThatThrownBy(() -> table.put(List.of(put)))
          .hasStackTraceContaining("rejected the operation for too long");
      assertThatThrownBy(() -> FutureUtils.get(later.getTable(name).put(put)))
          .isInstanceOf(FencedException.class)
          .hasMessageContainingAll(message);
      assertThat(table.get(new Get(Q)).isEmpty()).isTrue();
      spread.unfence();
      table.put(put);
    }
  }
}
