package io.evenkey.client.gather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.layout.Layout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The parts of a merged scan that can be looked at alone. */
class GatherPartsTest {
  private static Result piece(String row, boolean more) {
    KeyValue cell =
        new KeyValue(Bytes.toBytes(row), new byte[] {'f'}, new byte[] {'q'}, 1, new byte[1]);
    return Result.create(new KeyValue[] {cell}, null, false, more);
  }

  private static Result row(String row) {
    return piece(row, false);
  }

  @Test
  void aLimitCountsRowsAndLetsTheLastOneEnd() {
    RowLimit limit = new RowLimit(2);
    assertThat(limit.admits(piece("a", true))).isTrue();
    assertThat(limit.admits(piece("a", false))).isTrue();
    assertThat(limit.isReached()).isFalse();
    assertThat(limit.admits(piece("b", true))).isTrue();
    assertThat(limit.isReached()).as("the row may go on").isFalse();
    assertThat(limit.admits(piece("b", true))).isTrue();
    assertThat(limit.admits(row("c"))).isFalse();
    assertThat(limit.isReached()).isTrue();
    RowLimit whole = new RowLimit(1);
    assertThat(whole.admits(row("a"))).isTrue();
    assertThat(whole.isReached()).isTrue();
    RowLimit ended = new RowLimit(5);
    ended.admits(piece("a", true));
    ended.end();
    assertThat(ended.isReached()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    // limit, ranges, then the portions until the range has all
    "100, 4, 40 60 0",
    "10, 4, 8 2 0",
    "1, 8, 1 0 0",
    "1000, 256, 10 20 40",
    "5, 1, 5 0 0"
  })
  void portionsAreAboutTheShareOfARangeAndThenTwiceAsMany(long limit, int ranges, String portions) {
    Portions asked = new Portions(limit, ranges);
    long rows = 0;
    List<String> found = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int next = asked.next(rows);
      found.add(Integer.toString(next));
      rows += next;
    }
    assertThat(String.join(" ", found)).isEqualTo(portions);
  }

  @Test
  void rowsAreCountedByServersOnlyWhereTheyComeWhole() {
    assertThat(Portions.countRows(new Scan())).isTrue();
    assertThat(Portions.countRows(new Scan().setBatch(1))).isFalse();
    assertThat(Portions.countRows(new Scan().setAllowPartialResults(true))).isFalse();
  }

  @Test
  void theFirstRequestOfManyRangesIsSmallAndLaterOnesGrow() throws IOException {
    Asking many = Asking.of(new Scan(), 16);
    assertThat(many.rows()).isEqualTo(512);
    Scan asked = many.of(new Scan());
    assertThat(asked.getCaching()).isEqualTo(512);
    many.answered();
    assertThat(asked.getCaching()).as("of a scan under way").isEqualTo(8192);
    assertThat(new Scan(asked).getCaching()).isEqualTo(8192);
    for (int i = 0; i < 9; i++) {
      many.answered();
    }
    assertThat(many.rows()).isEqualTo(Integer.MAX_VALUE);
    many.asLittleAsPossible();
    assertThat(asked.getCaching()).isEqualTo(1);
    assertThat(Asking.of(new Scan(), 1000).rows()).isEqualTo(64);
    assertThat(Asking.of(new Scan(), 1).rows()).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void theCachingOfAScanIsKept() {
    Asking own = Asking.of(new Scan().setCaching(7), 16);
    own.answered();
    assertThat(own.rows()).isEqualTo(7);
    assertThat(Asking.of(new Scan().setCaching(1), 1).rows()).isEqualTo(1);
  }

  private static Heads heads(int streams, boolean reversed, String... rows) {
    Heads heads = new Heads(streams, 1, reversed);
    for (String row : rows) {
      heads.put(row == null ? null : row(row));
    }
    return heads;
  }

  @Test
  void headsAreTakenInTheOrderOfTheirLogicalKeys() {
    Heads heads = heads(3, false, "0b", "1a", "2c");
    assertThat(heads.wanted()).isEqualTo(Heads.NONE);
    assertThat(Bytes.toString(heads.take().getRow())).isEqualTo("1a");
    assertThat(heads.wanted()).isEqualTo(1);
    heads.put(null);
    assertThat(Bytes.toString(heads.take().getRow())).isEqualTo("0b");
    heads.put(row("0d"));
    assertThat(Bytes.toString(heads.take().getRow())).isEqualTo("2c");
    heads.put(null);
    assertThat(Bytes.toString(heads.take().getRow())).isEqualTo("0d");
    heads.put(null);
    assertThat(heads.take()).isNull();
    assertThat(heads.wanted()).isEqualTo(Heads.NONE);
    assertThat(Bytes.toString(heads(2, true, "0a", "1b").take().getRow())).isEqualTo("1b");
  }

  @Test
  void noHeadIsTakenWhileOneIsWanted() {
    assertThatThrownBy(() -> heads(2, false, "0a").take())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a head is wanted: stream=1");
  }

  @Test
  void aMergeGetsAsFarAsTheLeastOfItsHeadsAndTheCursor() {
    Heads heads = heads(3, false, "0b", "1a", null);
    heads.take();
    assertThat(heads.position(Bytes.toBytes("1a5"))).isEqualTo(Bytes.toBytes("a5"));
    assertThat(heads.position(Bytes.toBytes("1c"))).isEqualTo(Bytes.toBytes("b"));
    assertThat(heads.position(new byte[0])).as("no physical row").isNull();
    assertThat(heads.position(new byte[] {'1'})).isEmpty();
    Heads backwards = heads(2, true, "0b", "1c");
    backwards.take();
    assertThat(backwards.position(Bytes.toBytes("1a"))).isEqualTo(Bytes.toBytes("b"));
    assertThat(backwards.position(Bytes.toBytes("1bb"))).isEqualTo(Bytes.toBytes("bb"));
    assertThat(heads(3, false, "0b").position(Bytes.toBytes("1a")))
        .as("the third has not been heard of")
        .isNull();
    assertThat(heads(2, false, "0b").position(Bytes.toBytes("1a"))).isEqualTo(Bytes.toBytes("a"));
  }

  @Test
  void workIsDoneOnceMoreIfItIsAskedForMeanwhile() {
    int[] times = new int[1];
    OneAtATime[] work = new OneAtATime[1];
    work[0] =
        new OneAtATime(
            () -> {
              if (times[0]++ == 0) {
                work[0].run();
                work[0].run();
                assertThat(times[0]).as("not inside itself").isEqualTo(1);
              }
            });
    work[0].run();
    assertThat(times[0]).isEqualTo(2);
    work[0].run();
    assertThat(times[0]).isEqualTo(3);
  }

  @Test
  void metricsAreSummedByName() {
    ScanMetrics one = new ScanMetrics();
    one.countOfRowsScanned.set(3);
    ScanMetrics two = new ScanMetrics();
    two.countOfRowsScanned.set(4);
    two.countOfRegions.set(1);
    ScanMetrics sum = new ScanMetrics();
    SummedMetrics.set(sum, List.of(one, two));
    Map<String, Long> sums = sum.getMetricsMap(false);
    assertThat(sums).containsEntry("ROWS_SCANNED", 7L).containsEntry("REGIONS_SCANNED", 1L);
    assertThat(one.countOfRowsScanned.get()).as("not reset").isEqualTo(3);
  }

  @Test
  void aRangeThatWasTriedOftenIsNamedInTheMessage() {
    Scan scan =
        new Scan().withStartRow(new byte[] {2}).withStopRow(new byte[] {1}).setReversed(true);
    IOException cause = new IOException("refused");
    RetriesExhaustedException often = new RetriesExhaustedException("often", cause);
    assertThat(RangeScanException.of(TableName.valueOf("t"), scan, "s,1", often))
        .isInstanceOf(RangeScanException.class)
        .hasMessageStartingWith(
            "range not read: table=t range=[\\x02, \\x01] backwards server=s,1: ")
        .hasCause(cause);
    RetriesExhaustedException bare = new RetriesExhaustedException("bare");
    assertThat(RangeScanException.of(TableName.valueOf("t"), scan, "s,1", bare)).hasCause(bare);
  }

  @Test
  void aScanWithoutAnOrderNamesTableLayoutAndRemedy() {
    Layout layout = Layout.parse("md5(k) + k:string");
    assertThat(new UnorderedScanException(TableName.valueOf("t"), layout))
        .hasMessage(
            "rows cannot be read in logical order: table=t layout=md5(k) + k:string; fix the fields"
                + " that are hashed or reversed to one value each, or read without order");
  }

  @Test
  void anOrderWithoutALimitHasNoLastRow() {
    assertThat(new GatherOrder(1, false, 0, row -> row).mostRows()).isEqualTo(Long.MAX_VALUE);
    assertThat(new GatherOrder(1, false, 5, row -> row).mostRows()).isEqualTo(5);
  }
}
