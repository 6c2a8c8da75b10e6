/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.scatter.Scatter;
import io.evenkey.layout.split.SplitPlan;
import io.evenkey.layout.spread.Step;
import io.evenkey.layout.spread.Steps;
import io.evenkey.layout.text.SyntaxException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Salts whose number of buckets changes at steps of a field. */
class StepsTest {
  private static final String ORDERS =
      "salt(16; 48 from ts 2027-01-01) + ts:timestamp + order_id:int64";
  private static final String READINGS =
      "salt(16, device; 48 from ts 2027-01-01, 96 from ts 2028-01-01)"
          + " + device:string + ts:timestamp desc";

  private static int fanOut(String line, String where) {
    Layout layout = Layout.parse(line);
    return layout.scatter(layout.where(where)).fanOut();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ORDERS,
        READINGS,
        "salt(48, a; over=2, as=hex(3), sep=\"_\", 16 from n -5, 300 from n 7) + a:string + n:int8",
        "salt(200; as=byte(2), 1000 from `seq no` 5000000) + `seq no`:uint64",
        "salt(4; as=letters(2), 100 from day 2027-01-01) + day:date",
        "salt(4; 5 from ts 2027-01-01T08:30:00.250Z) + ts:timestamp",
        "salt(4; 5 from ts -62167219200001) + ts:timestamp",
        "salt(4; 5 from ts \"20270101 08\") + ts:timestamp(\"yyyyMMdd HH\")",
        "salt(4; 5 from ts 202701) + ts:timestamp(\"yyyyMM\")",
        "salt(4; 5 from seq 00000070) + seq:digits(8)",
        "salt(4; 5 from day +12027-01-01) + day:date",
        "salt(4; 5 from `from` 1, 4 from `from` 2) + `from`:int8"
      })
  void aLineInItsCanonicalSpellingReadsBackAsItself(String line) {
    String canonical = line.replace("`from`", "from");
    assertThat(Layout.parse(line)).hasToString(canonical);
    assertThat(Layout.parse(canonical)).hasToString(canonical);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "48 FROM ts '2027-01-01 00:00'       | 48 from ts 2027-01-01",
        "48 from `ts` 1798761600000          | 48 from ts 2027-01-01",
        "48 from ts 2027-01-01T01:00+01:00   | 48 from ts 2027-01-01",
        "48 from ts 2027-01-01T00:00:00.001Z | 48 from ts 2027-01-01T00:00:00.001Z",
        "48 from ts 1, sep='_', as=digits(2) | as=digits(2), sep=\"_\", 48 from ts"
            + " 1970-01-01T00:00:00.001Z"
      })
  void aStepIsPrintedInItsCanonicalSpelling(String written, String canonical) {
    assertThat(Layout.parse("salt(16; " + written + ") + ts:timestamp"))
        .hasToString("salt(16; " + canonical + ") + ts:timestamp");
  }

  @Test
  void aLineSaysItsSteps() {
    Steps steps = Layout.parse(READINGS).spread().prefix().steps();
    assertThat(steps.fieldName()).isEqualTo("ts");
    assertThat(steps.list())
        .containsExactly(
            new Step(16, null), new Step(48, "2027-01-01"), new Step(96, "2028-01-01"));
    assertThat(Layout.parse(READINGS).buckets()).hasValue(96);
    assertThat(Layout.parse("salt(16) + a:string").spread().prefix().steps().list()).isEmpty();
  }

  @Test
  void aKeyHasTheBucketOfASaltOfItsStepAlone() {
    Layout layout = Layout.parse(ORDERS);
    for (long order = 0; order < 200; order++) {
      Values before = Values.of("order_id", order).and("ts", "2026-12-31T23:59:59.999Z");
      Values from = Values.of("order_id", order).and("ts", "2027-01-01");
      assertThat(layout.encode(before))
          .isEqualTo(Layout.parse("salt(16) + ts:timestamp + order_id:int64").encode(before));
      assertThat(layout.encode(from))
          .isEqualTo(Layout.parse("salt(48) + ts:timestamp + order_id:int64").encode(from));
    }
  }

  /** The property that lets a step change the layout without rewriting a row. */
  @Test
  void aStepThatIsAddedLeavesTheRowsBeforeItAsTheyAre() {
    Layout one = Layout.parse("salt(16; as=byte(2), 48 from ts 2027-01-01) + ts:timestamp");
    Layout two =
        Layout.parse(
            "salt(16; as=byte(2), 48 from ts 2027-01-01, 1000 from ts 2028-01-01) + ts:timestamp");
    assertThat(one.spread().width()).isEqualTo(2).isEqualTo(two.spread().width());
    for (String before : new String[] {"1969-01-01", "2027-06-30", "2027-12-31T23:59:59.999Z"}) {
      Values record = Values.of("ts", before);
      assertThat(two.encode(record)).isEqualTo(one.encode(record));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ts >= 2026-01-01 and ts < 2026-02-01 | 16",
        "ts < 2027-01-01                      | 16",
        "ts <= 2027-01-01                     | 48",
        "ts >= 2027-01-01                     | 48",
        "ts > 2026-12-31T23:59:59.998Z        | 48",
        "ts = 2026-12-31                      | 16",
        "ts = 2027-12-31                      | 48",
        "ts = 2027-12-31 and order_id = 7     | 1",
        "order_id = 7                         | 48",
        "order_id = 7 and ts != 2027-12-31    | 96",
        "ts in (2026-01-01, 2027-12-31)       | 64"
      })
  void aRangeOpensTheBucketsOfTheStepsThatItTouches(String where, int fanOut) {
    assertThat(fanOut(ORDERS, where)).isEqualTo(fanOut);
    assertThat(fanOut(ORDERS.replace("timestamp", "timestamp desc"), where)).isEqualTo(fanOut);
  }

  @Test
  void aFieldLimitsTheStepsAlsoBehindFieldsThatAreNotFixed() {
    String line = "salt(16; 48 from ts 2027-01-01) + device:string + ts:timestamp";
    assertThat(fanOut(line, "device > 'a'")).isEqualTo(48);
    assertThat(fanOut(line, "device > 'a' and ts < 2026-06-01")).isEqualTo(16);
    assertThat(fanOut(line, "device = 'a' and ts < 2026-06-01")).isEqualTo(16);
    assertThat(fanOut(line, "device = 'a' and ts >= 2026-06-01")).isEqualTo(48);
  }

  @Test
  void fixedHashedFieldsOpenAtMostOneBucketAStep() {
    Layout layout = Layout.parse(READINGS);
    for (int device = 0; device < 50; device++) {
      String fixed = "device = 'd" + device + "'";
      Scatter scatter = layout.scatter(layout.where(fixed));
      assertThat(scatter.fanOut()).isBetween(1, 3);
      assertThat(scatter.ordered() && scatter.exact()).isTrue();
      assertThat(fanOut(READINGS, fixed + " and ts >= 2027-03-01 and ts < 2027-04-01")).isOne();
      assertThat(fanOut(READINGS, fixed + " and ts >= 2027-03-01")).isLessThanOrEqualTo(2);
    }
    assertThat(fanOut(READINGS, "device > 'd'")).isEqualTo(96);
    assertThat(fanOut(READINGS, "device > 'd' and ts < 2027-06-01")).isEqualTo(48);
  }

  @Test
  void stepsOfOneBucketAreOneRange() {
    Layout layout = Layout.parse("salt(2; 5 from n 10, 2 from n 20, 3 from n 30) + n:uint8");
    Scatter all = layout.scatter(layout.where("n >= 5"));
    assertThat(all.ranges().stream().map(KeyRange::toString))
        .containsExactly(
            "[\\x00\\x05, \\x01)",
            "[\\x01\\x05, \\x02)",
            "[\\x02\\x0A, \\x03)",
            "[\\x03\\x0A, \\x03\\x14)",
            "[\\x04\\x0A, \\x04\\x14)");
  }

  @Test
  void hundredsOfStepsOpenNoMoreRangesThanThereAreBuckets() {
    String steps =
        IntStream.range(0, 1000)
            .mapToObj(i -> (i % 2 == 0 ? 1000 : 300) + " from n " + i)
            .collect(Collectors.joining(", "));
    Layout layout = Layout.parse("salt(300, a; over=300, " + steps + ") + a:int8 + n:int16");
    assertThat(layout.scatter(KeyRange.all()).fanOut()).isEqualTo(1000);
    assertThat(layout.scatter(layout.where("a = 1")).fanOut()).isLessThanOrEqualTo(1000);
    assertThat(fanOut(layout.toString(), "a = 1 and n = 5")).isOne();
  }

  @Test
  void aTableIsCutBetweenTheBucketsOfTheLargestStep() {
    SplitPlan plan = Layout.parse(ORDERS).splits(12);
    assertThat(plan.keys().stream().map(key -> (int) key[0]).toList())
        .containsExactly(4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44);
    assertThat(Layout.parse("salt(48; 16 from ts 2027-01-01) + ts:timestamp").splits(48).regions())
        .isEqualTo(48);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "salt(16; 48) + n:int8 | unexpected ')' | )",
        "salt(16; 48 from) + n:int8 | unexpected ')' | )",
        "salt(16; 48 at n 5) + n:int8 | unexpected 'at' | at",
        "salt(16; 48 from n) + n:int8 | unexpected ')' | )",
        "salt(16; 48 from m 5) + n:int8 | unknown field 'm' | m",
        "salt(16; 0 from n 5) + n:int8 | number of buckets out of range: 0 | 0",
        "salt(16; 48 from n 5, 96 from n 4) + n:int8 | step from 4 after the one from 5 | 4",
        "salt(16; 48 from n 5, 96 from n 05) + n:int8 | two steps from 5 | 05",
        "salt(16; 48 from n 128) + n:int8 | number out of range for int8: field=n value=\"128\" | 128",
        "salt(16; 48 from ts soon) + ts:timestamp | not a time: field=ts value=\"soon\" | soon",
        "salt(16; 48 from s 5) + s:string | steps of a field of type string | s",
        "salt(16; 48 from d 5) + d:digits | steps of a field of type digits | d",
        "salt(16; 48 from f 5) + f:float64 | steps of a field of type float64 | f",
        "salt(16; 48 from n 5, 96 from m 6) + n:int8 + m:int8 | steps of two fields | m",
        "salt(16; 16 from n 5) + n:int8 | step from 16 buckets to as many | 16",
        "salt(16; 48 from n 5, 48 from n 6) + n:int8 | step from 48 buckets to as many | 48",
        "salt(16, n; over=4, 3 from n 5) + n:int8 | step to fewer buckets than rows of one value share: 3 | 3",
        "salt(16; 300 from n 5) + n:int8 | step to 300 buckets, whose numbers are wider than those of 16 | 300",
        "salt(16; 300 from n 5, as=hex(2)) + n:int8 | step to 300 buckets, whose numbers are wider than those of 16 | 300",
        "salt(16; 48 from n 5) + reverse(n:int8) | steps of a reversed field | n",
        "salt(16, random; 48 from n 5) + n:int8 | a step in a random salt | 48",
        "phoenix_salt(16; 48 from n 5) + n:int8 | a step in phoenix_salt | 48",
        "hbasewd_salt(16; 48 from n 5) + n:int8 | a step in hbasewd_salt | 48",
        "hbasewd_salt(16, rotating; 48 from n 5) + n:int8 | a step in hbasewd_salt | 48",
        "opentsdb_salt(1, 16; 48 from b 5) + m:bytes(3) + b:uint32 + t:bytes | a step in opentsdb_salt | 48",
        "md5(n; 48 from n 5) + n:int8 | a step in md5 | 48"
      })
  void mistakesAreNamedWithTheirPlace(String line, String problem, String place) {
    SyntaxException e = catchThrowableOfType(SyntaxException.class, () -> Layout.parse(line));
    assertThat(e).as(line).isNotNull();
    assertThat(e.problem()).startsWith(problem);
    int end = e.span().start() + e.span().length();
    assertThat(line.substring(e.span().start(), end)).isEqualTo(place);
  }

  @Test
  void aStepThatIsTooWideIsRefusedWithTheWayOut() {
    assertThatThrownBy(() -> Layout.parse("salt(16; 300 from ts 2027-01-01) + ts:timestamp"))
        .hasMessage(
            """
            layout: step to 300 buckets, whose numbers are wider than those of 16
              salt(16; 300 from ts 2027-01-01) + ts:timestamp
                       ^^^
              all rows have numbers of one width, and a step does not rewrite earlier rows: for a new table, write as=byte(2); migrate an existing table to another salt""");
    assertThat(
            Layout.parse("salt(16; as=byte(2), 300 from ts 2027-01-01) + ts:timestamp").buckets())
        .hasValue(300);
  }
}
