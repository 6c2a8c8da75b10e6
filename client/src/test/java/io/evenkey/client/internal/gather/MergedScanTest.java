/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.internal.trace.OperationSpan;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scans of many ranges, whose servers answer in any order that a seed says. */
@Timeout(60)
class MergedScanTest {
  private static final long SEED = Long.getLong("evenkey.seed", 20261122L);
  private static final int RUNS = 400;

  /** The calls that an observer gets from a scan of the ranges. */
  private static final class Seen implements AdvancedScanResultConsumer {
    private final List<String> rows = new ArrayList<>();
    private final List<byte[]> cursors = new ArrayList<>();
    private int heartbeats;
    private int completed;
    private Throwable failure;
    private ScanMetrics metrics;
    private int stopAfter = Integer.MAX_VALUE;
    private ScanResumer suspended;
    private boolean suspends;

    @Override
    public void onNext(Result[] results, ScanController controller) {
      assertThat(results).isNotEmpty();
      for (Result result : results) {
        rows.add(text(result.getRow()));
      }
      if (rows.size() >= stopAfter) {
        controller.terminate();
      } else if (suspends) {
        suspended = controller.suspend();
      }
    }

    @Override
    public void onHeartbeat(ScanController controller) {
      heartbeats++;
      controller.cursor().ifPresent(cursor -> cursors.add(cursor.getRow()));
    }

    @Override
    public void onError(Throwable error) {
      failure = error;
    }

    @Override
    public void onComplete() {
      completed++;
    }

    @Override
    public void onScanMetricsCreated(ScanMetrics created) {
      metrics = created;
    }
  }

  private static String text(byte[] physical) {
    return Bytes.toStringBinary(physical, 1, physical.length - 1);
  }

  private static byte[] row(int bucket, int key) {
    return new byte[] {(byte) bucket, (byte) (key >> 8), (byte) key};
  }

  /** Fills buckets, and gives their logical keys in order. */
  private static List<String> fill(TableByHand table, SplittableRandom random, int buckets) {
    return fill(table, random, buckets, random.nextInt(120));
  }

  private static List<String> fill(
      TableByHand table, SplittableRandom random, int buckets, int rows) {
    TreeSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
    for (int i = 0; i < rows; i++) {
      int key = random.nextInt(40_000);
      if (keys.add(row(0, key))) {
        table.put(row(random.nextInt(buckets), key), 1 + random.nextInt(3), random.nextInt(200));
      }
    }
    return keys.stream().map(MergedScanTest::text).toList();
  }

  private static List<Scan> scans(int buckets, boolean reversed, UnaryOperator<Scan> with) {
    List<Scan> scans = new ArrayList<>();
    for (int bucket = 0; bucket < buckets; bucket++) {
      byte[] first = {(byte) bucket};
      byte[] next = {(byte) (bucket + 1)};
      Scan scan = new Scan().setMaxResultSize(1_000).setReversed(reversed);
      if (reversed) {
        scan.withStartRow(next, false).withStopRow(first, true);
      } else {
        scan.withStartRow(first).withStopRow(next);
      }
      scans.add(with.apply(scan));
    }
    return scans;
  }

  private static GatherOrder order(boolean reversed, long limit) {
    return new GatherOrder(1, reversed, limit, row -> row);
  }

  private static void run(TableByHand table, SplittableRandom random, Seen seen) {
    boolean more = true;
    while (more) {
      more = table.step(random);
      if (seen.suspended != null && (!more || random.nextInt(4) == 0)) {
        AdvancedScanResultConsumer.ScanResumer resumer = seen.suspended;
        seen.suspended = null;
        resumer.resume();
        more = true;
      }
    }
  }

  @Test
  void rowsComeOnceAndInOrderHoweverTheServersAnswer() {
    for (int i = 0; i < RUNS; i++) {
      SplittableRandom random = new SplittableRandom(SEED + i);
      int buckets = 1 + random.nextInt(12);
      boolean reversed = random.nextInt(4) == 0;
      int limit = random.nextInt(3) == 0 ? 1 + random.nextInt(40) : 0;
      TableByHand table = new TableByHand(1 + random.nextInt(3));
      List<String> expected = new ArrayList<>(fill(table, random, buckets));
      if (reversed) {
        Collections.reverse(expected);
      }
      if (limit > 0 && limit < expected.size()) {
        expected = expected.subList(0, limit);
      }
      Seen seen = new Seen();
      seen.suspends = random.nextInt(3) == 0;
      start(table.table(), scans(buckets, reversed, scan -> scan), order(reversed, limit), seen);
      run(table, random, seen);
      String what = "seed " + (SEED + i);
      assertThat(seen.failure).as(what).isNull();
      assertThat(seen.rows).as(what).isEqualTo(expected);
      assertThat(seen.completed).as(what).isEqualTo(1);
      assertThat(table.opened()).as(what + ": scans left open").isEmpty();
      assertThat(table.mostAtOnce()).as(what).isLessThanOrEqualTo(ServerQueues.REQUESTS_AT_ONCE);
    }
  }

  /** The physical ranges of a layout with slices begin and end at different keys. */
  private static List<Scan> scans(Layout layout, KeyRange range, boolean reversed) {
    List<Scan> scans = new ArrayList<>();
    for (KeyRange physical : layout.scatter(range).ranges()) {
      Scan scan = new Scan().setMaxResultSize(1_000).setReversed(reversed);
      scans.add(
          reversed
              ? scan.withStartRow(physical.stop(), false).withStopRow(physical.start(), true)
              : scan.withStartRow(physical.start()).withStopRow(physical.stop()));
    }
    return scans;
  }

  private static GatherOrder bySlices(boolean reversed, long limit) {
    return new GatherOrder(1, reversed, limit, row -> row, 2, 0, null);
  }

  @Test
  void rowsOfSlicesComeOnceAndInOrderHoweverFewThereAre() {
    for (int i = 0; i < RUNS; i++) {
      SplittableRandom random = new SplittableRandom(SEED + i);
      boolean reversed = random.nextInt(3) == 0;
      boolean descending = random.nextInt(3) == 0;
      int over = 1 + random.nextInt(4);
      Layout layout =
          Layout.parse(
              "salt(%d, n / %d; over=%d) + n:uint16%s"
                  .formatted(
                      over + random.nextInt(20),
                      2 + random.nextInt(300),
                      over,
                      descending ? " desc" : ""));
      TableByHand table = new TableByHand(1 + random.nextInt(3));
      int most = random.nextBoolean() ? 400 : 65_536;
      TreeSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
      for (int rows = random.nextInt(150); rows > 0; rows--) {
        byte[] row = layout.encode(Values.of("n", random.nextInt(most)));
        if (keys.add(layout.logical(row))) {
          table.put(row, 1, random.nextInt(200));
        }
      }
      byte[] start = layout.logicalKey(Values.of("n", random.nextInt(most)));
      byte[] stop = layout.logicalKey(Values.of("n", random.nextInt(most)));
      KeyRange range =
          KeyRange.of(
              random.nextInt(3) == 0 ? new byte[0] : start,
              random.nextInt(3) == 0 ? new byte[0] : stop);
      List<String> expected = new ArrayList<>();
      keys.stream().filter(range::contains).forEach(key -> expected.add(Bytes.toStringBinary(key)));
      if (reversed) {
        Collections.reverse(expected);
      }
      int limit = random.nextInt(3) == 0 ? 1 + random.nextInt(40) : 0;
      Seen seen = new Seen();
      seen.suspends = random.nextInt(3) == 0;
      start(table.table(), scans(layout, range, reversed), bySlices(reversed, limit), seen);
      run(table, random, seen);
      String what = "seed " + (SEED + i) + " " + layout + " " + range;
      assertThat(seen.failure).as(what).isNull();
      assertThat(seen.rows)
          .as(what)
          .isEqualTo(limit == 0 ? expected : expected.subList(0, Math.min(limit, expected.size())));
      assertThat(seen.completed).as(what).isEqualTo(1);
      assertThat(table.opened()).as(what + ": scans left open").isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aShortScanOpensTheBucketsOfTheSliceThatItBeginsIn(boolean reversed) {
    Layout layout = Layout.parse("salt(200, n / 1000; over=6) + n:uint16");
    TableByHand table = new TableByHand(100);
    for (int n = 0; n < 20_000; n++) {
      table.put(layout.encode(Values.of("n", n)), 1, 1);
    }
    byte[] at = layout.logicalKey(Values.of("n", 5_500));
    KeyRange range = reversed ? KeyRange.of(new byte[0], at) : KeyRange.of(at, new byte[0]);
    Seen seen = new Seen();
    start(table.table(), scans(layout, range, reversed), bySlices(reversed, 10), seen);
    assertThat(table.opened()).hasSize(6);
    run(table, new SplittableRandom(SEED), seen);
    assertThat(seen.rows).hasSize(10);
    assertThat(table.sent()).isLessThanOrEqualTo(6 * 6);
    assertThat(table.opened()).isEmpty();
  }

  @Test
  void aScanOfSlicesThatAreEmptyOpensTwiceAsManyRangesEachTime() {
    Layout layout = Layout.parse("salt(200, n / 10; over=2) + n:uint16");
    TableByHand table = new TableByHand(100);
    Seen seen = new Seen();
    start(
        table.table(),
        scans(layout, KeyRange.of(new byte[] {1, 0}, new byte[0]), false),
        bySlices(false, 0),
        seen);
    List<Integer> opened = new ArrayList<>();
    while (!table.opened().isEmpty()) {
      opened.add(table.opened().size());
      int before = table.opened().size();
      while (table.opened().size() > 0 && table.opened().size() <= before && seen.completed == 0) {
        table.step(new SplittableRandom(SEED));
        before = Math.min(before, table.opened().size());
      }
    }
    assertThat(opened).hasSizeLessThanOrEqualTo(8);
    assertThat(seen.completed).isEqualTo(1);
  }

  @Test
  void aScanThatBreaksOffGoesOnBehindItsLastRow() {
    SplittableRandom random = new SplittableRandom(SEED);
    TableByHand table = new TableByHand(2);
    List<String> expected = fill(table, random, 3, 60);
    Seen seen = new Seen();
    start(table.table(), scans(3, false, scan -> scan), order(false, 0), seen);
    for (TableByHand.Opened scan : table.atWork()) {
      scan.send(2);
      scan.fail(TableByHand.connectionLost());
    }
    await().atMost(Duration.ofMinutes(1)).until(() -> table.atWork().size() == 3);
    assertThat(table.atWork()).allMatch(scan -> scan.scan().getStartRow().length == 3);
    run(table, random, seen);
    assertThat(seen.failure).isNull();
    assertThat(seen.rows).isEqualTo(expected);
  }

  @Test
  void aFailureThatIsFinalEndsAllScansAndNamesItsRange() {
    TableByHand table = new TableByHand(2);
    fill(table, new SplittableRandom(SEED), 3);
    Seen seen = new Seen();
    start(table.table(), scans(3, false, scan -> scan), order(false, 0), seen);
    List<TableByHand.Opened> scans = table.atWork();
    scans.get(0).fail(new DoNotRetryIOException("no such family"));
    assertThat(seen.failure).hasMessage("no such family");
    assertThat(seen.failure.getSuppressed())
        .singleElement()
        .satisfies(
            range ->
                assertThat(range)
                    .hasMessageContainingAll(
                        "range not read: table=by_hand", "range=[\\x00, \\x01)", "server=server0"));
    scans.get(1).send(1);
    scans.get(2).heartbeat();
    run(table, new SplittableRandom(1), seen);
    assertThat(table.opened()).isEmpty();
    assertThat(seen.rows).isEmpty();
    assertThat(seen.completed).isZero();
  }

  @Test
  void anObserverMayEndTheScan() {
    for (int i = 0; i < 50; i++) {
      SplittableRandom random = new SplittableRandom(SEED + i);
      TableByHand table = new TableByHand(2);
      List<String> expected = fill(table, random, 4);
      Seen seen = new Seen();
      seen.stopAfter = 5;
      start(table.table(), scans(4, false, scan -> scan), order(false, 0), seen);
      run(table, random, seen);
      assertThat(seen.rows).isEqualTo(expected.subList(0, seen.rows.size()));
      assertThat(seen.completed).isEqualTo(1);
      assertThat(table.opened()).isEmpty();
    }
  }

  /** Of a row in pieces only the whole counts, and what is behind the limit is not sent. */
  @Test
  void aRowInPiecesIsOneRowOfTheLimit() {
    TableByHand table = new TableByHand(1);
    table.put(row(0, 1), 3, 1);
    table.put(row(0, 2), 1, 1);
    table.put(row(0, 3), 1, 1);
    Seen seen = new Seen();
    start(
        table.table(),
        scans(1, false, scan -> scan.setAllowPartialResults(true)),
        order(false, 2),
        seen);
    table.atWork().get(0).sendPiece(1);
    table.atWork().get(0).sendPiece(1);
    table.atWork().get(0).send(3);
    run(table, new SplittableRandom(1), seen);
    assertThat(seen.rows).containsExactly("\\x00\\x01", "\\x00\\x01", "\\x00\\x01", "\\x00\\x02");
    assertThat(seen.completed).isEqualTo(1);
  }

  @Test
  void aRangeThatIsReadAheadIsSuspendedUntilItsRowsAreTaken() {
    TableByHand table = new TableByHand(2);
    for (int key = 0; key < 40; key++) {
      table.put(row(key % 2, key), 1, 300);
    }
    Seen seen = new Seen();
    start(table.table(), scans(2, false, scan -> scan), order(false, 0), seen);
    TableByHand.Opened ahead = table.atWork().get(1);
    int sent = 0;
    while (table.atWork().contains(ahead)) {
      ahead.send(1);
      sent++;
    }
    assertThat(sent).as("rows of about 400 bytes until 1,000 are held").isBetween(2, 4);
    assertThat(seen.rows).isEmpty();
    table.atWork().get(0).send(10);
    assertThat(seen.rows).hasSize(2 * sent);
    assertThat(table.atWork()).contains(ahead);
    run(table, new SplittableRandom(1), seen);
    assertThat(seen.rows).hasSize(40);
  }

  @Test
  void aServerWorksOnFewScansAtOnceAndOnTheNextWhenOneIsAnswered() {
    TableByHand table = new TableByHand(1);
    for (int bucket = 0; bucket < 10; bucket++) {
      table.put(row(bucket, bucket), 1, 1);
      table.put(row(bucket, 100 + bucket), 1, 1);
    }
    Seen seen = new Seen();
    start(table.table(), scans(10, false, scan -> scan), order(false, 0), seen);
    assertThat(table.atWork()).hasSize(ServerQueues.REQUESTS_AT_ONCE);
    TableByHand.Opened first = table.atWork().get(0);
    first.send(1);
    assertThat(table.atWork()).as("others wait").hasSize(4).doesNotContain(first);
    run(table, new SplittableRandom(1), seen);
    assertThat(seen.rows).hasSize(20);
    assertThat(table.mostAtOnce()).isEqualTo(ServerQueues.REQUESTS_AT_ONCE);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 100})
  void ofALimitEachRangeIsAskedForItsPortion(int limit) {
    TableByHand table = new TableByHand(4);
    for (int key = 0; key < 800; key++) {
      table.put(row(key % 8, key), 1, 1);
    }
    Seen seen = new Seen();
    start(table.table(), scans(8, false, scan -> scan), order(false, limit), seen);
    int portion = table.opened().get(0).scan().getLimit();
    double mean = limit / 8.0;
    assertThat(portion).isEqualTo(Math.min(limit, (int) Math.ceil(mean + 3 * Math.sqrt(mean))));
    run(table, new SplittableRandom(1), seen);
    assertThat(seen.rows).hasSize(limit);
    assertThat(table.sent()).isLessThanOrEqualTo(8L * portion);
  }

  @Test
  void aRangeThatHoldsMoreThanItsPortionIsAskedAgainForTwiceAsMany() {
    TableByHand table = new TableByHand(4);
    for (int key = 0; key < 100; key++) {
      table.put(row(0, key), 1, 1);
    }
    table.put(row(1, 200), 1, 1);
    Seen seen = new Seen();
    start(table.table(), scans(4, false, scan -> scan), order(false, 50), seen);
    int portion = table.opened().get(0).scan().getLimit();
    assertThat(portion).isEqualTo(24);
    TableByHand.Opened first = table.opened().get(0);
    first.send(portion);
    first.complete();
    table.opened().stream().filter(o -> o.scan().getStartRow()[0] == 1).findFirst().get().send(1);
    List<TableByHand.Opened> others =
        table.opened().stream().filter(o -> o.scan().getStartRow()[0] > 0).toList();
    others.forEach(TableByHand.Opened::complete);
    assertThat(seen.rows).hasSize(24);
    assertThat(table.opened())
        .singleElement()
        .satisfies(
            again -> {
              assertThat(again.scan().getLimit()).isEqualTo(26);
              assertThat(again.scan().getStartRow()).isEqualTo(row(0, 23));
              assertThat(again.scan().includeStartRow()).isFalse();
            });
    run(table, new SplittableRandom(1), seen);
    assertThat(seen.rows).hasSize(50);
  }

  @Test
  void aHeartbeatOfTheRangeThatIsWaitedForIsPassedOn() {
    TableByHand table = new TableByHand(2);
    table.put(row(0, 5), 1, 1);
    table.put(row(0, 9), 1, 1);
    table.put(row(1, 7), 1, 1);
    Seen seen = new Seen();
    start(
        table.table(),
        scans(2, false, scan -> scan.setNeedCursorResult(true)),
        order(false, 0),
        seen);
    List<TableByHand.Opened> scans = table.atWork();
    scans.get(1).heartbeat();
    assertThat(seen.heartbeats).as("of a range that is not waited for yet").isZero();
    scans.get(0).heartbeat();
    assertThat(seen.heartbeats).as("no cursor while another range has not been heard of").isZero();
    scans.get(1).send(1);
    scans.get(0).send(1);
    assertThat(seen.rows).containsExactly("\\x00\\x05");
    scans.get(0).heartbeat();
    assertThat(seen.heartbeats).isEqualTo(1);
    assertThat(seen.cursors).singleElement().isEqualTo(new byte[] {0, 5});
    scans.get(1).heartbeat();
    assertThat(seen.heartbeats).isEqualTo(1);
    run(table, new SplittableRandom(1), seen);
    assertThat(seen.rows).containsExactly("\\x00\\x05", "\\x00\\x07", "\\x00\\x09");
  }

  @Test
  void metricsAreTheSumsOverTheRanges() {
    TableByHand table = new TableByHand(2);
    fill(table, new SplittableRandom(SEED), 3);
    Seen seen = new Seen();
    start(
        table.table(),
        scans(3, false, scan -> scan.setScanMetricsEnabled(true)),
        order(false, 0),
        seen);
    run(table, new SplittableRandom(1), seen);
    assertThat(seen.metrics.countOfRowsScanned.get()).as("one of each range").isEqualTo(3);
  }

  @Test
  void aScanOfNoRangeIsOverAtOnce() {
    Seen seen = new Seen();
    start(new TableByHand(1).table(), List.of(), order(false, 0), seen);
    assertThat(seen.completed).isEqualTo(1);
  }

  @Test
  void anExceptionOfAnObserverEndsTheScan() {
    TableByHand table = new TableByHand(1);
    table.put(row(0, 1), 1, 1);
    table.put(row(0, 2), 1, 1);
    List<Throwable> failures = new ArrayList<>();
    AdvancedScanResultConsumer observer =
        new AdvancedScanResultConsumer() {
          @Override
          public void onNext(Result[] results, ScanController controller) {
            throw new IllegalStateException("observer");
          }

          @Override
          public void onError(Throwable error) {
            failures.add(error);
          }

          @Override
          public void onComplete() {
            failures.add(new AssertionError("complete"));
          }
        };
    start(table.table(), scans(1, false, scan -> scan), order(false, 0), observer);
    table.atWork().get(0).send(1);
    table.opened().forEach(TableByHand.Opened::complete);
    assertThat(failures).singleElement().satisfies(e -> assertThat(e).hasMessage("observer"));
  }

  private static ResultScanner scanner(TableByHand table, UnaryOperator<Scan> with)
      throws IOException {
    return Gather.of(
        table.table(),
        ScanRanges.of(scans(3, false, with)),
        order(false, 0),
        OperationSpan.NONE,
        null);
  }

  private static List<String> rest(ResultScanner scanner) throws IOException {
    List<String> rows = new ArrayList<>();
    for (Result row = scanner.next(); row != null; row = scanner.next()) {
      rows.add(text(row.getRow()));
    }
    return rows;
  }

  @Test
  void aScannerReturnsWhatHasCome() throws IOException {
    TableByHand table = new TableByHand(2);
    List<String> expected = fill(table, new SplittableRandom(SEED), 3, 5);
    try (ResultScanner scanner =
        scanner(table, scan -> scan.setScanMetricsEnabled(true).setMaxResultSize(1 << 20))) {
      assertThat(scanner.renewLease()).as("not begun to read").isFalse();
      run(table, new SplittableRandom(SEED), new Seen());
      assertThat(text(scanner.next().getRow())).isEqualTo(expected.get(0));
      for (String row : expected.subList(1, 5)) {
        assertThat(scanner.renewLease()).as("there is more").isTrue();
        assertThat(text(scanner.next().getRow())).isEqualTo(row);
      }
      assertThat(scanner.renewLease()).as("after the last row").isFalse();
      assertThat(scanner.next()).isNull();
      assertThat(scanner.getScanMetrics().countOfRowsScanned.get()).isEqualTo(3);
    }
  }

  @Test
  void aScannerWaitsForRowsThatHaveNotCome() throws Exception {
    TableByHand table = new TableByHand(2);
    List<String> expected = fill(table, new SplittableRandom(SEED), 3, 200);
    AtomicBoolean stop = new AtomicBoolean();
    try (ResultScanner scanner = scanner(table, scan -> scan)) {
      CompletableFuture<Void> servers =
          CompletableFuture.runAsync(
              () -> {
                SplittableRandom random = new SplittableRandom(SEED);
                while (!stop.get()) {
                  table.step(random);
                  Thread.onSpinWait();
                }
              });
      assertThat(rest(scanner)).isEqualTo(expected);
      stop.set(true);
      servers.get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void aScannerThrowsTheFailureOnceAndIsClosedThen() throws IOException {
    TableByHand table = new TableByHand(2);
    fill(table, new SplittableRandom(SEED), 3, 30);
    try (ResultScanner scanner = scanner(table, scan -> scan)) {
      table.atWork().get(0).fail(new DoNotRetryIOException("no such family"));
      assertThatThrownBy(scanner::next).hasMessage("no such family");
      assertThat(scanner.next()).isNull();
      assertThat(scanner.renewLease()).isFalse();
      run(table, new SplittableRandom(1), new Seen());
      assertThat(table.opened()).isEmpty();
    }
  }

  @Test
  void aScannerReturnsACursorForAHeartbeat() throws IOException {
    TableByHand table = new TableByHand(3);
    table.put(row(0, 3), 1, 1);
    table.put(row(1, 5), 1, 1);
    table.put(row(2, 9), 1, 1);
    try (ResultScanner scanner = scanner(table, scan -> scan.setNeedCursorResult(true))) {
      List<TableByHand.Opened> scans = table.atWork();
      scans.get(0).send(1);
      scans.get(1).send(1);
      scans.get(2).heartbeat();
      Result cursor = scanner.next();
      assertThat(cursor.isCursor()).isTrue();
      assertThat(cursor.getCursor().getRow()).as("behind which nothing is passed").isEmpty();
      scans.get(2).send(1);
      assertThat(text(scanner.next().getRow())).isEqualTo("\\x00\\x03");
    }
  }

  @Test
  void aClosedScannerEndsTheScansOfAllRanges() throws IOException {
    TableByHand table = new TableByHand(1);
    fill(table, new SplittableRandom(SEED), 3, 60);
    ResultScanner scanner = scanner(table, scan -> scan);
    table.atWork().get(0).send(1);
    while (table.atWork().size() > 1) {
      table.atWork().get(1).send(1);
    }
    scanner.close();
    long sent = table.sent();
    run(table, new SplittableRandom(1), new Seen());
    assertThat(table.opened()).isEmpty();
    assertThat(table.sent()).as("one answer more to each").isLessThanOrEqualTo(sent + 3);
  }

  @Test
  void aScanThatIsNotReadReleasesItsScannersAndContinues() throws IOException {
    TableByHand table = new TableByHand(1);
    table.configuration().setLong(Gather.IDLE, 10);
    for (int key = 0; key < 40; key++) {
      table.put(row(0, key), 1, 300);
    }
    try (ResultScanner scanner =
        Gather.of(
            table.table(),
            ScanRanges.of(scans(1, false, scan -> scan)),
            order(false, 0),
            OperationSpan.NONE,
            null)) {
      TableByHand.Opened opened = table.atWork().get(0);
      while (table.atWork().contains(opened)) {
        opened.send(1);
      }
      await().atMost(Duration.ofMinutes(1)).until(() -> table.atWork().contains(opened));
      long sent = table.sent();
      run(table, new SplittableRandom(1), new Seen());
      assertThat(table.opened()).as("none is held").isEmpty();
      for (long i = 0; i < sent - 1; i++) {
        assertThat(text(scanner.next().getRow())).isEqualTo(text(row(0, (int) i)));
      }
      table.configuration().setLong(Gather.IDLE, 0);
      CompletableFuture<List<String>> others =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return rest(scanner);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      SplittableRandom random = new SplittableRandom(1);
      await()
          .atMost(Duration.ofMinutes(1))
          .until(
              () -> {
                table.step(random);
                return others.isDone();
              });
      assertThat(others.join()).hasSize(40 - (int) sent + 1);
    }
  }

  /**
   * Three ranges that begin first, and three behind them that are computed when they are asked for.
   */
  private static ScanRanges inParts(AtomicInteger computed) throws IOException {
    List<Scan> all = scans(6, false, scan -> scan);
    List<Scan> first = new ArrayList<>();
    for (Scan scan : all.subList(0, 3)) {
      byte[] stop = row(scan.getStartRow()[0], 100);
      first.add(new Scan(scan).withStopRow(stop));
    }
    return ScanRanges.beginningWith(
        first,
        new byte[] {0, 100},
        false,
        () -> {
          computed.incrementAndGet();
          return all;
        });
  }

  /** Six rows before the end of the first part, and six behind it. */
  private static TableByHand twoParts() {
    TableByHand table = new TableByHand(2);
    for (int key = 0; key < 6; key++) {
      table.put(row(key % 3, key), 1, 1);
      table.put(row(key, 100 + key), 1, 1);
    }
    return table;
  }

  @Test
  void anObserverOfAShortScanHasFurtherRangesOpenedOnlyIfItGetsThere() throws IOException {
    for (int limit : new int[] {6, 7}) {
      AtomicInteger computed = new AtomicInteger();
      TableByHand table = twoParts();
      Seen seen = new Seen();
      AsyncGather.start(
          table.table(), inParts(computed), order(false, limit), OperationSpan.NONE, seen);
      assertThat(table.opened()).as("ranges that begin first").hasSize(3);
      run(table, new SplittableRandom(SEED), seen);
      assertThat(seen.failure).isNull();
      assertThat(seen.rows).hasSize(limit).isSorted();
      assertThat(seen.completed).isOne();
      assertThat(computed).as("limit=%d", limit).hasValue(limit > 6 ? 1 : 0);
    }
  }

  @Test
  void anObserverThatIsSuspendedAtTheEndOfThePartsGetsTheRest() throws IOException {
    TableByHand table = twoParts();
    Seen seen = new Seen();
    seen.suspends = true;
    AsyncGather.start(
        table.table(), inParts(new AtomicInteger()), order(false, 11), OperationSpan.NONE, seen);
    run(table, new SplittableRandom(SEED), seen);
    assertThat(seen.rows).hasSize(11).isSorted();
    assertThat(seen.completed).isOne();
    assertThat(table.opened()).isEmpty();
  }

  @Test
  void whyFurtherRangesCannotBeHadIsToldBehindTheRowsOfTheFirst() throws IOException {
    ScanRanges ranges =
        ScanRanges.beginningWith(
            inParts(new AtomicInteger()).known(),
            new byte[] {0, 100},
            false,
            () -> {
              throw new IOException("cannot be had");
            });
    TableByHand table = twoParts();
    Seen seen = new Seen();
    AsyncGather.start(table.table(), ranges, order(false, 11), OperationSpan.NONE, seen);
    run(table, new SplittableRandom(SEED), seen);
    assertThat(seen.rows).hasSize(6);
    assertThat(seen.failure).hasMessage("cannot be had");
    assertThat(seen.completed).isZero();
  }

  private static void start(
      AsyncTable<AdvancedScanResultConsumer> table,
      List<Scan> scans,
      GatherOrder order,
      AdvancedScanResultConsumer observer) {
    AsyncGather.start(table, ScanRanges.of(scans), order, OperationSpan.NONE, observer);
  }
}
