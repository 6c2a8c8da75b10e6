/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.hotkeys;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SamplingTest {
  private static final int OPERATIONS = 1_000_000;

  private static Sampling seeded(int oneIn) {
    SplittableRandom random = new SplittableRandom(oneIn);
    return new Sampling(oneIn, () -> random);
  }

  /** Five standard deviations of a binomial distribution around its mean. */
  private static void isAShare(int taken, int oneIn) {
    double mean = (double) OPERATIONS / oneIn;
    double spread = 5 * Math.sqrt(mean * (1 - 1.0 / oneIn));
    assertThat((double) taken).isBetween(mean - spread, mean + spread);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 64, 1_000, 65_536})
  void oneInManyIsTaken(int oneIn) {
    Sampling sampling = seeded(oneIn);
    int taken = 0;
    for (int i = 0; i < OPERATIONS; i++) {
      taken += sampling.take() ? 1 : 0;
    }
    isAShare(taken, oneIn);
  }

  /** Also where every batch is shorter than the distance of two that are taken. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 64, 1_000, 65_536})
  void oneInManyIsTakenFromBatches(int oneIn) {
    Sampling sampling = seeded(oneIn);
    int taken = 0;
    int first = 0;
    for (int batch = 0; batch < OPERATIONS / 20; batch++) {
      for (int i = sampling.skip(); i < 20; i += 1 + sampling.skip()) {
        taken++;
        first += i < 10 ? 1 : 0;
      }
    }
    isAShare(taken, oneIn);
    assertThat((double) first)
        .isBetween(0.5 * taken - 5 * Math.sqrt(taken), 0.5 * taken + 5 * Math.sqrt(taken));
  }
}
