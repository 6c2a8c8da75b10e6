/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.internal.trace.OperationSpan;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The scan timeout of a table bounds each wait of a reader, through all attempts at a range. */
@Timeout(60)
class ScanWaitTest {
  private static final long BRIEF_MS = 50;

  /** Long enough for a thread that is about to answer, on a busy machine too. */
  private static final long PAUSE_MS = 2_000;

  private static final GatherOrder ORDER = new GatherOrder(1, false, 0, row -> row);

  /** A table of two ranges on one server, with a row in the first of them and two in the second. */
  private static TableByHand table(long timeoutMs) {
    TableByHand table = new TableByHand(1);
    table.scanTimeout(timeoutMs);
    table.put(new byte[] {0, 1}, 1, 1);
    table.put(new byte[] {1, 2}, 1, 1);
    table.put(new byte[] {1, 3}, 1, 1);
    return table;
  }

  private static ScanRanges ranges() {
    List<Scan> scans = new ArrayList<>();
    for (byte bucket = 0; bucket < 2; bucket++) {
      scans.add(
          new Scan()
              .setMaxResultSize(1_000)
              .withStartRow(new byte[] {bucket})
              .withStopRow(new byte[] {(byte) (bucket + 1)}));
    }
    return ScanRanges.of(scans);
  }

  private static TimedScanner scanner(TableByHand table) throws IOException {
    return Gather.of(table.table(), ranges(), ORDER, OperationSpan.NONE, null);
  }

  /** Rows, until there are no more; suspends the scan behind the first. */
  private static final class Observer implements AdvancedScanResultConsumer {
    private final List<Integer> rows = new ArrayList<>();
    private final CompletableFuture<List<Integer>> all = new CompletableFuture<>();
    private final CompletableFuture<ScanResumer> suspended = new CompletableFuture<>();

    @Override
    public void onNext(Result[] results, ScanController controller) {
      for (Result result : results) {
        rows.add((int) result.getRow()[1]);
      }
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

  private static Observer observe(TableByHand table) {
    Observer observer = new Observer();
    AsyncGather.start(table.table(), ranges(), ORDER, OperationSpan.NONE, observer);
    return observer;
  }

  private static void passes(long ms) {
    long began = System.nanoTime();
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> System.nanoTime() - began > TimeUnit.MILLISECONDS.toNanos(ms));
  }

  private static void isLate(Throwable failure) {
    assertThat(failure)
        .isInstanceOf(RetriesExhaustedException.class)
        .hasMessageContaining("operation timed out: table=by_hand timeout=" + BRIEF_MS + " ms");
  }

  @Test
  void aRangeThatFailsAndIsNotAnsweredAgainEndsWithTheTimeout() throws IOException {
    TableByHand blocking = table(BRIEF_MS);
    try (TimedScanner scanner = scanner(blocking)) {
      blocking.atWork().get(0).fail(TableByHand.connectionLost());
      Throwable late = catchThrowable(scanner::next);
      isLate(late);
      assertThat(late).hasRootCauseMessage("connection lost");
      assertThat(scanner.next()).as("closed").isNull();
    }
    TableByHand later = table(BRIEF_MS);
    Observer observer = observe(later);
    later.atWork().get(0).fail(TableByHand.connectionLost());
    isLate(FutureUtils.unwrapCompletionException(catchThrowable(observer.all::join)));
  }

  @Test
  void aScanOfWhichNothingIsAnsweredEndsWithTheTimeout() throws IOException {
    try (TimedScanner scanner = scanner(table(BRIEF_MS))) {
      isLate(catchThrowable(scanner::next));
    }
    Observer observer = observe(table(BRIEF_MS));
    isLate(FutureUtils.unwrapCompletionException(catchThrowable(observer.all::join)));
  }

  /** Answers all that is asked for when the reader waits, until it has all rows. */
  private static CompletableFuture<Void> server(TableByHand table, CompletableFuture<?> over) {
    return CompletableFuture.runAsync(
        () -> {
          while (!over.isDone()) {
            synchronized (table) {
              table.atWork().forEach(TableByHand.Opened::complete);
            }
            Thread.onSpinWait();
          }
        });
  }

  @Test
  void thePauseOfAnApplicationIsNotTheTimeOfAServer() throws Exception {
    TableByHand blocking = table(PAUSE_MS);
    TableByHand later = table(PAUSE_MS);
    Observer observer = observe(later);
    try (TimedScanner scanner = scanner(blocking)) {
      for (TableByHand table : List.of(blocking, later)) {
        List<TableByHand.Opened> open = table.atWork();
        open.get(0).send(1);
        open.get(1).send(1);
      }
      assertThat(scanner.next().getRow()).containsExactly(0, 1);
      AdvancedScanResultConsumer.ScanResumer resumer = observer.suspended.get();
      passes(PAUSE_MS);
      for (TableByHand table : List.of(blocking, later)) {
        table.atWork().get(1).send(1);
      }
      CompletableFuture<Void> over = new CompletableFuture<>();
      CompletableFuture<Void> server = server(blocking, over);
      assertThat(scanner.next().getRow()).containsExactly(1, 2);
      assertThat(scanner.next().getRow()).containsExactly(1, 3);
      assertThat(scanner.next()).isNull();
      over.complete(null);
      server.get();
      resumer.resume();
      later.atWork().forEach(TableByHand.Opened::complete);
      assertThat(observer.all.get()).containsExactly(1, 2, 3);
    }
  }

  @Test
  void aRowThatHasComeTakesNoLookAtTheClock() throws IOException {
    TableByHand table = table(0);
    try (TimedScanner scanner = scanner(table)) {
      table.atWork().get(0).send(1);
      table.atWork().get(1).send(2);
      new ArrayList<>(table.atWork()).forEach(TableByHand.Opened::complete);
      scanner.next();
      scanner.next();
      long since = scanner.waitingSince();
      scanner.next();
      assertThat(scanner.waitingSince()).isEqualTo(since);
      assertThat(scanner.next()).isNull();
    }
  }
}
