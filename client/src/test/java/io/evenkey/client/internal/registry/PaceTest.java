/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PaceTest {
  private static final int ENOUGH = 500;

  @Test
  void theRateNeverExceedsTheSetting() {
    Migration.Pace pace = new Migration.Pace(1_000, 20);
    assertThat(pace.allowed()).isEqualTo(1_000);
    for (int i = 0; i < ENOUGH; i++) {
      pace = pace.after(1);
      assertThat(pace.allowed()).isBetween(1L, 1_000L);
      assertThat(pace.rowsPerSecond()).isEqualTo(1_000);
    }
  }

  @Test
  void slowReadsReduceTheRateAtOnceAndQuickOnesRestoreIt() {
    Migration.Pace free = new Migration.Pace(0, 20);
    assertThat(free.allowed()).as("as fast as it can").isZero();
    Migration.Pace held = free.after(21);
    Migration.Pace more = held.after(21);
    assertThat(more.allowed()).isEqualTo(held.allowed() / 2);
    assertThat(more.after(20).allowed()).isBetween(more.allowed() + 1, held.allowed());
    for (int i = 0; i < ENOUGH; i++) {
      more = more.after(21);
    }
    assertThat(more.allowed()).as("it never stops").isPositive();
  }

  @Test
  void readsAreNotCountedUnlessConfigured() {
    Migration.Pace pace = new Migration.Pace(70, 0);
    assertThat(pace.after(9_000)).isEqualTo(pace);
    assertThat(new Migration.Pace(70, 0, 5).allowed()).isEqualTo(70);
  }

  @Test
  void aNegativeRateIsRefused() {
    assertThatThrownBy(() -> new Migration.Pace(-1, 0))
        .hasMessageContainingAll("pace out of range", "rows-per-second=-1");
  }
}
