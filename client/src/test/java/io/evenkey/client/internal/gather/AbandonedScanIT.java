/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import static io.evenkey.client.internal.gather.WatchedTable.await;
import static io.evenkey.client.internal.gather.WatchedTable.key;
import static io.evenkey.client.internal.gather.WatchedTable.keys;
import static io.evenkey.client.internal.gather.WatchedTable.settled;
import static io.evenkey.client.internal.gather.WatchedTable.upTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.ScanOptions;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** The scanners that servers hold for a scan that its application neither reads nor closes. */
@ExtendWith(EmbeddedHBaseExtension.class)
class AbandonedScanIT {
  private static final int BUCKETS = 8;
  private static final String IDLE = "evenkey.scan.idle.ms";
  private static final int NEVER_IN_A_TEST = 3_600_000;

  private Configuration configuration;
  private String name;

  @BeforeEach
  void configure(EmbeddedHBase hbase, TestInfo info) {
    Watched.reset();
    configuration = hbase.configuration();
    configuration.setLong(ScanOptions.BUDGET, 1_000_000);
    // The scanners of a check in the background would be counted too.
    configuration.set(EvenkeyConnection.CHECK, "off");
    name = "abandoned_" + info.getTestMethod().orElseThrow().getName();
  }

  @AfterEach
  void reset() {
    Watched.reset();
  }

  private WatchedTable table(int idleMs) throws IOException {
    configuration.setInt(IDLE, idleMs);
    return WatchedTable.create(configuration, name, BUCKETS, 8_000, 1_000);
  }

  /** For {@link SpreadTables}, whose scans have a budget of 32 MB. */
  private WatchedTable largeTable(int idleMs) throws IOException {
    configuration.setInt(IDLE, idleMs);
    return WatchedTable.create(configuration, name, BUCKETS, 1_200, 50_000);
  }

  private static void awaitOpen() {
    settled();
    assertThat(Watched.open()).isPositive();
  }

  private static void awaitCollected(WeakReference<?> reference) {
    await(
        () -> {
          System.gc();
          return reference.get() == null;
        });
  }

  @Test
  void aScannerThatIsNotReadReleasesItsScannersAndContinues() throws IOException {
    try (WatchedTable table = table(500);
        ResultScanner scanner = table.table().getScanner(new Scan())) {
      List<Integer> keys = new ArrayList<>();
      for (int pause = 0; pause < 3; pause++) {
        for (int i = 0; i < 1_000; i++) {
          keys.add(key(scanner.next()));
        }
        await(() -> Watched.open() == 0);
      }
      keys.addAll(keys(scanner));
      assertThat(keys).isEqualTo(upTo(8_000));
    }
    await(() -> Watched.open() == 0);
  }

  @Tag("long")
  @Test
  void aReversedScanWithALimitGoesOnWhereItWas() throws IOException {
    try (WatchedTable table = table(500);
        ResultScanner scanner =
            table.table().getScanner(new Scan().setReversed(true).setLimit(5_000))) {
      List<Integer> keys = new ArrayList<>();
      keys.add(key(scanner.next()));
      await(() -> Watched.open() == 0);
      keys.addAll(keys(scanner));
      List<Integer> expected = upTo(8_000);
      Collections.reverse(expected);
      assertThat(keys).isEqualTo(expected.subList(0, 5_000));
    }
  }

  @Tag("long")
  @Test
  void aRangeThatIsHeldUpDoesNotMakeAScanIdle() throws Exception {
    try (WatchedTable table = table(500)) {
      Watched.holdUp(3);
      try (ResultScanner scanner = table.table().getScanner(new Scan())) {
        CompletableFuture<Integer> first =
            CompletableFuture.supplyAsync(
                () -> {
                  try {
                    return key(scanner.next());
                  } catch (IOException e) {
                    throw new IllegalStateException(e);
                  }
                });
        settled();
        int open = Watched.open();
        long began = System.nanoTime();
        await(
            () -> {
              assertThat(Watched.open()).isEqualTo(open);
              return System.nanoTime() - began > 2_000_000_000L;
            });
        Watched.letGo();
        assertThat(first.get()).isZero();
      }
    }
  }

  @Test
  void aScannerThatIsGarbageReleasesItsScanners() throws IOException {
    try (WatchedTable table = table(NEVER_IN_A_TEST)) {
      ResultScanner scanner = table.table().getScanner(new Scan());
      assertThat(key(scanner.next())).isZero();
      awaitOpen();
      WeakReference<?> reference = new WeakReference<>(scanner);
      scanner = null;
      awaitCollected(reference);
      await(() -> Watched.open() == 0);
    }
  }

  /** Suspends the scan after some rows, until the test lets it go on. */
  private static final class Suspending implements AdvancedScanResultConsumer {
    final List<Integer> keys = Collections.synchronizedList(new ArrayList<>());
    final CompletableFuture<ScanResumer> suspended = new CompletableFuture<>();
    final CompletableFuture<Void> end = new CompletableFuture<>();

    @Override
    public void onNext(Result[] results, ScanController controller) {
      for (Result result : results) {
        keys.add(key(result));
      }
      if (!suspended.isDone()) {
        suspended.complete(controller.suspend());
      }
    }

    @Override
    public void onError(Throwable error) {
      end.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
      end.complete(null);
    }
  }

  private AsyncConnection async() throws Exception {
    configuration.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    return ConnectionFactory.createAsyncConnection(configuration).get();
  }

  @Tag("long")
  @Test
  void aSuspendedScanReleasesItsScannersAndContinuesWhenResumed() throws Exception {
    try (WatchedTable table = table(500);
        AsyncConnection connection = async()) {
      Suspending observer = new Suspending();
      connection.getTable(table.table().getName()).scan(new Scan(), observer);
      AdvancedScanResultConsumer.ScanResumer resumer = observer.suspended.get();
      await(() -> Watched.open() == 0);
      assertThat(observer.end).isNotDone();
      resumer.resume();
      observer.end.get();
      assertThat(observer.keys).isEqualTo(upTo(8_000));
    }
  }

  @Tag("long")
  @Test
  void aScanThatCanNeverBeResumedReleasesItsScanners() throws Exception {
    try (WatchedTable table = table(NEVER_IN_A_TEST);
        AsyncConnection connection = async()) {
      WeakReference<?> reference = suspended(connection, table);
      awaitCollected(reference);
      await(() -> Watched.open() == 0);
    }
  }

  private static WeakReference<?> suspended(AsyncConnection connection, WatchedTable table)
      throws Exception {
    Suspending observer = new Suspending();
    connection.getTable(table.table().getName()).scan(new Scan(), observer);
    observer.suspended.get();
    awaitOpen();
    return new WeakReference<>(observer);
  }

  @Tag("long")
  @Test
  void aScannerOfALateTableReleasesItsScannersAndContinues() throws Exception {
    try (WatchedTable table = table(500);
        AsyncConnection connection = async();
        ResultScanner scanner =
            connection.getTable(table.table().getName()).getScanner(new Scan())) {
      assertThat(key(scanner.next())).isZero();
      await(() -> Watched.open() == 0);
      assertThat(keys(scanner)).isEqualTo(upTo(8_000).subList(1, 8_000));
    }
  }

  /** Asks for rows when the test says so. */
  private static final class FetchSize implements Flow.Subscriber<KeyedRow> {
    final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
    final List<Integer> keys = Collections.synchronizedList(new ArrayList<>());
    final CompletableFuture<Void> end = new CompletableFuture<>();

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription.complete(given);
    }

    @Override
    public void onNext(KeyedRow row) {
      keys.add(Bytes.toInt(row.key()));
    }

    @Override
    public void onError(Throwable error) {
      end.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
      end.complete(null);
    }
  }

  @Tag("long")
  @Test
  void aPublisherWithoutRequestsReleasesItsScannersAndContinues() throws Exception {
    try (WatchedTable table = largeTable(500);
        SpreadTables tables = SpreadTables.on(table.connection())) {
      FetchSize subscriber = new FetchSize();
      tables.open(table.table().getName()).select().publisher().subscribe(subscriber);
      Flow.Subscription subscription = subscriber.subscription.get();
      subscription.request(10);
      await(() -> subscriber.keys.size() == 10);
      await(() -> Watched.open() == 0);
      subscription.request(Long.MAX_VALUE);
      subscriber.end.get();
      assertThat(subscriber.keys).isEqualTo(upTo(1_200));
    }
  }

  @Tag("long")
  @Test
  void aPublisherWhoseSubscriberIsGarbageReleasesItsScanners() throws Exception {
    try (WatchedTable table = largeTable(NEVER_IN_A_TEST);
        SpreadTables tables = SpreadTables.on(table.connection())) {
      WeakReference<?> reference = subscribed(tables, table);
      awaitCollected(reference);
      await(() -> Watched.open() == 0);
    }
  }

  private static WeakReference<?> subscribed(SpreadTables tables, WatchedTable table)
      throws Exception {
    @Nullable FetchSize subscriber = new FetchSize();
    tables.open(table.table().getName()).select().publisher().subscribe(subscriber);
    subscriber.subscription.get().request(10);
    FetchSize asking = subscriber;
    await(() -> asking.keys.size() == 10);
    awaitOpen();
    return new WeakReference<>(subscriber);
  }
}
