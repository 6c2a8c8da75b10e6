/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import static io.evenkey.client.internal.gather.WatchedTable.await;
import static io.evenkey.client.internal.gather.WatchedTable.keys;
import static io.evenkey.client.internal.gather.WatchedTable.settled;
import static io.evenkey.client.internal.gather.WatchedTable.upTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.ScanOptions;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** A scan of many ranges: its load on servers, its memory, and ranges that fail. */
@ExtendWith(EmbeddedHBaseExtension.class)
class GatherIT {
  private static final int BUCKETS = 8;
  private static final int ROWS = 8000;
  private static final int VALUE_BYTES = 1000;
  private static final long BUDGET = 1_000_000;

  private Configuration configuration;
  private String name;
  private WatchedTable watched;
  private Table table;

  @BeforeEach
  void fill(EmbeddedHBase hbase, TestInfo info) throws IOException {
    Watched.reset();
    configuration = hbase.configuration();
    configuration.setLong(ScanOptions.BUDGET, BUDGET);
    // The scanners of a check in the background would be counted too.
    configuration.set(EvenkeyConnection.CHECK, "off");
    configuration.setBoolean(Gather.ON_SERVERS, false);
    name = "gather_" + info.getTestMethod().orElseThrow().getName();
    watched = WatchedTable.create(configuration, name, BUCKETS, ROWS, VALUE_BYTES);
    table = watched.table();
    Watched.reset();
  }

  @AfterEach
  void close() throws IOException {
    watched.close();
  }

  @Test
  void othersReadAheadWithinTheBudgetWhileOneRangeIsHeldUp() throws IOException {
    Watched.holdUp(3);
    try (ResultScanner scanner = table.getScanner(new Scan())) {
      long sent = settled();
      for (int bucket = 0; bucket < BUCKETS; bucket++) {
        assertThat(Watched.sent(bucket) > 0).as("rows of %d", bucket).isEqualTo(bucket != 3);
      }
      assertThat(sent * VALUE_BYTES).as("bytes held").isLessThan(2 * BUDGET);
      Watched.letGo();
      assertThat(keys(scanner)).isEqualTo(upTo(ROWS));
    }
    await(() -> Watched.open() == 0);
  }

  @Test
  void aLimitAsksEachRangeForItsPortionAndLeavesNothingOpen() throws IOException {
    for (int limit : new int[] {1, 10, 1000}) {
      Watched.reset();
      try (ResultScanner scanner = table.getScanner(new Scan().setLimit(limit))) {
        assertThat(keys(scanner)).isEqualTo(upTo(limit));
      }
      await(() -> Watched.open() == 0);
      assertThat(Watched.sent()).as("rows sent for %d", limit).isLessThan(2L * limit + 6 * BUCKETS);
    }
  }

  @Test
  void aScanThatIsClosedEarlyIsCalledOff() throws IOException {
    try (ResultScanner scanner = table.getScanner(new Scan())) {
      assertThat(scanner.next()).isNotNull();
      settled();
    }
    long sent = Watched.sent();
    await(() -> Watched.open() == 0);
    // HBase has to be asked once more to hear that it shall stop.
    assertThat(Watched.sent()).isLessThanOrEqualTo(sent + BUCKETS);
  }

  @Test
  void aRangeThatFailsIsNamed() throws IOException {
    Watched.fail(5);
    try (ResultScanner scanner = table.getScanner(new Scan())) {
      assertThatThrownBy(() -> keys(scanner))
          .hasMessageContaining("broken for the test")
          .satisfies(
              failure ->
                  assertThat(failure.getSuppressed())
                      .anySatisfy(
                          range ->
                              assertThat(range)
                                  .hasMessageContaining("table=" + table.getName())
                                  .hasMessageContaining("range=[\\x05, \\x06)")
                                  .hasMessageContaining("server=localhost")));
      assertThat(scanner.next()).as("said once").isNull();
    }
    await(() -> Watched.open() == 0);
  }

  @Tag("long")
  @Test
  void aRangeThatCanNeverBeReadIsNotTriedAgain() throws IOException {
    try (ResultScanner scanner = table.getScanner(new Scan())) {
      assertThat(scanner.next()).isNotNull();
      settled();
      Watched.fail(5);
      assertThatThrownBy(() -> keys(scanner))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("broken for the test")
          .satisfies(
              failure ->
                  assertThat(failure.getSuppressed())
                      .anySatisfy(
                          range -> assertThat(range).hasMessageContaining("range=[\\x05, \\x06)")));
      assertThat(Watched.failed()).as("requests that failed").isOne();
    }
    await(() -> Watched.open() == 0);
  }

  @Test
  void aReaderThatIsInterruptedStaysInterruptedAndCanReadOn() throws IOException {
    Watched.holdUp(3);
    try (ResultScanner scanner = table.getScanner(new Scan())) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(scanner::next).isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).isTrue();
      Watched.letGo();
      assertThat(keys(scanner)).isEqualTo(upTo(ROWS));
    }
  }

  private static final int MANY = 16_384;

  @Tag("long")
  @Test
  void aScanOfVeryManyRangesCanBeClosedEarly() throws IOException {
    try (WatchedTable many = WatchedTable.create(configuration, name + "_many", MANY, 100, 10)) {
      Watched.holdUp(0);
      try (ResultScanner scanner = many.table().getScanner(new Scan())) {
        await(() -> Watched.open() > 0);
        assertThat(scanner.renewLease()).as("before the first row").isFalse();
      }
      Watched.letGo();
      await(() -> Watched.open() == 0);
      try (ResultScanner scanner = many.table().getScanner(new Scan().setLimit(1))) {
        assertThat(keys(scanner)).containsExactly(0);
      }
    }
  }

  /** Fails as the test says. */
  private static final class Failing implements AdvancedScanResultConsumer {
    final AtomicInteger ends = new AtomicInteger();
    final CompletableFuture<Throwable> error = new CompletableFuture<>();
    private final Throwable onNext;

    Failing(Throwable onNext) {
      this.onNext = onNext;
    }

    @Override
    public void onNext(Result[] results, ScanController controller) {
      raise(onNext);
    }

    @Override
    public void onError(Throwable failure) {
      ends.incrementAndGet();
      error.complete(failure);
      throw new IllegalStateException("fails to hear of it, too");
    }

    @Override
    public void onComplete() {
      ends.incrementAndGet();
    }
  }

  @SuppressWarnings("unchecked") // as code in other languages throws checked exceptions
  private static <E extends Throwable> void raise(Throwable failure) throws E {
    throw (E) failure;
  }

  private AsyncConnection async() throws Exception {
    configuration.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    return ConnectionFactory.createAsyncConnection(configuration).get();
  }

  @Test
  void anObserverGetsItsOwnFailureAndItsScanEnds() throws Exception {
    try (AsyncConnection connection = async()) {
      for (Throwable failure :
          List.of(
              new IllegalStateException("for the test"),
              new AssertionError("for the test"),
              new Exception("for the test"))) {
        Failing observer = new Failing(failure);
        connection.getTable(table.getName()).scan(new Scan(), observer);
        assertThat(observer.error.get(30, TimeUnit.SECONDS)).isSameAs(failure);
        await(() -> Watched.open() == 0);
        assertThat(observer.ends).hasValue(1);
      }
    }
  }

  @Test
  void anObserverInAPoolGetsItsOwnFailure() throws Exception {
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try (AsyncConnection connection = async()) {
      CompletableFuture<Throwable> error = new CompletableFuture<>();
      connection
          .getTable(table.getName(), pool)
          .scan(
              new Scan(),
              new ScanResultConsumer() {
                @Override
                public boolean onNext(Result result) {
                  throw new IllegalStateException("for the test");
                }

                @Override
                public void onError(Throwable failure) {
                  error.complete(failure);
                }

                @Override
                public void onComplete() {}
              });
      assertThat(error.get(30, TimeUnit.SECONDS)).hasMessage("for the test");
      await(() -> Watched.open() == 0);
    } finally {
      pool.shutdownNow();
    }
  }

  /** Fails at its first row. */
  private static final class FailingSubscriber implements Flow.Subscriber<KeyedRow> {
    final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
    final AtomicInteger rows = new AtomicInteger();
    final AtomicInteger ends = new AtomicInteger();

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription.complete(given);
    }

    @Override
    public void onNext(KeyedRow row) {
      rows.incrementAndGet();
      throw new AssertionError("for the test");
    }

    @Override
    public void onError(Throwable error) {
      ends.incrementAndGet();
    }

    @Override
    public void onComplete() {
      ends.incrementAndGet();
    }
  }

  @Tag("long")
  @Test
  void aSubscriberThatFailsGetsNoFurtherCallAndItsScanEnds() throws Exception {
    try (WatchedTable large =
            WatchedTable.create(configuration, name + "_l", BUCKETS, 1200, 50_000);
        SpreadTables tables = SpreadTables.on(large.connection())) {
      FailingSubscriber subscriber = new FailingSubscriber();
      tables.open(large.table().getName()).select().publisher().subscribe(subscriber);
      settled();
      assertThat(Watched.open()).isPositive();
      assertThatThrownBy(() -> subscriber.subscription.get().request(10))
          .isInstanceOf(AssertionError.class);
      await(() -> Watched.open() == 0);
      subscriber.subscription.get().request(10);
      assertThat(subscriber.rows).as("a failure cancels").hasValue(1);
      assertThat(subscriber.ends).hasValue(0);
    }
  }
}
