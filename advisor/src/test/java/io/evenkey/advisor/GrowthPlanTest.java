/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.Layout;
import java.time.LocalDate;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GrowthPlanTest {
  private static final LocalDate TODAY = LocalDate.parse("2026-11-25");

  private static Optional<GrowthPlan> plan(String line, double growth) {
    return GrowthPlan.of(Layout.parse(line), growth, TODAY);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2    | salt(16; 32 from ts 2027-10-01, 64 from ts 2028-10-01, 128 from ts 2029-10-01)",
        "1.5  | salt(16; 32 from ts 2028-07-01)",
        "4    | salt(16; 32 from ts 2027-04-01, 64 from ts 2027-10-01, 128 from ts 2028-04-01,"
            + " 256 from ts 2028-10-01)",
        "1.1  | salt(16)"
      })
  void bucketsDoubleBeforeTheWritesHaveDoubled(double growth, String salt) {
    assertThat(plan("salt(16) + ts:timestamp + id:int64", growth).orElseThrow().layout())
        .hasToString(salt + " + ts:timestamp + id:int64");
  }

  @Test
  void aSaltWithoutRoomForAllStepsHasThoseThatFit() {
    assertThat(plan("salt(16) + ts:timestamp", 2).orElseThrow().complete()).isTrue();
    assertThat(plan("salt(16) + ts:timestamp", 4).orElseThrow().complete()).isFalse();
    assertThat(plan("salt(16; as=byte(2)) + ts:timestamp", 4).orElseThrow().complete()).isTrue();
  }

  @Test
  void otherOptionsStay() {
    assertThat(plan("salt(24, day every 1d; over=3) + day:date", 2).orElseThrow().layout())
        .asString()
        .startsWith("salt(24, day every 1d; over=3, 48 from day 2027-10-01, ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ts:timestamp",
        "salt(16) + id:int64",
        "salt(16, random) + ts:timestamp",
        "phoenix_salt(16) + ts:timestamp",
        "salt(4; 8 from ts 2026-01-01) + ts:timestamp"
      })
  void aLayoutWithoutASaltOrATimeHasNoPlan(String line) {
    assertThat(plan(line, 2)).isEmpty();
  }
}
