/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.layout.bytes.KeyRange;
import java.util.Arrays;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** A split as HBase's input format carries it from where the job starts to where it runs. */
class JobSplitTest {
  private static final KeyRange REGION = KeyRange.of(new byte[] {1}, new byte[] {2});

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
    isCarried(new JobSplit(KeyRange.of(new byte[0], new byte[0]), REGION));
    isCarried(new JobSplit(KeyRange.of(Bytes.toBytes("a"), Bytes.toBytes("b")), REGION));
    isCarried(new JobSplit(KeyRange.of(new byte[0], Bytes.toBytes("b")), REGION));
    isCarried(
        new JobSplit(
            KeyRange.of(Bytes.toBytes("a"), Bytes.toBytes("a!")),
            KeyRange.of(new byte[0], new byte[0])));
  }

  @Test
  void whereNoKeyFitsBetweenTheBoundsThereIsNone() {
    byte[] start = Bytes.toBytes("a");
    byte[] next = Arrays.copyOf(start, 3);
    assertThat(new JobSplit(KeyRange.of(start, next), REGION).firstKey()).isNull();
  }

  @Test
  void aKeyIsNoSplit() {
    assertThat(JobSplit.of(new byte[0])).isNull();
    assertThat(JobSplit.of(Bytes.toBytes("a"))).isNull();
    assertThat(JobSplit.of(new byte[40])).isNull();
  }

  @Test
  void aJobSplitThatWasCutOffIsRefused() {
    byte[] first = new JobSplit(KeyRange.of(new byte[0], new byte[0]), REGION).firstKey();
    for (int length = 26; length < first.length; length++) {
      byte[] changed = Arrays.copyOf(first, length);
      assertThatThrownBy(() -> JobSplit.of(changed)).hasMessageContaining("was changed");
    }
  }
}
