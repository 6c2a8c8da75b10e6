/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.jobs.guard.GuardControl.Acknowledged;
import io.evenkey.jobs.guard.GuardControl.Opening;
import io.evenkey.protocol.guard.GuardedSince;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whether the times of marks are those of the servers that were asked when the marks began. */
class AcknowledgedTest {
  private static final Opening A = new Opening("a", "one", 5);
  private static final Opening B = new Opening("b", "two", 7);

  private static Acknowledged answers(long latest, long earliest, Opening... openings) {
    return new Acknowledged(
        3, Set.of(openings), 1_000, latest, earliest, Set.of(), new GuardedSince(0, 0));
  }

  private static boolean isSame(Acknowledged now) {
    return answers(10, -10, A, B).isSameRegionsAs(now, 2_000);
  }

  @Test
  void regionsThatStayedOpenAreTheSame() {
    assertThat(isSame(answers(1_900, -1_900, B, A))).isTrue();
  }

  @Test
  void aRegionThatOpenedOnAnotherServerOrAgainOrWasSplitIsNot() {
    assertThat(isSame(answers(10, -10, A, new Opening("b", "one", 9)))).isFalse();
    assertThat(isSame(answers(10, -10, A, new Opening("b", "two", 9)))).isFalse();
    assertThat(isSame(answers(10, -10, A, B, new Opening("c", "two", 9)))).isFalse();
    assertThat(isSame(answers(10, -10, A))).isFalse();
  }

  @Test
  void aClockThatWasSetIsNoticed() {
    assertThat(isSame(answers(2_010, -10, A, B))).isFalse();
    assertThat(isSame(answers(10, -2_010, A, B))).isFalse();
  }

  @Test
  void regionsOfUnknownOpeningAreNotTheSame() {
    Opening unknown = new Opening("a", "one", -1);
    assertThat(answers(0, 0, unknown).isSameRegionsAs(answers(0, 0, unknown), 2_000)).isFalse();
  }
}
