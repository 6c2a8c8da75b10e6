/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.evenkey.layout.Layout;
import io.evenkey.layout.field.Field;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StepProposalTest {
  private static final Instant NOW = Instant.parse("2026-11-24T21:55:12.345Z");

  private static Field field(String type) {
    return Layout.parse("salt(4) + f:" + type).fields().get(0);
  }

  private static String earliest(String type, String highest) {
    Field field = field(type);
    String value = StepProposal.earliest(field, highest == null ? null : field.parse(highest), NOW);
    assertThat(Layout.parse("salt(4; 8 from f " + value + ") + f:" + type).steps().count())
        .isEqualTo(2);
    if (highest != null) {
      assertThat(
              Arrays.compareUnsigned(
                  field.encoded(field.parse(value)), field.encoded(field.parse(highest))))
          .isPositive();
    }
    return value;
  }

  @ParameterizedTest
  @CsvSource({
    "timestamp, , 2026-11-24T23:00:00Z",
    "timestamp, 2026-11-24T21:55:00Z, 2026-11-24T23:00:00Z",
    "timestamp, 2026-11-25T00:00:00Z, 2026-11-25T01:00:00Z",
    "timestamp desc, 2026-12-31T23:30:00Z, 2027-01-01",
    "date, 2026-11-20, 2026-11-25",
    "date, 2026-11-30, 2026-12-01",
    "'timestamp(\"yyyyMMdd\")', 20261124, 2026-11-25",
    "'timestamp(\"yyyyMM\")', 202611, 2026-12-01",
    "'timestamp(\"yyyy\")', , 2027-01-01",
    "'timestamp(\"yyyyMMddHHmmss\")', 20261124230000, 2026-11-25"
  })
  void aTimeIsTheNextOneThatTheFieldCanHold(String type, String highest, String expected) {
    assertThat(earliest(type, highest)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "int64, , 0",
    "int64, 0, 1",
    "int64, 99, 100",
    "int64, 1234567, 1300000",
    "int64, 1200000, 1300000",
    "int64, -5, -4",
    "int64, -1234567, -1200000",
    "int8, 125, 126",
    "int8, 119, 120",
    "uint64, 18446744073709551613, 18446744073709551614",
    "digits(6), 99, 100",
    "digits(6), 123456, 130000"
  })
  void aNumberIsTheNextRoundOne(String type, String highest, String expected) {
    assertThat(earliest(type, highest)).isEqualTo(expected);
  }

  @Test
  void thereIsNoNumberAfterTheLast() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> earliest("int8", "127"))
        .withMessageContaining("highest=127");
  }

  @ParameterizedTest
  @CsvSource({
    "timestamp, 2026-11-24T21:55:12Z, true",
    "timestamp, 2026-11-24T21:55:13Z, false",
    "date, 2026-11-24, true",
    "date, 2026-11-25, false",
    "'timestamp(\"yyyyMM\")', 2026-11-01, true",
    "'timestamp(\"yyyyMM\")', 2026-12-01, false",
    "int64, 5, false"
  })
  void aTimeThatHasBegunIsPast(String type, String value, boolean past) {
    assertThat(StepProposal.isPast(field(type), value, NOW)).isEqualTo(past);
  }
}
