/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EntryLimitTest {
  @Test
  void theFirstScanTakesAFewMoreEntriesThanRowsAreWanted() {
    assertThat(EntryLimit.of(1)).isEqualTo(5);
    assertThat(EntryLimit.of(20)).isEqualTo(26);
    assertThat(EntryLimit.of(800)).isEqualTo(904);
    assertThat(EntryLimit.of(Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void eachFurtherScanTakesTwiceAsManyWithABound() {
    assertThat(EntryLimit.after(0, 20)).isEqualTo(26);
    assertThat(EntryLimit.after(1, 20)).isEqualTo(52);
    assertThat(EntryLimit.after(2, 2)).isEqualTo(24);
    assertThat(EntryLimit.after(10, 20)).isEqualTo(26 * 1024);
    assertThat(EntryLimit.after(1_000, 20)).isEqualTo(26 * 1024);
    assertThat(EntryLimit.after(10, Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
  }
}
