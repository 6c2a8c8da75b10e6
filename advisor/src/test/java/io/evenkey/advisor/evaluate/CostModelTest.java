/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.evenkey.protocol.gather.GatherRule;
import org.junit.jupiter.api.Test;

class CostModelTest {
  private static final CostModel WITH_MODULE = new CostModel(1, 10, 0.5, 0.001, 5);
  private static final CostModel WITHOUT = new CostModel(1, 10, null, 0.001, 5);

  private static CostModel.Read read(int ranges, long limit) {
    return new CostModel.Read(ranges, 3, 0, limit, false);
  }

  @Test
  void aShortLimitSendsOneRequestToEachServerWithTheModule() {
    assertThat(WITH_MODULE.cost(read(16, 20))).isCloseTo(1 + 3 * 10 + 16 * 0.5, within(1e-9));
    assertThat(WITHOUT.cost(read(16, 20))).isCloseTo(1 + 16 * 10, within(1e-9));
  }

  @Test
  void aLongLimitAndNoneSendOneRequestToEachRange() {
    assertThat(WITH_MODULE.cost(read(16, GatherRule.mostRows(16) + 1))).isEqualTo(1 + 16 * 10);
    assertThat(WITH_MODULE.cost(read(16, 0))).isEqualTo(1 + 16 * 10);
  }

  @Test
  void oneRangeIsReadDirectly() {
    assertThat(WITH_MODULE.cost(read(1, 20))).isEqualTo(11);
  }

  @Test
  void rowsInReverseCostMore() {
    assertThat(WITHOUT.cost(new CostModel.Read(1, 1, 1000, 0, true)))
        .isCloseTo(11 + 5, within(1e-9));
  }
}
