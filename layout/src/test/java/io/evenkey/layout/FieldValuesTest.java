/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.field.UnknownFieldException;
import io.evenkey.layout.field.ValueException;
import io.evenkey.layout.text.LayoutException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldValuesTest {
  private static final UUID ID = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");

  @Test
  void valuesOfADecodedKeyAreReadAsTheClassesOfTheirTypes() {
    Layout layout =
        Layout.parse(
            "s:string + ts:timestamp + u:uint64 + f:float32 + d:decimal + b:bool + id:uuid"
                + " + day:date + raw:bytes");
    Values record =
        Values.of("s", "x")
            .and("ts", Instant.ofEpochMilli(5))
            .and("u", BigInteger.TWO.pow(63))
            .and("f", 0.1f)
            .and("d", new BigDecimal("1.5"))
            .and("b", true)
            .and("id", ID)
            .and("day", LocalDate.of(2026, 1, 31))
            .and("raw", ByteString.of((byte) 1, (byte) 2));
    FieldValues read = layout.decode(layout.encode(record));
    assertThat(read.getString("s")).isEqualTo("x");
    assertThat(read.getLong("ts")).isEqualTo(5);
    assertThat(read.getInstant("ts")).isEqualTo(Instant.ofEpochMilli(5));
    assertThat(read.getBigInteger("u")).isEqualTo(BigInteger.TWO.pow(63));
    assertThat(read.getDouble("f")).isEqualTo(0.1f);
    assertThat(read.getDecimal("d")).isEqualTo("1.5");
    assertThat(read.getBoolean("b")).isTrue();
    assertThat(read.getUuid("id")).isEqualTo(ID);
    assertThat(read.getDate("day")).isEqualTo(LocalDate.of(2026, 1, 31));
    assertThat(read.getBytes("raw")).isEqualTo(ByteString.of((byte) 1, (byte) 2));
    assertThat(read.get("raw", byte[].class)).containsExactly(1, 2);
    assertThat(read.getString("ts")).isEqualTo("5");
  }

  @ParameterizedTest
  @CsvSource({
    "5, java.lang.Integer",
    "5, java.lang.Short",
    "5, java.lang.Byte",
    "5, java.math.BigInteger",
    "5, java.math.BigDecimal",
    "5, java.lang.Double",
    "5, java.lang.Float",
    "4611686018427387904, java.lang.Double"
  })
  void aNumberIsReadAsEveryClassThatHoldsIt(long number, Class<?> type) {
    assertThat(Values.of("n", number).get("n", type)).isInstanceOf(type);
    assertThat(((Number) Values.of("n", number).get("n", type)).longValue()).isEqualTo(number);
  }

  @ParameterizedTest
  @CsvSource({
    "2147483648, java.lang.Integer", "40000, java.lang.Short", "200, java.lang.Byte",
    "9007199254740993, java.lang.Double", "16777217, java.lang.Float", "5, java.lang.Boolean",
    "5, java.util.UUID"
  })
  void aNumberIsNotCutToAClassThatCannotHoldIt(long number, Class<?> type) {
    assertThatThrownBy(() -> Values.of("n", number).get("n", type))
        .isInstanceOf(ValueException.class)
        .hasMessageContaining("field=n value=\"" + number + "\"")
        .hasMessageContaining(type.getSimpleName());
  }

  @Test
  void fractionsAreReadAsTheDoublesThatArePrintedSo() {
    assertThat(Values.of("n", new BigDecimal("0.1")).getDouble("n")).isEqualTo(0.1);
    assertThat(Values.of("n", 0.5).get("n", float.class)).isEqualTo(0.5f);
    assertThat(Values.of("n", Double.NaN).get("n", Float.class)).isNaN();
    assertThat(Values.of("n", Float.POSITIVE_INFINITY).getDouble("n")).isInfinite();
    for (Object number : new Object[] {0.1, new BigDecimal("0.12345678901234567890")}) {
      assertThatThrownBy(() -> Values.of("n", number).get("n", Float.class))
          .isInstanceOf(ValueException.class);
    }
    for (Object number : new Object[] {1.5, Double.NaN, new BigDecimal("1.5")}) {
      assertThatThrownBy(() -> Values.of("n", number).getLong("n"))
          .isInstanceOf(ValueException.class);
    }
  }

  @Test
  void aNullIsNotAnUnknownField() {
    Layout layout = Layout.parse("phoenix_salt(4) + a:string + b:int64 + c:string");
    FieldValues read =
        layout.decode(layout.encode(layout.read(name -> name.equals("b") ? "7" : "")));
    assertThat(read.getString("a")).isNull();
    assertThat(read.isNull("a")).isTrue();
    assertThat(read.getLong("b")).isEqualTo(7);
    assertThatThrownBy(() -> read.getLong("d"))
        .isInstanceOf(UnknownFieldException.class)
        .hasMessage("unknown field: field=d fields=a,b,c; did you mean a?");
    assertThatThrownBy(() -> read.isNull("somewhere"))
        .hasMessage("unknown field: field=somewhere fields=a,b,c; use one of these fields");
  }

  @ParameterizedTest
  @CsvSource({
    "2025-11-02T01:30:00-05:00, 1762065000000",
    "2025-11-02 01:30:00-05, 1762065000000",
    "2025-11-02 01:30:00 -0500, 1762065000000",
    "2025-11-02T01:30:00-0500, 1762065000000",
    "2025-11-02t01:30z, 1762047000000",
    "2026-01-31T08:30:00+01:00[Europe/Paris], 1769844600000",
    "2026-01-31 08:30:00.123000, 1769848200123",
    "2024-02-29, 1709164800000",
  })
  void timesAreTakenAsPeoplesToolsWriteThem(String text, long milliseconds) {
    Layout layout = Layout.parse("ts:timestamp");
    assertThat(layout.logicalKey(Values.of("ts", text)))
        .isEqualTo(layout.logicalKey(Values.of("ts", milliseconds)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-02-29",
        "2026-02-31T00:00:00Z",
        "2026-04-31 10:00",
        "2026-01-31T24:00:00Z",
        "2026-01-31T23:59:60Z",
        "2026-13-01",
        "2026-01-31T08:30:00T",
        "2026-01-31T08:30:00[Europe/Paris]",
        "2026-01-31T08:30:00+19:00",
      })
  void timesThatDoNotExistAreRefused(String text) {
    for (String type : List.of("timestamp", "timestamp(\"yyyyMMdd\")", "date")) {
      Layout layout = Layout.parse("ts:" + type);
      assertThatThrownBy(() -> layout.logicalKey(Values.of("ts", text)))
          .as(type)
          .isInstanceOf(ValueException.class);
      assertThatThrownBy(() -> layout.where("ts >= '" + text + "'"))
          .as(type)
          .isInstanceOf(LayoutException.class);
    }
  }
}
