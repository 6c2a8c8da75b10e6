/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import static io.evenkey.layout.scatter.Condition.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.layout.field.UnknownFieldException;
import io.evenkey.layout.field.ValueException;
import io.evenkey.layout.scatter.Condition;
import io.evenkey.layout.scatter.Where;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ConditionTest {
  private static final Layout LAYOUT =
      Layout.parse("salt(8, device) + device:string + ts:timestamp desc + n:int32");
  private static final Instant NEW_YEAR = Instant.parse("2026-01-01T00:00:00Z");

  static Stream<Arguments> texts() {
    return Stream.of(
        Arguments.of(field("device").eq("d1"), "device = 'd1'"),
        Arguments.of(field("device").ne("d1"), "device <> 'd1'"),
        Arguments.of(field("device").in("d1", "d2"), "device in (d1, d2)"),
        Arguments.of(field("device").startsWith("d"), "device starts with 'd'"),
        Arguments.of(field("n").lessThan(5), "n < 5"),
        Arguments.of(field("n").atMost(5L), "n <= 5"),
        Arguments.of(field("n").greaterThan("5"), "n > 5"),
        Arguments.of(field("n").between(1, 5), "n between 1 and 5"),
        Arguments.of(
            field("device").eq("o'clock").and(field("ts").atLeast(NEW_YEAR)),
            "device = \"o'clock\" and ts >= 2026-01-01"));
  }

  @ParameterizedTest
  @MethodSource("texts")
  void aConditionIsTheOneThatItsTextSays(Condition condition, String text) {
    Where made = LAYOUT.where(condition);
    Where parsed = LAYOUT.where(text);
    assertThat(made.ranges()).isEqualTo(parsed.ranges());
    assertThat(LAYOUT.scatter(made).ranges()).isEqualTo(LAYOUT.scatter(parsed).ranges());
    assertThat(LAYOUT.where(condition.toString()).ranges()).isEqualTo(parsed.ranges());
    assertThat(LAYOUT.where(String.join(" and ", made.residual(false))).ranges())
        .isEqualTo(parsed.ranges());
  }

  @Test
  void aConditionIsReadByTheFieldsOfEachLayoutByItself() {
    Condition condition = field("device").eq("d1");
    assertThat(LAYOUT.scatter(LAYOUT.where(condition)).fanOut()).isEqualTo(1);
    Layout other = Layout.parse("salt(4) + device:string");
    assertThat(other.scatter(other.where(condition)).fanOut()).isEqualTo(1);
    Layout whole = Layout.parse("salt(4) + device:string + n:int32");
    assertThat(whole.scatter(whole.where(condition)).fanOut()).isEqualTo(4);
  }

  @Test
  void aNameThatNoFieldHasIsRefusedWithTheNamesThatThereAre() {
    assertThatThrownBy(() -> LAYOUT.where(field("devise").eq("d1")))
        .isInstanceOf(UnknownFieldException.class)
        .hasMessage("unknown field: field=devise fields=device,ts,n; did you mean device?");
  }

  @Test
  void aValueThatTheFieldCannotHoldIsRefused() {
    assertThatThrownBy(() -> LAYOUT.where(field("n").eq(1L << 40)))
        .isInstanceOf(ValueException.class)
        .hasMessageContaining("field=n value=\"1099511627776\"");
    assertThatThrownBy(() -> LAYOUT.where(field("n").startsWith("1")))
        .isInstanceOf(ValueException.class)
        .hasMessageContaining("field=n");
    assertThatThrownBy(() -> field("device").in())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("field=device");
  }

  @Test
  void conditionsOfTheSameComparisonsAreEqual() {
    assertThat(field("n").eq(1).and(field("ts").ne(2)))
        .isEqualTo(field("n").eq(1).and(field("ts").ne(2)))
        .hasSameHashCodeAs(field("n").eq(1).and(field("ts").ne(2)))
        .isNotEqualTo(field("n").eq(1))
        .hasToString("n = \"1\" and ts != \"2\"");
  }
}
