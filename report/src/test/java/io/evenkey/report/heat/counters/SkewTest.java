/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.counters;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SkewTest {
  @Test
  void skewIsTheBusiestShareOverTheMeanShare() {
    assertThat(Skew.of(new long[] {5, 5, 5})).isEqualTo(1.0);
    assertThat(Skew.of(new long[] {9, 0, 0})).isEqualTo(3.0);
    assertThat(Skew.of(new long[] {6, 3, 3})).isEqualTo(1.5);
    assertThat(Skew.of(new long[] {0, 0})).isEqualTo(1.0);
  }
}
