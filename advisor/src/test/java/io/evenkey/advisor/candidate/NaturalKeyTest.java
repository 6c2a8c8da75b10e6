/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.candidate;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.advisor.sample.Column;
import io.evenkey.advisor.sample.Sample;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NaturalKeyTest {
  private static List<String> key(List<String> columns, IntFunction<List<String>> record) {
    Sample.Builder sample = new Sample.Builder(columns);
    for (int i = 0; i < 2_000; i++) {
      sample.add(record.apply(i));
    }
    return NaturalKey.of(sample.build()).stream().map(Column::name).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1700000%03d", "1700000%03d000000", "1700000%03d000000000"})
  void aTimeInAnotherUnitIsATime(String format) {
    // Two records have one time.
    IntFunction<String> time = i -> String.format(format, i / 2);
    assertThat(
            key(
                List.of("id", "ts", "device"),
                i -> List.of(String.valueOf(i), time.apply(i), "d" + i % 2)))
        .containsExactly("ts", "device");
    assertThat(
            key(
                List.of("id", "price", "device"),
                i -> List.of(String.valueOf(i), time.apply(i), "d" + i % 2)))
        .as("no name of a time")
        .containsExactly("device", "id");
  }

  @Test
  void datesThatDoNotSortAsTextAreNoTime() {
    assertThat(
            key(
                List.of("when", "device", "n"),
                i ->
                    List.of(
                        String.format(
                            "%02d/%02d/2026 08:%02d", i % 28 + 1, i / 28 % 12 + 1, i % 60),
                        "d" + i % 7,
                        String.valueOf(i))))
        .containsExactly("device", "n");
  }

  @Test
  void aColumnThatPartsNoRecordsIsLeftOut() {
    assertThat(
            key(
                List.of("ts", "node", "component"),
                i -> List.of(String.valueOf(1_700_000_000_000L + i / 4), "n" + i % 2, "c" + i % 2)))
        .containsExactly("ts", "node");
  }
}
