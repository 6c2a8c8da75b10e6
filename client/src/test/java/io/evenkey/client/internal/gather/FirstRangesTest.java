/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.junit.jupiter.api.Test;

class FirstRangesTest {
  /** Buckets a to d: a and c have rows of the slice 10, b of 20, d of 30. */
  private static final List<Scan> FORWARD =
      List.of(scan("a10", "a9"), scan("b20", "b9"), scan("c10", "c9"), scan("d30", "d9"));

  /** The same backwards from 50 on, where b and d have the slice 50. */
  private static final List<Scan> BACKWARD =
      List.of(back("a40", "a0"), back("b50", "b0"), back("c30", "c0"), back("d50", "d0"));

  private static Scan scan(String start, String stop) {
    return new Scan().withStartRow(bytes(start)).withStopRow(bytes(stop));
  }

  private static Scan back(String from, String to) {
    return new Scan()
        .setReversed(true)
        .withStartRow(bytes(from), false)
        .withStopRow(bytes(to), true);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static GatherOrder order(boolean reversed, boolean gradual) {
    return new GatherOrder(1, reversed, 5, row -> row, gradual ? 2 : 0, 0, null);
  }

  private static List<String> ranges(List<Scan> scans) {
    return ScannedRegions.ranges(scans).stream().map(KeyRange::toString).toList();
  }

  @Test
  void rangesThatBeginBehindOthersAreOpenedGradually() {
    assertThat(order(false, false).gradually(FORWARD).together()).isEqualTo(2);
    assertThat(order(true, false).gradually(BACKWARD).together()).isEqualTo(2);
    List<Scan> alike = List.of(scan("a1", "a9"), scan("b1", "b5"));
    assertThat(order(false, false).gradually(alike).gradual()).isFalse();
  }

  @Test
  void rangesOfTheFirstSliceAreReadUpToTheNext() throws IOException {
    FirstRanges first = FirstRanges.of(FORWARD, order(false, true), 0);
    assertThat(ranges(first.scans())).containsExactly("[a10, a20)", "[c10, c20)");
    FirstRows complete = first.complete(new FirstRows(List.of(), null, true));
    assertThat(ranges(complete.behind(FORWARD, order(false, true))))
        .containsExactly("[a20, a9)", "[b20, b9)", "[c20, c9)", "[d30, d9)");
  }

  @Test
  void aSecondAnswerIsOfMoreSlices() throws IOException {
    FirstRanges second = FirstRanges.of(FORWARD, order(false, true), 1);
    assertThat(ranges(second.scans()))
        .containsExactly("[a10, a9)", "[b20, b9)", "[c10, c9)", "[d30, d9)");
    assertThat(second.end()).isNull();
  }

  @Test
  void rangesOfTheLastSliceAreReadDownToTheNext() throws IOException {
    FirstRanges first = FirstRanges.of(BACKWARD, order(true, true), 0);
    assertThat(ranges(first.scans())).containsExactly("[b40\\x00, b50)", "[d40\\x00, d50)");
    FirstRows complete = first.complete(new FirstRows(List.of(), null, true));
    assertThat(ranges(complete.behind(BACKWARD, order(true, true))))
        .containsExactly("[a0, a40)", "[b0, b40\\x00)", "[c0, c30)", "[d0, d40\\x00)");
  }

  @Test
  void anAnswerThatIsCutOffIsCompleteUpToItsOwnKey() throws IOException {
    FirstRows cut = new FirstRows(List.<Result>of(), ByteString.of(bytes("15")), true);
    FirstRanges first = FirstRanges.of(FORWARD, order(false, true), 0);
    assertThat(first.complete(cut)).isSameAs(cut);
    assertThat(ranges(cut.behind(FORWARD, order(false, true))).get(0)).isEqualTo("[a15\\x00, a9)");
  }

  @Test
  void withoutSlicesAllRangesAreFirst() throws IOException {
    assertThat(FirstRanges.of(FORWARD, order(false, false), 0).scans()).isSameAs(FORWARD);
  }
}
