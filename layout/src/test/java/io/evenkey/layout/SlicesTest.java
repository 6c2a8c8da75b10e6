/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.scatter.Scatter;
import io.evenkey.layout.text.RowException;
import io.evenkey.layout.text.SyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Salts that hash slices of a field. */
class SlicesTest {
  private static final String EVENTS = "salt(48, ts every 1s; over=6) + ts:timestamp + id:int64";

  private static int fanOut(String line, String where) {
    Layout layout = Layout.parse(line);
    return layout.scatter(layout.where(where)).fanOut();
  }

  /** The examples of {@code docs/scan-ranges.md}. */
  @ParameterizedTest
  @CsvSource({
    "'salt(6, n / 10; over=2)', n >= 10 and n < 20, 2:10-19 5:10-19",
    "'salt(6, n / 10; over=2)', n >= 25 and n < 65, 0:25-59 1:40-64 3:25-59 4:40-64",
    "'salt(6, n / 10; over=2)', n >= 10, 0:20- 1:40- 2:10- 3:20- 4:40- 5:10-",
    "'salt(6, n / 10; over=2, 8 from n 40)', n >= 25 and n < 65, "
        + "0:25-59 2:60-64 3:25-39 4:40-59 6:60-64"
  })
  void aScanOpensEachBucketFromItsFirstToItsLastSlice(String salt, String where, String ranges) {
    Layout layout = Layout.parse(salt + " + n:int64 + id:int64");
    assertThat(
            layout.scatter(layout.where(where)).ranges().stream()
                .map(SlicesTest::bucketAndNumbers)
                .collect(Collectors.joining(" ")))
        .isEqualTo(ranges);
  }

  private static String bucketAndNumbers(KeyRange range) {
    ByteBuffer start = ByteBuffer.wrap(range.start());
    ByteBuffer stop = ByteBuffer.wrap(range.stop());
    String last = stop.capacity() < 9 ? "" : String.valueOf((stop.getLong(1) ^ Long.MIN_VALUE) - 1);
    return start.get(0) + ":" + (start.getLong(1) ^ Long.MIN_VALUE) + "-" + last;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        EVENTS,
        "salt(48, device, ts every 1h) + device:string + ts:timestamp desc",
        "salt(48, ts every 90s, device; over=2, as=hex(3), sep=\"_\") + device:string + ts:timestamp",
        "salt(48, ts every 250ms; over=6) + ts:timestamp",
        "salt(48, day every 7d; over=6) + day:date + id:string",
        "salt(48, seq / 1000; over=6) + seq:uint64",
        "salt(48, `seq no` / 999999999999999999) + `seq no`:int64",
        "salt(48, at / 100; over=6) + at:digits(14)",
        "salt(48, every every 1d) + every:timestamp",
        "salt(16, ts every 1s; over=6, 48 from ts 2027-01-01) + ts:timestamp + id:int64"
      })
  void aLineInItsCanonicalSpellingReadsBackAsItself(String line) {
    assertThat(Layout.parse(line)).hasToString(line);
  }

  @ParameterizedTest
  @CsvSource({
    "EVERY 1000 ms, every 1s",
    "every 60s, every 1m",
    "every 90m, every 90m",
    "every 24h, every 1d",
    "every 0048h, every 2d"
  })
  void aWidthIsPrintedInTheLargestUnitThatDividesIt(String written, String canonical) {
    assertThat(Layout.parse("salt(48, ts " + written + ") + ts:timestamp"))
        .hasToString("salt(48, ts " + canonical + ") + ts:timestamp");
  }

  @Test
  void keysOfOneSliceShareTheirBucketsBefore1970Too() {
    Layout layout = Layout.parse("salt(1000, ts every 1s) + ts:timestamp");
    assertThat(prefix(layout, -1000)).isEqualTo(prefix(layout, -1));
    assertThat(prefix(layout, 0)).isEqualTo(prefix(layout, 999));
    Set<String> buckets = new TreeSet<>();
    for (long second = -50; second < 50; second++) {
      buckets.add(prefix(layout, 1000 * second));
    }
    assertThat(buckets).hasSizeGreaterThan(85);
    assertThat(prefix(Layout.parse(layout + " desc"), -1)).isEqualTo(prefix(layout, -1000));
  }

  private static String prefix(Layout layout, long ts) {
    return ByteText.hex(Arrays.copyOf(layout.encode(Values.of("ts", ts)), 2));
  }

  @Test
  void aSliceOfOneValueHashesTheValue() {
    Values record = Values.of("ts", 1_700_000_000_123L);
    assertThat(Layout.parse("salt(500, ts every 1ms) + ts:timestamp").encode(record))
        .isEqualTo(Layout.parse("salt(500, ts) + ts:timestamp").encode(record));
  }

  @Test
  void theLargestNumbersAreInASliceToo() {
    Layout layout = Layout.parse("salt(1000, n / 10) + n:uint64");
    for (String n : List.of("0", "9223372036854775808", "18446744073709551615")) {
      Values record = layout.read(name -> n);
      assertThat(layout.decode(layout.encode(record))).isEqualTo(record);
      Scatter from = layout.scatter(layout.where("n >= " + n));
      assertThat(from.ranges()).anyMatch(range -> range.contains(layout.encode(record)));
    }
    assertThat(fanOut(layout.toString(), "n >= 18446744073709551606")).isBetween(1, 2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ts >= 2027-01-01 and ts < 2027-01-01T00:00:01Z                 | 6",
        "ts >= 2027-01-01T00:00:00.999Z and ts < 2027-01-01T00:00:01Z   | 6",
        "ts > 2027-01-01 and ts <= 2027-01-01T00:00:01Z                 | 12",
        "ts = 2027-01-01                                                | 6",
        "ts = 2027-01-01 and id = 7                                     | 1",
        "ts >= 2027-01-01 and ts < 2027-01-02                           | 48",
        "ts >= 2027-01-01                                               | 48",
        "id = 7                                                         | 48"
      })
  void aRangeOpensTheBucketsOfItsSlices(String where, int most) {
    for (String line : List.of(EVENTS, EVENTS.replace("timestamp", "timestamp desc"))) {
      assertThat(fanOut(line, where)).isBetween(most == 12 ? 7 : most, most);
    }
  }

  @Test
  void aConditionOnASlicedFieldBehindOthersOpensTheBucketsOfItsSlices() {
    String line = "salt(48, ts every 1h; over=2) + device:string + ts:timestamp";
    assertThat(fanOut(line, "ts >= 2027-01-01 and ts < 2027-01-01T01:00Z")).isEqualTo(2);
    assertThat(fanOut(line, "ts >= 2027-01-01 and ts < 2027-01-01T03:00Z")).isBetween(3, 6);
    assertThat(fanOut(line, "device = 'd' and ts >= 2027-01-01")).isEqualTo(48);
    String both = "salt(48, device, ts every 1h) + device:string + ts:timestamp";
    assertThat(fanOut(both, "device = 'd' and ts = 2027-01-01T00:30Z")).isOne();
    assertThat(fanOut(both, "device in (a, b) and ts = 2027-01-01T00:30Z")).isEqualTo(2);
    assertThat(fanOut(both, "device > 'd' and ts = 2027-01-01T00:30Z")).isEqualTo(48);
  }

  /** Each bucket is read from the first of its slices to the last one. */
  @Test
  void aRangeOfABucketReachesFromItsFirstSliceToItsLast() {
    Layout layout = Layout.parse("salt(5, n / 10) + n:uint8");
    int[] bucket = new int[6];
    for (int slice = 0; slice < 6; slice++) {
      bucket[slice] = layout.encode(Values.of("n", 10L * slice))[0];
    }
    for (KeyRange range : layout.scatter(layout.where("n >= 5 and n < 57")).ranges()) {
      int first = 0;
      while (bucket[first] != range.start()[0]) {
        first++;
      }
      int last = 5;
      while (bucket[last] != range.start()[0]) {
        last--;
      }
      assertThat(range.start()[1] & 0xff).isEqualTo(Math.max(5, 10 * first));
      assertThat(range.stop()[1] & 0xff).isEqualTo(Math.min(57, 10 * last + 10));
    }
  }

  @Test
  void anOpenRangeOfABucketBeginsAtItsFirstSlice() {
    Layout layout = Layout.parse("salt(256, ts every 1s; over=6) + ts:timestamp + id:int64");
    Scatter from = layout.scatter(layout.where("ts >= 2027-01-01"));
    assertThat(from.fanOut()).isEqualTo(256);
    byte[] start = layout.where("ts >= 2027-01-01").ranges().get(0).start();
    assertThat(
            from.ranges().stream().filter(range -> Arrays.equals(range.start(), 1, 9, start, 0, 8)))
        .hasSize(6);
    Scatter to = layout.scatter(layout.where("ts < 2027-01-01"));
    assertThat(to.ranges().stream().filter(range -> Arrays.equals(range.stop(), 1, 9, start, 0, 8)))
        .hasSize(6);
  }

  @Test
  void stepsAndSlicesGoTogether() {
    Layout both = Layout.parse("salt(16, n / 10; over=2, 48 from n 55) + n:uint8 + id:int64");
    for (long n = 0; n < 110; n++) {
      for (long id = 0; id < 5; id++) {
        Values record = Values.of("n", n).and("id", id);
        int buckets = n < 55 ? 16 : 48;
        Layout alone = Layout.parse("salt(" + buckets + ", n / 10; over=2) + n:uint8 + id:int64");
        assertThat(both.encode(record)).isEqualTo(alone.encode(record));
        Scatter near = both.scatter(both.where("n >= " + (n - n % 7) + " and n < " + (n + 3)));
        assertThat(near.ranges().stream().filter(range -> range.contains(both.encode(record))))
            .hasSize(1);
      }
    }
    assertThat(fanOut(both.toString(), "n >= 50 and n < 60")).isBetween(2, 4);
  }

  @Test
  void aStepCanBeAddedToTheSameSlicesOnly() {
    Layout before = Layout.parse("salt(16, n / 10; over=2) + n:uint8");
    Layout after = Layout.parse("salt(16, n / 10; over=2, 48 from n 55) + n:uint8");
    Layout other = Layout.parse("salt(16, n / 20; over=2, 48 from n 55) + n:uint8");
    assertThat(after.spread().prefix().appendsStepsTo(before.spread().prefix())).isTrue();
    assertThat(other.spread().prefix().appendsStepsTo(before.spread().prefix())).isFalse();
  }

  @Test
  void aKeyWithoutAValueToSliceIsRefused() {
    Layout layout = Layout.parse("salt(16, d / 10) + d:digits(3)");
    assertThatThrownBy(() -> layout.physical("1:2".getBytes(StandardCharsets.US_ASCII)))
        .isInstanceOf(RowException.class)
        .hasMessageContaining("bytes that are not digits in d:digits(3)");
    KeyRange garbage =
        KeyRange.of(
            "1/".getBytes(StandardCharsets.US_ASCII), "2:".getBytes(StandardCharsets.US_ASCII));
    for (long n = 0; n < 400; n++) {
      byte[] row = layout.encode(Values.of("d", n));
      assertThat(layout.scatter(garbage).ranges().stream().anyMatch(range -> range.contains(row)))
          .as("%s", n)
          .isEqualTo(n >= 100 && n < 300);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "salt(16, n evry 1s) + n:timestamp | unknown word after a field 'evry'; did you mean 'every'? | evry",
        "salt(16, n every) + n:timestamp | unexpected ')' | )",
        "salt(16, n every s) + n:timestamp | unexpected 's' | s",
        "salt(16, n every 1) + n:timestamp | unexpected ')' | )",
        "salt(16, n every 1x) + n:timestamp | unknown unit of time 'x' | x",
        "salt(16, n every 1sec) + n:timestamp | unknown unit of time 'sec' | sec",
        "salt(16, n every 0s) + n:timestamp | number of units of time, such as 1s out of range: 0 | 0",
        "salt(16, n every 3652501d) + n:timestamp | width of a slice out of range: 3652501d | 3652501",
        "salt(16, n / 1) + n:int8 | width of a slice out of range: 1 | 1",
        "salt(16, n /) + n:int8 | unexpected ')' | )",
        "salt(16, n / 1000000000000000000) + n:int64 | width of a slice out of range: 1000000000000000000 | 1000000000000000000",
        "salt(16, m every 1s) + n:timestamp | unknown field 'm' | m",
        "salt(16, n every 1s, m every 1s) + n:timestamp + m:timestamp | slices of two fields | every 1s",
        "salt(16, n every 1s) + n:int64 | slices of n:int64 in units of time | every 1s",
        "salt(16, n / 1000) + n:timestamp desc | slices of n:timestamp desc without a unit of time | / 1000",
        "salt(16, n every 36h) + n:date | slices of part of a day of n:date | every 36h",
        "salt(16, n every 1s) + n:string | slices of a field of type string | n",
        "salt(16, n / 5) + n:digits | slices of a field of type digits | n",
        "salt(16, n / 5) + n:digits(19) | slices of a field of type digits(19) | n",
        "salt(16, n every 1d) + n:timestamp(\"yyyyMMdd\") | slices of a field of type timestamp(\"yyyyMMdd\") | n",
        "salt(16, n / 5) + reverse(n:int8) | slices of a reversed field | n",
        "salt(16, random every 1s) + n:int8 | unexpected 'every' | every",
        "md5(n every 1s) + n:timestamp | slices in md5 | every",
        "murmur3(n / 5)[0..2] + n:int8 | slices in murmur3 | /"
      })
  void mistakesAreNamedWithTheirPlace(String line, String problem, String place) {
    SyntaxException e = catchThrowableOfType(SyntaxException.class, () -> Layout.parse(line));
    assertThat(e).as(line).isNotNull();
    assertThat(e.problem()).startsWith(problem);
    int end = e.span().start() + e.span().length();
    assertThat(line.substring(e.span().start(), end)).isEqualTo(place);
  }

  @Test
  void aMistakeIsShownWithTheWayOut() {
    assertThatThrownBy(() -> Layout.parse("salt(16, n every 1s) + n:int64"))
        .hasMessage(
            """
            layout: slices of n:int64 in units of time
              salt(16, n every 1s) + n:int64
                         ^^^^^^^^
              write / 1000""");
  }
}
