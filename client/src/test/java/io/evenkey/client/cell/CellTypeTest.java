/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CellTypeTest {
  @ParameterizedTest
  @ValueSource(strings = {"\ud83d", "a\ude00b", "\ude00\ud83d"})
  void halfASurrogatePairIsRefusedNotReplaced(String text) {
    assertThatThrownBy(() -> CellType.STRING.encode(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("half of a surrogate pair");
  }

  @ParameterizedTest
  @CsvSource({
    "FLOAT64, 1e400",
    "FLOAT64, -1e400",
    "FLOAT64, 1e-400",
    "FLOAT32, 1e39",
    "FLOAT32, 1e-60",
    "FLOAT64, 5f",
    "FLOAT64, 0x1p3",
    "FLOAT32, 0x0p0",
    "INT32, 2147483648",
    "BOOL, TRUE",
  })
  void aValueThatWouldBeAnotherIsRefused(CellType type, String text) {
    assertThatThrownBy(() -> type.encode(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void numbersKeepTheirSignAndTheirSpecialValues() {
    assertThat(CellType.FLOAT64.decode(CellType.FLOAT64.encode("-0.0"))).isEqualTo(-0.0);
    assertThat(CellType.FLOAT64.decode(CellType.FLOAT64.encode("0e9"))).isEqualTo(0.0);
    assertThat(CellType.FLOAT64.decode(CellType.FLOAT64.encode("-Infinity")))
        .isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(CellType.FLOAT32.decode(CellType.FLOAT32.encode("NaN"))).isEqualTo(Float.NaN);
    assertThat(CellType.FLOAT32.decode(CellType.FLOAT32.encode("1.5"))).isEqualTo(1.5f);
  }
}
