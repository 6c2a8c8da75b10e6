/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.field.ValueException;
import io.evenkey.layout.text.RowException;
import io.evenkey.layout.text.SyntaxException;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A value that would break order, or not be read back, is refused with field, value and remedy. */
class RefusalsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a:string + \"-\" + b:int64 | x-y | value contains '-', with which the separator \"-\" begins",
        "a:string + \":\" + b:int64 | x1  | value contains '1', which sorts before the separator \":\"",
        "a:digits(3) + b:int64      | 1234 | number of 4 digits too wide for digits(3)",
        "a:digits(3) + b:int64      | -1  | '-' is not a digit",
        "a:digits + b:int64         | ''  | empty text is not digits",
        "a:string(2) + b:int64      | éa  | text of 3 bytes too long for string(2)",
        "a:int64 + b:int64          | 1.5 | not a whole number for int64",
        "a:int64 + b:int64          | 9223372036854775808 | not a whole number for int64",
        "a:timestamp + b:int64      | 2021-13-01 | not a time",
        "a:timestamp + b:int64      | 2021-01-01T10:00:00.0001Z | time finer than a millisecond"
      })
  void aValueThatCannotBeInTheKeyIsRefused(String line, String value, String rule) {
    Layout layout = Layout.parse(line);
    assertThatThrownBy(() -> layout.encode(layout.read(name -> name.equals("a") ? value : "1")))
        .isInstanceOf(ValueException.class)
        .hasMessageStartingWith(rule)
        .hasMessageContaining("field=a value=\"" + value + "\"; ");
  }

  @Test
  void textThatCouldNotBeReadBackIsRefused() {
    Layout terminated = Layout.parse("a:string + b:int64");
    assertThatThrownBy(() -> terminated.encode(Values.of("a", "x\0y").and("b", 1)))
        .isInstanceOf(ValueException.class)
        .hasMessageContaining("NUL");
    assertThat(Layout.parse("a:string").decode(new byte[] {'x', 0, 'y'}))
        .as("in last position nothing marks the end, so NUL is a character like others")
        .isEqualTo(Values.of("a", "x\0y"));
    assertThatThrownBy(() -> Layout.parse("a:string(4)").encode(Values.of("a", "x\0")))
        .isInstanceOf(ValueException.class)
        .hasMessageContaining("ends in NUL");
    assertThatThrownBy(() -> Layout.parse("a:string").encode(Values.of("a", "x\uD800")))
        .isInstanceOf(ValueException.class)
        .hasMessageContaining("surrogate");
    assertThat(Layout.parse("a:string").encode(Values.of("a", "really?"))).hasSize(7);
  }

  @Test
  void aMissingValueAndAValueOfAnotherClassAreRefused() {
    Layout layout = Layout.parse("a:string + b:timestamp");
    assertThatThrownBy(() -> layout.encode(Values.of("a", "x")))
        .isInstanceOf(ValueException.class)
        .hasMessage("value missing: field=b value=\"\"; every field of a key needs a value");
    assertThatThrownBy(() -> layout.encode(Values.of("a", 1L).and("b", 1L)))
        .hasMessageStartingWith("not a text: field=a");
    assertThatThrownBy(() -> layout.encode(Values.of("a", "x").and("b", 1.5)))
        .hasMessageStartingWith("not a time: field=b");
    assertThat(layout.encode(Values.of("a", "x").and("b", Instant.ofEpochMilli(5))))
        .isEqualTo(layout.encode(Values.of("a", "x").and("b", 5L)));
  }

  @ParameterizedTest
  @CsvSource({
    "salt(16) + s:string,                 06726f772d303030303031, gives this key another prefix",
    "salt(16) + s:string,                 '',                     too short for salt(16)",
    "s:string + \"-\" + n:digits,         61622e31,               no end of s:string",
    "d:digits(2) + \"-\" + n:digits,      31322e31,               'expected \"-\"'",
    "n:int64,                             80000000000000,         no end of n:int64",
    "n:int64,                             800000000000000000,     bytes after the last field",
    "d:digits,                            3141,                   bytes that are not digits",
    "s:string,                            ff,                     bytes that are not UTF-8",
    "reverse(d:digits(4)) + n:int64,      3132,                   too short",
    "\"v1\" + s:string,                   763261,                 'expected \"v1\"'"
  })
  void aRowThatWasNotWrittenUnderTheLayout(String line, String hex, String rule) {
    Layout layout = Layout.parse(line);
    assertThatThrownBy(() -> layout.decode(ByteText.fromHex(hex)))
        .isInstanceOf(RowException.class)
        .hasMessageStartingWith("row does not fit its layout: ")
        .hasMessageContaining(rule);
  }

  @Test
  void mistakesInAConditionPointAtTheirPlace() {
    Layout layout = Layout.parse("device:string + ts:timestamp");
    assertThatThrownBy(() -> layout.where("devise = 'x'"))
        .isInstanceOf(SyntaxException.class)
        .hasMessage(
            """
            where: unknown field 'devise'; did you mean 'device'?
              devise = 'x'
              ^^^^^^
              expected one of device, ts""");
    assertThatThrownBy(() -> layout.where("device = 'x' and ts >= soon"))
        .isInstanceOf(SyntaxException.class)
        .hasMessageContaining("not a time: field=ts value=\"soon\"");
    for (String wrong :
        new String[] {
          "",
          "device",
          "device ~ 'x'",
          "device = ",
          "device = 'x' or ts = 1",
          "ts between 1",
          "ts between 1 and",
          "device = 'x' and"
        }) {
      assertThatThrownBy(() -> layout.where(wrong)).as(wrong).isInstanceOf(SyntaxException.class);
    }
  }
}
