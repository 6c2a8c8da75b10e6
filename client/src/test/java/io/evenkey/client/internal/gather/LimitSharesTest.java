/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.hbase.client.Scan;
import org.junit.jupiter.api.Test;

class LimitSharesTest {
  @Test
  void theFirstPortionIsTheMeanAndThreeStandardDeviations() {
    // 100 + 3 × √100
    assertThat(new LimitShares(1600, 16).next(0)).isEqualTo(130);
    // 0.625 + 3 × √0.625 = 2.997
    assertThat(new LimitShares(10, 16).next(0)).isEqualTo(3);
  }

  @Test
  void noPortionIsLargerThanTheLimit() {
    assertThat(new LimitShares(1, 256).next(0)).isEqualTo(1);
    assertThat(new LimitShares(5, 2).next(0)).isEqualTo(5);
  }

  @Test
  void laterPortionsDoubleUpToTheLimitAndAllTogetherAreTheLimit() {
    LimitShares portions = new LimitShares(1600, 16);
    assertThat(portions.next(0)).isEqualTo(130);
    assertThat(portions.next(130)).isEqualTo(260);
    assertThat(portions.next(390)).isEqualTo(520);
    assertThat(portions.next(910)).isEqualTo(690);
    assertThat(portions.next(1600)).isZero();
  }

  @Test
  void aRangeThatHasGivenMoreThanTheLimitNeedsNoMore() {
    assertThat(new LimitShares(10, 2).next(11)).isZero();
  }

  @Test
  void aPortionIsNoMoreThanAScanCanBeAskedFor() {
    assertThat(new LimitShares(1L << 40, 2).next(0)).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void rowsThatComeInPiecesAreNotCounted() {
    assertThat(LimitShares.countRows(new Scan())).isTrue();
    assertThat(LimitShares.countRows(new Scan().setBatch(1))).isFalse();
    assertThat(LimitShares.countRows(new Scan().setAllowPartialResults(true))).isFalse();
  }
}
