/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.field.ValueException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The Java classes that a field's value may have, and those that it may not. */
class ValueClassesTest {
  private static final UUID ID = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");

  static Stream<Arguments> accepted() {
    return Stream.of(
        Arguments.of("string", CharBuffer.wrap("a"), "a"),
        Arguments.of("digits", 42L, "42"),
        Arguments.of("digits", 42, "42"),
        Arguments.of("digits", 0L, "0"),
        Arguments.of("digits", CharBuffer.wrap("042"), "042"),
        Arguments.of("digits(4)", (short) 42, "0042"),
        Arguments.of("digits(2)", (byte) 42, "42"),
        Arguments.of("hex(4)", 255L, "00ff"),
        Arguments.of("hex(4)", 0, "0000"),
        Arguments.of("hex(4)", "FF", "00ff"),
        Arguments.of("int8", -128L, "-128"),
        Arguments.of("int8", (byte) 127, "127"),
        Arguments.of("int16", (short) -3, "-3"),
        Arguments.of("int32", "12", "12"),
        Arguments.of("uint32", 4_294_967_295L, "4294967295"),
        Arguments.of("uint64", 7, "7"),
        Arguments.of("uint64", "18446744073709551615", "18446744073709551615"),
        Arguments.of("uint64", BigInteger.TWO, "2"),
        Arguments.of("float32", 1.5, "1.5"),
        Arguments.of("float32", 16_777_216L, "1.6777216E7"),
        Arguments.of("float64", 1.5f, "1.5"),
        Arguments.of("float64", 3, "3.0"),
        Arguments.of("float64", Long.MIN_VALUE, "-9.223372036854775808E18"),
        Arguments.of("decimal", 5, "5"),
        Arguments.of("decimal", BigInteger.TEN, "10"),
        Arguments.of("decimal", new BigDecimal("1.50"), "1.5"),
        Arguments.of("decimal", "1.50", "1.5"),
        Arguments.of("bool", "true", "true"),
        Arguments.of("bool", false, "false"),
        Arguments.of("uuid", ID, ID.toString()),
        Arguments.of("uuid", ID.toString(), ID.toString()),
        Arguments.of("date", LocalDate.of(2026, 1, 31), "2026-01-31"),
        Arguments.of("date", "2026-01-31", "2026-01-31"),
        Arguments.of("timestamp", Instant.ofEpochMilli(5), "5"),
        Arguments.of("bytes", new byte[] {1, -1}, "01ff"),
        Arguments.of("bytes", ByteBuffer.wrap(new byte[] {1, -1}), "01ff"),
        Arguments.of("bytes", ByteString.fromHex("01ff"), "01ff"),
        Arguments.of("bytes", "01FF", "01ff"));
  }

  @ParameterizedTest
  @MethodSource("accepted")
  void aClassThatCanStandForTheFieldsOwnGivesTheSameRow(String type, Object value, String text) {
    Layout layout = Layout.parse("a:" + type);
    byte[] row = layout.encode(layout.read(name -> text));
    assertThat(layout.encode(Values.of("a", value))).isEqualTo(row);
    RowWriter writer = layout.writer();
    assertThat(writer.start().put(value).row()).isEqualTo(row);
    if (value instanceof CharSequence written) {
      assertThat(writer.start().put(written).row()).isEqualTo(row);
    }
    if (value instanceof Long number) {
      assertThat(writer.start().put(number.longValue()).row()).isEqualTo(row);
    }
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of("digits", -1L, "negative number in digits"),
        Arguments.of("digits", 1.0, "not a number in digits"),
        Arguments.of("digits(2)", 100L, "number of 3 digits too wide for digits(2)"),
        Arguments.of("hex(2)", -1L, "negative number in hex(2)"),
        Arguments.of("int8", 128, "number out of range for int8"),
        Arguments.of("int8", -129L, "number out of range for int8"),
        Arguments.of("uint8", 256, "number out of range for uint8"),
        Arguments.of("uint8", -1, "number out of range for uint8"),
        Arguments.of("int64", 1.0, "not a whole number for int64"),
        Arguments.of("uint64", -1L, "number out of range for uint64"),
        Arguments.of("uint64", 1.0, "not a whole number for uint64"),
        Arguments.of("uint64", BigInteger.TWO.pow(64), "number out of range for uint64"),
        Arguments.of("float32", 0.1, "number that float32 cannot hold exactly"),
        Arguments.of("float32", 16_777_217L, "number that float32 cannot hold exactly"),
        Arguments.of("float64", Long.MAX_VALUE, "number that float64 cannot hold exactly"),
        Arguments.of("float64", (1L << 53) + 1, "number that float64 cannot hold exactly"),
        Arguments.of("float64", BigDecimal.ONE, "not a number for float64"),
        Arguments.of("decimal", 1.5, "not a decimal number"),
        Arguments.of("decimal", new BigDecimal("1e-131"), "decimal number out of range"),
        Arguments.of("decimal", "1e124", "decimal number out of range"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void aValueThatCannotStandForTheFieldsOwnIsRefused(String type, Object value, String rule) {
    Layout layout = Layout.parse("a:" + type);
    assertThatThrownBy(() -> layout.encode(Values.of("a", value)))
        .isInstanceOf(ValueException.class)
        .hasMessageStartingWith(rule + ": field=a value=");
    if (value instanceof Long number) {
      assertThatThrownBy(() -> layout.writer().start().put(number.longValue()))
          .as("without boxing")
          .isInstanceOf(ValueException.class);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "digits, 0",
    "digits, 9",
    "digits, 10",
    "digits, 99",
    "digits, 100",
    "digits(3), 100",
    "digits(3), 999",
    "uint64, 9223372036854775807",
    "int8, -128",
    "uint8, 255",
    "timestamp, 1700000000000",
    "int64 desc, -5",
    "int32 desc, 7",
    "uint64 desc, 7"
  })
  void wholeNumbersAreWrittenAndReadWithoutBoxing(String type, long number) {
    Layout layout = Layout.parse("a:" + type);
    byte[] row = layout.encode(Values.of("a", number));
    assertThat(layout.writer().start().put(number).row()).isEqualTo(row);
    if (!type.startsWith("digits")) {
      assertThat(layout.reader().open(row).getLong(0)).isEqualTo(number);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "digits, 12a, ''",
    "digits, '', ''",
    "digits, /, ''",
    "digits, :, ''",
    "digits(3), 1234, ''",
    "digits(3), 12, 012",
    "digits(3), 123, 123",
    "digits, 0, 0",
    "digits, 9, 9"
  })
  void textIsCheckedWithoutACopyToo(String type, String text, String stored) {
    RowWriter writer = Layout.parse("a:" + type).writer();
    if (stored.isEmpty()) {
      assertThatThrownBy(() -> writer.start().put((CharSequence) text))
          .isInstanceOf(ValueException.class);
    } else {
      assertThat(writer.start().put((CharSequence) text).row()).asString().isEqualTo(stored);
    }
  }

  @Test
  void anUnsignedNumberPastTheSignedOnesIsNotReadAsASignedOne() {
    Layout layout = Layout.parse("a:uint64");
    byte[] row = layout.encode(Values.of("a", BigInteger.TWO.pow(63)));
    assertThat(layout.reader().open(row).get(0)).isEqualTo(BigInteger.TWO.pow(63));
    assertThatThrownBy(() -> layout.reader().open(row).getLong(0)).hasMessageContaining("uint64");
  }
}
