/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.layout.Layout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WrittenTimesTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "s,1700000000,1700000000000",
    "s,-1,-1000",
    "us,1700000000123000,1700000000123",
    "ns,1700000000123000000,1700000000123",
    "ms,1700000000123,1700000000123",
    "yyyyMMdd,20260131,1769817600000",
    "yyyyMMddHHmmss,20260131083000,1769848200000",
    "s,2026-01-31,2026-01-31"
  })
  void numbersAreOfTheUnit(String unit, String text, String milliseconds) {
    assertThat(WrittenTimes.of(unit).milliseconds(text)).isEqualTo(milliseconds);
  }

  @Test
  void whatIsNoneOfTheUnitIsRefused() {
    assertThatThrownBy(() -> WrittenTimes.of("us").milliseconds("1700000000123456"))
        .hasMessage("time finer than a millisecond: value=1700000000123456 unit=us");
    assertThatThrownBy(() -> WrittenTimes.of("yyyyMMdd").milliseconds("20260231"))
        .hasMessageContaining("value=");
    assertThatThrownBy(() -> WrittenTimes.of("minutes"))
        .hasMessageContaining("neither a unit nor a pattern of times: minutes");
  }

  @ParameterizedTest
  @CsvSource({
    "1700000000,s",
    "20260131,yyyyMMdd",
    "20260131083000,yyyyMMddHHmmss",
    "1700000000123456,us",
    "1700000000123456789,ns"
  })
  void aNumberThatIsHardlyMillisecondsHasALikelierUnit(String number, String unit) {
    assertThat(OddTimes.unit(number)).isEqualTo(unit);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1700000000123", "0", "-1", "1234567", "2026-01-31", "20261340", ""})
  void otherTimesAreNotOdd(String text) {
    assertThat(OddTimes.unit(text)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "1700000000,2023-11-14T22:13:20Z if it is seconds",
    "1700000000123456,2023-11-14T22:13:20.123Z if it is microseconds",
    "1700000000123456789,2023-11-14T22:13:20.123Z if it is nanoseconds",
    "20260131,2026-01-31T00:00:00Z if it is a date",
    "20260131083000,2026-01-31T08:30:00Z if it is a date",
    "20260231,it looks like a date that does not exist"
  })
  void aTypedTimeIsWarnedOfWithWhatItMayMean(String number, String meaning) {
    Layout layout = Layout.parse("ts:timestamp desc + n:int64");
    Map<String, String> values = Map.of("ts", number, "n", number);
    assertThat(OddTimes.warnings(layout, values::get))
        .singleElement()
        .asString()
        .contains("field=ts value=" + number + " time=", meaning);
    for (String condition :
        List.of(
            "ts >= " + number,
            "ts in (" + number + ", 2026-01-31)",
            "ts between 1700000000123 and '" + number + "' and n = " + number)) {
      assertThat(OddTimes.warnings(layout.where(condition)))
          .as(condition)
          .singleElement()
          .asString()
          .contains("field=ts value=" + number, meaning);
    }
  }

  @Test
  void otherTypedTimesAreNotWarnedOf() {
    Layout layout = Layout.parse("ts:timestamp + n:int64");
    Map<String, String> values = Map.of("ts", "1700000000123", "n", "1700000000");
    assertThat(OddTimes.warnings(layout, values::get)).isEmpty();
    assertThat(
            OddTimes.warnings(
                layout.where(
                    "ts >= 2026-01-31T08:30:00.123000000Z and ts < 1700000000123 and n > 20260131")))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"timestamp", "timestamp(long)"})
  void numbersOfEachTypeOfTimeAreLookedAt(String type) throws IOException {
    Path file = Files.writeString(directory.resolve("times.csv"), "ts\n1700000000\n");
    RecordSource source = Format.CSV.read(Input.file(file));
    Layout layout = Layout.parse("ts:" + type);
    KeyColumns plain = KeyColumns.of(source, layout);
    KeyColumns seconds = KeyColumns.of(source, layout, WrittenTimes.of("s"));
    try (RecordCursor records = source.open()) {
      assertThat(records.next()).isTrue();
      assertThat(layout.decodeLogical(plain.logicalKey(records)).get("ts"))
          .isEqualTo(1_700_000_000L);
      assertThat(plain.oddTimes().counts()).isEqualTo(Map.of("s", 1L));
      assertThat(layout.decodeLogical(seconds.logicalKey(records)).get("ts"))
          .isEqualTo(1_700_000_000_000L);
    }
  }
}
