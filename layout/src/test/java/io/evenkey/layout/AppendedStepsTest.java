/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.step.AppendedSteps;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AppendedStepsTest {
  private static final String KEY = ") + device:string + no:int64";

  private static boolean appended(String before, String after) {
    return AppendedSteps.of(Layout.parse(before + KEY), Layout.parse(after + KEY)).isPresent();
  }

  @ParameterizedTest
  @CsvSource({
    "'salt(4', 'salt(4; 8 from no 100'",
    "'salt(4', 'salt(4; 2 from no 100, 8 from no 200'",
    "'salt(4; 8 from no 100', 'salt(4; 8 from no 100, 9 from no 101'",
    "'salt(4, device; over=2', 'salt(4, device; over=2, 8 from no 100'",
    "'salt(4; as=digits(3)', 'salt(4; as=digits(3), 500 from no 7'"
  })
  void stepsAtTheEndAreAppended(String before, String after) {
    assertThat(appended(before, after)).isTrue();
    assertThat(appended(after, before)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "'salt(4', 'salt(4'",
    "'salt(4', 'salt(5; 8 from no 100'",
    "'salt(4', 'salt(4, device; 8 from no 100'",
    "'salt(4', 'salt(4; as=byte(2), 8 from no 100'",
    "'salt(4, device; over=2', 'salt(4, device; over=3, 8 from no 100'",
    "'salt(4; 8 from no 100', 'salt(4; 8 from no 99, 9 from no 101'",
    "'salt(4; 8 from no 100', 'salt(4; 7 from no 100, 9 from no 101'",
    "'salt(4; 8 from no 100', 'salt(4; 9 from no 101, 10 from no 102'",
    "'salt(4, random', 'salt(4; 8 from no 100'",
    "'hbasewd_salt(4', 'salt(4; 8 from no 100'"
  })
  void anythingElseThatDiffersIsNoStep(String before, String after) {
    assertThat(appended(before, after)).isFalse();
  }

  @Test
  void otherKeysAreNoStep() {
    Layout before = Layout.parse("salt(4) + device:string + no:int64");
    assertThat(
            AppendedSteps.of(
                before, Layout.parse("salt(4; 8 from no 1) + device:string + no:int64 desc")))
        .isEmpty();
    assertThat(AppendedSteps.of(before, Layout.parse("salt(4; 8 from no 1) + no:int64"))).isEmpty();
    assertThat(AppendedSteps.of(Layout.parse("no:int64"), before)).isEmpty();
  }

  @Test
  void rowsAtOrAfterTheStepAreCoveredInEitherBucket() {
    Layout before =
        Layout.parse("salt(4; 5 from no 10) + reverse(device:string(3)) + no:int64 desc");
    Layout after =
        Layout.parse(
            "salt(4; 5 from no 10, 16 from no 100) + reverse(device:string(3)) + no:int64 desc");
    AppendedSteps steps = AppendedSteps.of(before, after).orElseThrow();
    for (long no : new long[] {Long.MIN_VALUE, 9, 10, 99, 100, 101, Long.MAX_VALUE}) {
      for (int i = 0; i < 50; i++) {
        Values record = Values.of(Map.of("device", "d%02d".formatted(i), "no", no));
        assertThat(steps.covers(before.encode(record))).isEqualTo(no >= 100);
        assertThat(steps.covers(after.encode(record))).isEqualTo(no >= 100);
        if (no < 100) {
          assertThat(before.encode(record)).isEqualTo(after.encode(record));
        }
      }
    }
    assertThat(steps.covers(new byte[0])).isFalse();
    assertThat(steps.covers(new byte[] {1, 2, 3})).isFalse();
    assertThat(steps.from()).isEqualTo("100");
    assertThat(steps.field().name()).isEqualTo("no");
    assertThat(steps).hasToString("16 buckets from no 100");
    assertThat(AppendedSteps.between(after, before)).isPresent();
  }

  @ParameterizedTest
  @CsvSource({
    "'salt(4', 'salt(4; 8 from no 100'",
    "'salt(4; 9 from no 10', 'salt(4; 9 from no 10, 8 from no 100'",
    "'salt(4, device; over=2', 'salt(4, device; over=2, 8 from no 100'",
    "'salt(4; as=digits(3), sep=\")\"', 'salt(4; as=digits(3), sep=\")\", 8 from no 100'"
  })
  void aLayoutIsSpelledWithOneMoreStep(String before, String after) {
    assertThat(Layout.parse(before + KEY).withStep(8, "no", "100"))
        .contains(Layout.parse(after + KEY));
  }

  @ParameterizedTest
  @ValueSource(strings = {"no:int64", "salt(4, random) + no:int64", "md5(no)[0..2] + no:int64"})
  void otherLayoutsHaveNoSteps(String line) {
    assertThat(Layout.parse(line).withStep(8, "no", "100")).isEmpty();
  }
}
