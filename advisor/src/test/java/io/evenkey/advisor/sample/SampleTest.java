/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampleTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "n|1,-5,0|int64",
        "n|007,1234|string",
        "n|007,123,000|digits(3)",
        "t|1700000000000,1700000000001|timestamp",
        "t|2026-01-31T08:30:00Z,2026-01-31 08:30|timestamp",
        "d|2026-01-31,1999-12-31|date",
        "u|123e4567-e89b-12d3-a456-426614174000|uuid",
        "host|www.example.com,a.b.org,localhost|string",
        "host|www.example.com,a.b.org|domain",
        "program|chrome.exe,svchost.exe|string",
        "x|a,|string",
        "when|31/01/2026,01/02/2026 08:30|unsorted time",
        "when|1/31/26 8:30 PM,,2/1/26 9:00 AM|unsorted time",
        "when|31.12.2025,01.01.2026|unsorted time",
        "when|31/Jan/2026:08:30:00 +0000|unsorted time",
        "when|Sat 31 Jan 2026 08:30:00 GMT|unsorted time",
        "when|Jan 31 2026|unsorted time",
        "when|2026/1/31,2026/10/1|unsorted time",
        "when|2026-01-31 08:30 PM,2026-02-01 09:00 AM|unsorted time",
        "when|2026/01/31 08:30,2026/02/01 09:00|string",
        "when|31/13/2026,01/01/2026|string",
        "version|1.2.3,1.10.2|string",
        "name|may,june 4|string",
        "ts|1700000000,1700000001|time in s",
        "created_at|1700000000000000|time in us",
        "epoch_ns|1700000000000000001,1700000000000000002|time in ns",
        "event_time|20260131083000,20260131083001|time in yyyyMMddHHmmss",
        "order_date|20260131,20260201|time in yyyyMMdd",
        "order_date|20261331,20260201|int64",
        "price|1700000000,1700000001|int64",
        "ts|12,1700000001|int64",
      })
  void typesFollowFromAllValues(String name, String values, String type) {
    assertThat(ColumnType.infer(name, List.of(values.split(",", -1)))).isEqualTo(type);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "01/02/2026,31/01/2026 08:30|the day is first; write them in ISO 8601, this one as 2026-02-01",
        "01/31/26 08:30,02/01/26|the month is first; write them in ISO 8601, this one as 2026-01-31T08:30",
        "01/02/2026,02/01/2026|whether the day or the month is first, the values do not say; write them as"
            + " 2026-01-31T08:30:00Z, or in milliseconds since 1970",
        "31 Jan 2026|write them as 2026-01-31T08:30:00Z, or in milliseconds since 1970"
      })
  void theRemedyFollowsFromAllValues(String values, String remedy) {
    Sample.Builder sample = new Sample.Builder(List.of("when"));
    List.of(values.split(",", -1)).forEach(value -> sample.add(List.of(value)));
    assertThat(sample.build().warnings())
        .singleElement()
        .asString()
        .contains("column=when value=\"", "\"; " + remedy);
  }

  @Test
  void timesInAnotherUnitAreWarnedOfWithTheOptionThatReadsThem() {
    Sample.Builder sample = new Sample.Builder(List.of("sent at", "ts"));
    sample.add(List.of("1700000000000", "1700000000000000001"));
    sample.add(List.of("1700000000001", "1700000000000000002"));
    Sample built = sample.build();
    assertThat(built.column("ts").keyType()).isEqualTo("digits(19)");
    assertThat(built.warnings())
        .containsExactly(
            "times that are not in milliseconds since 1970, and numbers in a key: column=ts"
                + " value=1700000000000000001; for a field ts:timestamp, name their unit when they are"
                + " imported: unit=ns");
  }

  @Test
  void aSampleKeepsEvenlySpacedRecords() {
    Sample.Builder builder = new Sample.Builder(List.of("n"), 100);
    int held = 0;
    for (int i = 0; i < 1_000; i++) {
      if (builder.wants()) {
        builder.add(List.of(String.valueOf(i)));
        held++;
      } else {
        builder.skip();
      }
    }
    Sample sample = builder.build();
    assertThat(sample.records()).isEqualTo(1_000);
    assertThat(sample.size()).isBetween(50, 100);
    assertThat(held).isLessThan(300);
    int step = Integer.parseInt(sample.column("n").text(1));
    for (int i = 0; i < sample.size(); i++) {
      assertThat(sample.column("n").text(i)).isEqualTo(String.valueOf(i * step));
    }
    assertThat(sample.isWhole()).isFalse();
    assertThat(sample.column("n").values()).hasSize(sample.size());
  }

  @Test
  void recordsCanBeNumbered() {
    Sample.Builder builder = new Sample.Builder(List.of("n"));
    builder.add(List.of("a"));
    builder.add(List.of("a"));
    Sample numbered = builder.build().numbered();
    assertThat(numbered.column(Sample.RECORD_NUMBER).text(1)).isEqualTo("1");
    assertThat(numbered.numbered()).isSameAs(numbered);
    assertThat(numbered.column("n").largestShare()).isEqualTo(1);
  }
}
