/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.protocol.hotkeys.HotKeyQuestion;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ReplicatedWritesTest {
  private static final ReplicatedWrites WRITES = new ReplicatedWrites(5, 7, 1L << 40, "é");

  @Test
  void areThreeNumbersAndALayoutOnTheWire() {
    assertThat(WRITES.toBytes())
        .containsExactly(
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            7,
            0,
            0,
            1,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            2,
            (byte) 0xc3,
            (byte) 0xa9,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            5);
    assertThat(ReplicatedWrites.parse(WRITES.toBytes())).isEqualTo(WRITES);
  }

  @Test
  void areReadFromTheAnswersOfOtherVersions() {
    assertThat(ReplicatedWrites.parse(Arrays.copyOf(WRITES.toBytes(), 40))).isEqualTo(WRITES);
    assertThat(ReplicatedWrites.parse(Arrays.copyOf(WRITES.toBytes(), 22)))
        .isEqualTo(new ReplicatedWrites(7, 7, 1L << 40, "é"));
    assertThat(ReplicatedWrites.parse(Arrays.copyOf(WRITES.toBytes(), 16)))
        .isEqualTo(new ReplicatedWrites(7, 7, 1L << 40, ""));
    assertThatThrownBy(() -> ReplicatedWrites.parse(Arrays.copyOf(WRITES.toBytes(), 21)))
        .hasMessageContaining("layout_bytes=2");
    assertThatThrownBy(() -> ReplicatedWrites.parse(new byte[15])).hasMessageContaining("bytes=15");
  }

  @Test
  void areAskedForByAQuestionThatIsNoOther() {
    for (ReplicationQuestion question : ReplicationQuestion.values()) {
      assertThat(ReplicationQuestion.of(question.toBytes())).contains(question);
      assertThat(HotKeyQuestion.isIn(question.toBytes())).isFalse();
    }
    assertThat(ReplicationQuestion.WRITES.toBytes()).containsExactly(1);
    assertThat(ReplicationQuestion.of(GuardAttributes.number(1))).isEmpty();
    assertThat(ReplicationQuestion.of(new byte[] {0})).isEmpty();
    assertThat(ReplicationQuestion.of(new byte[] {5})).isEmpty();
  }

  @Test
  void ofTwoRegionsAreTheLater() {
    assertThat(WRITES.and(new ReplicatedWrites(6, 9, 3, "a")))
        .isEqualTo(new ReplicatedWrites(5, 9, 1L << 40, "é"));
    assertThat(WRITES.and(ReplicatedWrites.NONE)).isEqualTo(WRITES);
    assertThat(ReplicatedWrites.NONE.and(WRITES)).isEqualTo(WRITES);
  }
}
