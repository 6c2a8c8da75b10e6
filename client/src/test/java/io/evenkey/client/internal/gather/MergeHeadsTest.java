/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MergeHeadsTest {
  private static byte[] physical(int bucket, String key) {
    return Bytes.add(new byte[] {(byte) bucket}, Bytes.toBytes(key));
  }

  private static Result row(int bucket, String key) {
    return Result.create(
        List.of(new KeyValue(physical(bucket, key), Bytes.toBytes("f"), Bytes.toBytes("q"))));
  }

  private static @Nullable String taken(MergeHeads heads) {
    Result row = heads.take();
    return row == null ? null : Bytes.toString(row.getRow(), 1);
  }

  @Test
  void headsAreWantedOfAllStreamsAndThenOfTheOneTaken() {
    MergeHeads heads = new MergeHeads(2, 1, false);
    assertThat(heads.wanted()).isZero();
    heads.put(row(0, "b"));
    assertThat(heads.wanted()).isEqualTo(1);
    assertThatThrownBy(heads::take).isInstanceOf(IllegalStateException.class);
    heads.put(row(1, "a"));
    assertThat(heads.wanted()).isEqualTo(MergeHeads.NONE);
    assertThat(taken(heads)).isEqualTo("a");
    assertThat(heads.wanted()).isEqualTo(1);
    heads.put(row(1, "c"));
    assertThat(heads.wanted()).isEqualTo(MergeHeads.NONE);
    assertThat(taken(heads)).isEqualTo("b");
    assertThat(heads.wanted()).isZero();
  }

  @Test
  void theLeastLogicalKeyIsTakenWhateverIsInFrontOfIt() {
    MergeHeads heads = new MergeHeads(3, 1, false);
    heads.put(row(9, "b"));
    heads.put(row(1, "c"));
    heads.put(row(5, "a"));
    assertThat(taken(heads)).isEqualTo("a");
    heads.put(null);
    assertThat(taken(heads)).isEqualTo("b");
    heads.put(null);
    assertThat(taken(heads)).isEqualTo("c");
    heads.put(null);
    assertThat(taken(heads)).isNull();
    assertThat(heads.wanted()).isEqualTo(MergeHeads.NONE);
  }

  @Test
  void reversedTheGreatestIsTaken() {
    MergeHeads heads = new MergeHeads(2, 1, true);
    heads.put(row(0, "a"));
    heads.put(row(1, "b"));
    assertThat(taken(heads)).isEqualTo("b");
    heads.put(null);
    assertThat(taken(heads)).isEqualTo("a");
  }

  @Test
  void streamsWithoutRowsAreLeftOut() {
    MergeHeads heads = new MergeHeads(3, 1, false);
    heads.put(null);
    heads.put(row(1, "a"));
    heads.put(null);
    assertThat(taken(heads)).isEqualTo("a");
    heads.put(null);
    assertThat(taken(heads)).isNull();
  }

  @Test
  void thePositionIsTheLesserOfTheCursorAndAllOtherHeads() {
    MergeHeads heads = new MergeHeads(3, 1, false);
    assertThat(heads.position(physical(0, "x"))).as("nothing came of the others").isNull();
    heads.put(row(0, "d"));
    assertThat(heads.position(physical(1, "x"))).as("nothing came of the third").isNull();
    heads.put(row(1, "f"));
    assertThat(heads.position(physical(2, "x"))).isEqualTo(Bytes.toBytes("d"));
    assertThat(heads.position(physical(2, "b"))).isEqualTo(Bytes.toBytes("b"));
    heads.put(row(2, "e"));
    assertThat(taken(heads)).isEqualTo("d");
    assertThat(heads.position(physical(0, "z"))).isEqualTo(Bytes.toBytes("e"));
    assertThat(heads.position(physical(0, "d")))
        .as("its own head is past")
        .isEqualTo(Bytes.toBytes("d"));
  }

  @Test
  void thePositionOfAReversedScanIsTheGreaterOne() {
    MergeHeads heads = new MergeHeads(2, 1, true);
    heads.put(row(0, "d"));
    assertThat(heads.position(physical(1, "a"))).isEqualTo(Bytes.toBytes("d"));
    assertThat(heads.position(physical(1, "x"))).isEqualTo(Bytes.toBytes("x"));
  }

  @Test
  void aCursorWithoutAKeyHasNoPosition() {
    MergeHeads heads = new MergeHeads(1, 1, false);
    assertThat(heads.position(new byte[0])).isNull();
    assertThat(heads.position(new byte[] {3})).isEmpty();
  }

  @Test
  void streamsThatHaveEndedDoNotHoldThePositionBack() {
    MergeHeads heads = new MergeHeads(2, 1, false);
    heads.put(null);
    assertThat(heads.position(physical(1, "m"))).isEqualTo(Bytes.toBytes("m"));
  }
}
