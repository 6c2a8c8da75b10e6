/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.failure.UnorderedScanException;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.row.RowMapping;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Which ranges of a scan are computed before its first row. */
class PhysicalScansTest {
  private static final TableName TABLE = TableName.valueOf("events");
  private static final Layout SLICES =
      Layout.parse("salt(40, ts every 1s; over=6) + ts:timestamp + id:int16");
  private static final Layout STEPS = Layout.parse("salt(4; 12 from ts 50000) + ts:timestamp");

  private static PhysicalScans scans(Layout layout, Scan scan) throws IOException {
    return PhysicalScans.of(new Generation(TABLE, TABLE, RowMapping.of(layout)), scan, 1 << 20);
  }

  private static byte[] at(Layout layout, long ts) {
    return Arrays.copyOf(layout.logicalKey(Values.of("ts", ts).and("id", 0)), Long.BYTES);
  }

  private static Scan from(Layout layout, long ts) {
    return new Scan().withStartRow(at(layout, ts)).withStopRow(at(layout, 100_000));
  }

  @Test
  void ofAShortScanTheRangesOfItsFirstSlice() throws IOException {
    PhysicalScans scans = scans(SLICES, from(SLICES, 1_500).setLimit(10));
    assertThat(scans.ranges().known()).hasSize(6);
    for (Scan scan : scans.ranges().known()) {
      assertThat(scan.getStartRow()).endsWith(at(SLICES, 1_500));
      assertThat(scan.getStopRow()).endsWith(at(SLICES, 2_000));
    }
    assertThat(scans.ranges().all()).hasSize(40);
  }

  @Test
  void ofAReversedScanTheRangesOfItsLastSlice() throws IOException {
    Scan reversed =
        new Scan()
            .setReversed(true)
            .withStartRow(at(SLICES, 99_500))
            .withStopRow(at(SLICES, 0))
            .setLimit(10);
    PhysicalScans scans = scans(SLICES, reversed);
    assertThat(scans.ranges().known()).hasSize(6);
    for (Scan scan : scans.ranges().known()) {
      assertThat(scan.getStopRow()).endsWith(at(SLICES, 99_000));
    }
    assertThat(scans.ranges().all()).hasSize(40);
  }

  @Test
  void ofAShortScanTheRangesOfTheStepThatItBeginsIn() throws IOException {
    PhysicalScans before = scans(STEPS, from(STEPS, 1_000).setLimit(10));
    assertThat(before.ranges().known()).hasSize(4);
    assertThat(before.ranges().all()).hasSize(12);
    assertThat(scans(STEPS, from(STEPS, 60_000).setLimit(10)).ranges().known()).hasSize(12);
  }

  @Test
  void ofAScanWithoutALimitAll() throws IOException {
    assertThat(scans(SLICES, from(SLICES, 1_500)).ranges().known()).hasSize(40);
  }

  @Test
  void theRestIsOfTheScanAsItWasBegun() throws IOException {
    Scan callers = from(SLICES, 1_500).setLimit(10).addFamily(Bytes.toBytes("d"));
    PhysicalScans scans = scans(SLICES, callers);
    callers.addFamily(Bytes.toBytes("e")).withStopRow(at(SLICES, 1_600));
    assertThat(scans.ranges().all())
        .hasSize(40)
        .allSatisfy(scan -> assertThat(scan.getFamilyMap()).hasSize(1));
  }

  @Test
  void aRangeWithoutAnOrderIsRefusedBeforeItsFirstRow() {
    Layout reversed =
        Layout.parse("salt(40, ts every 1s; over=6) + ts:timestamp + reverse(id:int16)");
    assertThatThrownBy(() -> scans(reversed, from(reversed, 1_500).setLimit(10)))
        .isInstanceOf(UnorderedScanException.class);
  }

  private static Scan ofJob(Layout layout, byte[] start) {
    Generation generation = new Generation(TABLE, TABLE, RowMapping.of(layout));
    KeyRange keys = KeyRange.of(at(layout, 10_000), at(layout, 90_000));
    KeyRange region = KeyRange.of(new byte[] {1}, new byte[] {3});
    byte[] first = JobSplit.of(keys, region, generation).firstKey();
    return new Scan()
        .withStartRow(start.length == 0 ? first : start)
        .withStopRow(JobSplit.stopKey(first));
  }

  @Test
  void aJobsReaderReadsItsRegionOnly() throws IOException {
    List<Scan> read = scans(STEPS, ofJob(STEPS, new byte[0])).ranges().all();
    assertThat(read).hasSize(2);
    assertThat(read.get(0).getStartRow()).startsWith(1).endsWith(at(STEPS, 10_000));
    assertThat(read.get(1).getStartRow()).startsWith(2).endsWith(at(STEPS, 10_000));
  }

  @Test
  void aJobsReaderThatBeginsAgainReadsOfItsRegionWhatFollows() throws IOException {
    List<Scan> rest = scans(STEPS, ofJob(STEPS, at(STEPS, 40_000))).ranges().all();
    assertThat(rest).hasSize(2);
    assertThat(rest.get(0).getStartRow()).startsWith(1).endsWith(at(STEPS, 40_000));
    assertThat(rest.get(1).getStopRow()).startsWith(2).endsWith(at(STEPS, 90_000));
    // Never what is before the job's first key.
    List<Scan> all = scans(STEPS, ofJob(STEPS, at(STEPS, 1_000))).ranges().all();
    assertThat(all.get(0).getStartRow()).startsWith(1).endsWith(at(STEPS, 10_000));
  }

  @Test
  void aJobsReaderBeginsNoScanAgainWhereRowsOfOneKeyMayBeSeveral() throws IOException {
    Layout free = Layout.parse("salt(4, random) + ts:timestamp");
    assertThat(scans(free, ofJob(free, new byte[0])).ranges().all()).hasSize(2);
    assertThatThrownBy(() -> scans(free, ofJob(free, at(free, 40_000))))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("run the task again");
  }
}
