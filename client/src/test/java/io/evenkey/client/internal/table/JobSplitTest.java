/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.row.RowMapping;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import java.util.Arrays;
import java.util.Base64;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** A split as HBase's input format carries it from where the job starts to where it runs. */
class JobSplitTest {
  private static final KeyRange REGION = KeyRange.of(new byte[] {1}, new byte[] {2});

  private static final TableName TABLE = TableName.valueOf("events");
  private static final Generation GENERATION =
      generation("events.g2", "salt(4) + device:string + ts:timestamp");

  private static Generation generation(String physical, String layout) {
    return new Generation(TABLE, TableName.valueOf(physical), RowMapping.of(Layout.parse(layout)));
  }

  private static JobSplit split(KeyRange logical, KeyRange region) {
    return JobSplit.of(logical, region, GENERATION);
  }

  private static KeyRange range(String start, String stop) {
    return KeyRange.of(Bytes.toBytes(start), Bytes.toBytes(stop));
  }

  private static void isCarried(JobSplit split) {
    byte[] first = split.firstKey();
    byte[] stop = JobSplit.stopKey(first);
    byte[] from = split.logical().start();
    byte[] to = split.logical().stop();
    // What TableInputFormatBase does with a region's boundaries and the scan's bounds.
    assertThat(from.length == 0 || Bytes.compareTo(from, stop) < 0).isTrue();
    assertThat(to.length == 0 || Bytes.compareTo(to, first) > 0).isTrue();
    byte[] splitStart = from.length == 0 || Bytes.compareTo(first, from) >= 0 ? first : from;
    byte[] splitStop = to.length == 0 || Bytes.compareTo(stop, to) <= 0 ? stop : to;
    assertThat(JobSplit.of(splitStart)).isEqualTo(split);
    assertThat(JobSplit.of(splitStop)).isEqualTo(split);
  }

  @Test
  void theJobsRangeAndTheRegionComeThroughTheInputFormat() {
    isCarried(split(KeyRange.of(new byte[0], new byte[0]), REGION));
    isCarried(split(KeyRange.of(Bytes.toBytes("a"), Bytes.toBytes("b")), REGION));
    isCarried(split(KeyRange.of(new byte[0], Bytes.toBytes("b")), REGION));
    isCarried(
        split(
            KeyRange.of(Bytes.toBytes("a"), Bytes.toBytes("a!")),
            KeyRange.of(new byte[0], new byte[0])));
  }

  @Test
  void whereNoKeyFitsBetweenTheBoundsThereIsNone() {
    byte[] start = Bytes.toBytes("a");
    byte[] next = Arrays.copyOf(start, 3);
    assertThat(split(KeyRange.of(start, next), REGION).firstKey()).isNull();
  }

  @Test
  void aKeyIsNoSplit() {
    assertThat(JobSplit.of(new byte[0])).isNull();
    assertThat(JobSplit.of(Bytes.toBytes("a"))).isNull();
    assertThat(JobSplit.of(new byte[40])).isNull();
  }

  @Test
  void aJobSplitThatWasCutOffIsRefused() {
    byte[] first = split(KeyRange.of(new byte[0], new byte[0]), REGION).firstKey();
    for (int length = 26; length < first.length; length++) {
      byte[] changed = Arrays.copyOf(first, length);
      assertThatThrownBy(() -> JobSplit.of(changed))
          .hasMessageContaining("job changed the boundary");
    }
  }

  @Test
  void aSplitIsReadOfNoOtherGenerationAndByNoOtherLayout() throws IOException {
    JobSplit split = split(range("a", "b"), REGION);
    byte[] bound = JobSplit.stopKey(split.firstKey());
    assertThat(JobSplit.of(bound, GENERATION)).isEqualTo(split);
    for (Generation other :
        new Generation[] {
          generation("events", "salt(4) + device:string + ts:timestamp"),
          generation("events.g2", "salt(8) + device:string + ts:timestamp"),
          Generation.plain(TABLE)
        }) {
      assertThatThrownBy(() -> JobSplit.of(bound, other))
          .isInstanceOf(TableLayoutException.class)
          .hasMessageContaining(
              "generation=events.g2 layout=salt(4) + device:string + ts:timestamp")
          .hasMessageContaining("generation_in_use=" + other.physical() + " layout_in_use=")
          .hasMessageContaining("begin the job again");
    }
  }

  private static String scan(TableName table, String start, String stop) throws IOException {
    Scan scan = new Scan().withStartRow(Bytes.toBytes(start)).withStopRow(Bytes.toBytes(stop));
    scan.setAttribute(Scan.SCAN_ATTRIBUTES_TABLE_NAME, table.getName());
    return Bytes.toString(Base64.getEncoder().encode(ProtobufUtil.toScan(scan).toByteArray()));
  }

  @Test
  void aJobsRangesAreThoseOfAllItsScansOfTheTable() throws IOException {
    Configuration job = new Configuration(false);
    assertThat(JobSplit.rangesOfJob(job, TABLE)).isEmpty();
    job.set("hbase.mapreduce.inputtable", "others");
    job.set("hbase.mapreduce.scan", scan(TABLE, "a", "b"));
    assertThat(JobSplit.rangesOfJob(job, TABLE)).isEmpty();
    job.set("hbase.mapreduce.inputtable", "events");
    assertThat(JobSplit.rangesOfJob(job, TABLE)).containsExactly(range("a", "b"));
    job.unset("hbase.mapreduce.inputtable");
    job.setStrings(
        "hbase.mapreduce.scans",
        scan(TABLE, "a", "m"),
        scan(TableName.valueOf("others"), "", ""),
        scan(TABLE, "f", ""),
        scan(TABLE, "b", "c"),
        scan(TABLE, "a", "m"));
    assertThat(JobSplit.rangesOfJob(job, TABLE))
        .containsExactly(
            range("a", "b"), range("b", "c"), range("c", "f"), range("f", "m"), range("m", ""));
    job.setStrings("hbase.mapreduce.scans", scan(TABLE, "c", "d"), scan(TABLE, "a", "b"));
    assertThat(JobSplit.rangesOfJob(job, TABLE)).containsExactly(range("a", "b"), range("c", "d"));
  }
}
