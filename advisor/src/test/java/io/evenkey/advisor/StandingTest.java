/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class StandingTest {
  private static Standing best(Standing... all) {
    return Standing.best(List.of(all), Function.identity());
  }

  @Test
  void moreComplicatedHasToBeBetterByMoreThanTheError() {
    Standing simple = new Standing(80, 0.3, 0);
    assertThat(best(new Standing(80.4, 0.4, 2), simple)).isEqualTo(simple);
    Standing better = new Standing(80.6, 0.4, 2);
    assertThat(best(better, simple)).as("0.5 is the error of the difference").isEqualTo(better);
    Standing sure = new Standing(80.4, 0, 2);
    assertThat(best(sure, new Standing(80, 0, 0))).isEqualTo(sure);
  }

  @Test
  void ofThoseAsComplicatedTheHigherScoreIsTaken() {
    Standing higher = new Standing(70.2, 5, 2);
    assertThat(best(new Standing(70, 5, 2), higher)).isEqualTo(higher);
    Standing simpler = new Standing(71, 5, 0);
    assertThat(best(higher, simpler)).isEqualTo(simpler);
  }
}
