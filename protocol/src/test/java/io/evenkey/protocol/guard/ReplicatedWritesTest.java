/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.protocol.hotkeys.HotKeyQuestion;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ReplicatedWritesTest {
  private static final ReplicatedWrites WRITES = new ReplicatedWrites(7, 1L << 40, "é");

  @Test
  void areTwoNumbersAndALayoutOnTheWire() {
    assertThat(WRITES.toBytes())
        .containsExactly(
            0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2, (byte) 0xc3, (byte) 0xa9);
    assertThat(ReplicatedWrites.parse(WRITES.toBytes())).isEqualTo(WRITES);
  }

  @Test
  void areReadFromTheAnswersOfOtherVersions() {
    assertThat(ReplicatedWrites.parse(Arrays.copyOf(WRITES.toBytes(), 30))).isEqualTo(WRITES);
    assertThat(ReplicatedWrites.parse(Arrays.copyOf(WRITES.toBytes(), 16)))
        .isEqualTo(new ReplicatedWrites(7, 1L << 40, ""));
    assertThatThrownBy(() -> ReplicatedWrites.parse(Arrays.copyOf(WRITES.toBytes(), 21)))
        .hasMessageContaining("layout_bytes=2");
    assertThatThrownBy(() -> ReplicatedWrites.parse(new byte[15])).hasMessageContaining("bytes=15");
  }

  @Test
  void areAskedForByAQuestionThatIsNoOther() {
    assertThat(ReplicatedWrites.isAskedBy(ReplicatedWrites.ask())).isTrue();
    assertThat(HotKeyQuestion.isIn(ReplicatedWrites.ask())).isFalse();
    assertThat(ReplicatedWrites.isAskedBy(GuardAttributes.number(1))).isFalse();
    assertThat(ReplicatedWrites.isAskedBy(new byte[] {2})).isFalse();
  }

  @Test
  void ofTwoRegionsAreTheLater() {
    assertThat(WRITES.and(new ReplicatedWrites(9, 3, "a")))
        .isEqualTo(new ReplicatedWrites(9, 1L << 40, "é"));
    assertThat(ReplicatedWrites.NONE.and(WRITES)).isEqualTo(WRITES);
  }
}
