/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.evenkey.advisor.evaluate.Evaluation;
import io.evenkey.advisor.evaluate.QueryFigures;
import io.evenkey.advisor.evaluate.SliceFigures;
import io.evenkey.advisor.query.QueryFile;
import io.evenkey.advisor.query.Workload;
import io.evenkey.advisor.sample.Column;
import io.evenkey.advisor.sample.Sample;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Checks that the advice is an expert's, and that the figures give the reason. */
class AdvisorTest {
  private static Advice advise(Sample sample, String... queries) {
    List<String> columns = sample.columns().stream().map(Column::name).collect(Collectors.toList());
    Workload workload = QueryFile.parse(Arrays.asList(queries), columns);
    return Advisor.usual().advise(sample, workload, (done, all) -> {});
  }

  /** Readings of 200 devices each second, in order of time. */
  private static Sample readings(int count) {
    SplittableRandom random = new SplittableRandom(7);
    Sample.Builder sample = new Sample.Builder(List.of("device", "ts", "temp"));
    for (int i = 0; i < count; i++) {
      sample.add(
          List.of(
              "dev" + random.nextInt(200),
              String.valueOf(1_700_000_000_000L + i * 1000L),
              String.valueOf(random.nextInt(40))));
    }
    return sample.build();
  }

  @Test
  void newestOfADeviceWantsTheDeviceInFrontAndTimeDescending() {
    Advice advice = advise(readings(20_000), "device = ? newest first limit 20 : weight 9");

    // The devices lie evenly over the key space as they are: a salt may be left out.
    assertThat(advice.winner().line()).endsWith("device:string + ts:timestamp desc");
    QueryFigures query = advice.winner().evaluation().queries().get(0);
    assertThat(query.fanOut()).isEqualTo(1);
    assertThat(query.readAmplification()).isEqualTo(1);
    assertThat(query.backwards()).isFalse();
    assertThat(advice.winner().evaluation().writes().mean()).isLessThan(1.3);
  }

  @Test
  void growingKeyWithoutASpreadIsHotAndIsShownSo() {
    Advice advice = advise(readings(20_000), "ts between ? and ? : weight 1");

    assertThat(advice.winner().line()).matches("salt\\(\\d+\\) \\+ ts:timestamp");
    assertThat(advice.baseline().line()).isEqualTo("ts:timestamp");
    assertThat(advice.baseline().evaluation().writes().mean())
        .as("one server of three at every moment")
        .isGreaterThan(2.7);
    assertThat(advice.baseline().evaluation().writes().parallelism()).isLessThan(1.3);
    assertThat(advice.winner().evaluation().writes().mean()).isLessThan(1.2);
    assertThat(advice.winner().evaluation().writes().parallelism()).isCloseTo(3, within(0.1));
  }

  @Test
  void datesThatDoNotSortAsTextAreInFrontOfNoKey() {
    Sample.Builder sample = new Sample.Builder(List.of("n", "when", "device"));
    for (int i = 0; i < 2_000; i++) {
      sample.add(
          List.of(
              String.valueOf(i),
              String.format(Locale.ROOT, "%02d/%02d/2026 08:30:00", i / 70 % 28 + 1, i % 12 + 1),
              "d" + i % 50));
    }
    Advice advice =
        advise(sample.build(), "device = ? and when between ? and ?", "when between ? and ?");
    assertThat(advice.ranked()).noneMatch(ranked -> ranked.line().contains("when"));
    assertThat(advice.proposed().indexes()).isEmpty();
    assertThat(advice.remarks().get(0))
        .isEqualTo(
            "times whose text does not sort by time, so that no key has them in front: column=when"
                + " value=\"01/01/2026 08:30:00\"; the day is first; write them in ISO 8601, this"
                + " one as 2026-01-01T08:30:00");
  }

  @Test
  void newestFirstIsByATimeInSecondsToo() {
    Sample.Builder sample = new Sample.Builder(List.of("ts", "device"));
    for (int i = 0; i < 2_000; i++) {
      sample.add(List.of(String.valueOf(1_700_000_000 + i), "d" + i % 50));
    }
    Advice advice = advise(sample.build(), "device = ? newest first limit 20");
    assertThat(advice.winner().line()).endsWith("device:string + ts:int64 desc");
    assertThat(advice.winner().evaluation().queries().get(0).backwards()).isFalse();
    assertThat(advice.remarks()).anyMatch(remark -> remark.endsWith("imported: unit=s"));
  }

  @Test
  void aKeyThatCannotHoldTheDataIsNamedWithTheReason() {
    Sample.Builder sample = new Sample.Builder(List.of("ts", "device"));
    for (int i = 0; i < 2_000; i++) {
      sample.add(
          List.of(String.valueOf(1_700_000_000_000L + i), i == 77 ? "d\u0000" : "d" + i % 50));
    }
    Advice advice = advise(sample.build(), "device = ? newest first limit 20");
    assertThat(advice.winner().line()).doesNotContain("device");
    assertThat(advice.remarks().get(0))
        .startsWith("no key 'device:string + ts:timestamp': text with a NUL character")
        .contains("field=device");
  }

  /** A sample of a small table: its few windows must not be as long as several regions. */
  @Test
  void growingKeyIsHotInAFewHundredRecordsToo() {
    for (int records : new int[] {320, 420, 900, 1_500}) {
      Advice advice = advise(readings(records), "ts between ? and ? : weight 1");
      assertThat(advice.winner().line()).as("%d", records).startsWith("salt(");
      assertThat(advice.baseline().evaluation().writes().mean()).as("%d", records).isGreaterThan(2);
    }
  }

  @Test
  void shortScansOpenTheBucketsOfASlice() {
    Sample.Builder sample = new Sample.Builder(List.of("ts", "id"));
    for (int i = 0; i < 120_000; i++) {
      // A thousand in a second.
      sample.add(List.of(String.valueOf(1_700_000_000_000L + i), String.valueOf(i % 977)));
    }
    Advice advice =
        advise(sample.build(), "ts between ? and ? oldest first limit 10", "writes 5000");

    Advice.Ranked sliced = advice.families().get(Family.SLICES);
    Evaluation figures = sliced.evaluation();
    assertThat(sliced.line()).isEqualTo("salt(24, ts every 1s; over=3) + ts:timestamp");
    assertThat(sliced.score()).isGreaterThan(advice.winner().score() - 5);
    assertThat(figures.queries().get(0).fanOut()).as("not 24").isEqualTo(3);
    assertThat(figures.slices().writesPerBucket(advice.workload().writesPerSecond()))
        .isCloseTo(1_667, within(1.0));
    assertThat(figures.slices().windows())
        .extracting(SliceFigures.Window::seconds)
        .containsExactly(1, 10, 60);
    assertThat(figures.slices().windows())
        .allSatisfy(window -> assertThat(window.mean()).isLessThan(1.15));
  }

  @Test
  void queryThatTheBestKeyDoesNotServeGetsAnIndex() {
    Advice advice =
        advise(
            readings(20_000), "device = ? newest first limit 20 : weight 8", "temp = ? : weight 2");

    IndexedTable proposed = advice.proposed();
    assertThat(proposed.table().line())
        .matches("(salt\\((?!1\\)).*\\) \\+ )?device:string \\+ ts:timestamp desc");
    assertThat(proposed.indexes()).hasSize(1);
    ProposedIndex index = proposed.indexes().get(0);
    assertThat(index.index().name()).isEqualTo("by_temp");
    assertThat(index.index().layout().toString()).matches("(salt\\(\\d+\\) \\+ )?temp:int64");
    assertThat(index.index().columns()).map(Object::toString).containsExactly("temp=d:temp");
    assertThat(index.evaluation().candidate().layout().fields())
        .as("an entry names its row")
        .hasSize(3);
    QueryAccess newest = proposed.queries().get(0);
    QueryAccess byTemp = proposed.queries().get(1);
    assertThat(newest.index()).isNull();
    assertThat(byTemp.index()).isEqualTo(index);
    assertThat(byTemp.table().readAmplification()).isGreaterThan(20);
    assertThat(byTemp.readAmplification()).isEqualTo(1);
    assertThat(byTemp.rowsFetched()).isEqualTo(byTemp.table().rowsReturned());
    assertThat(byTemp.cost() * IndexSets.CHEAPER).isLessThan(byTemp.table().cost());
    assertThat(proposed.writesPerRow()).isEqualTo(2);
    assertThat(proposed.score()).isGreaterThan(proposed.table().score() + Score.INDEX);
    assertThat(advice.unserved()).isEmpty();
  }

  @Test
  void adviceNamesWhatTheApplicationAddsToReadByAnIndex() {
    Advice any =
        advise(
            readings(6_000),
            "device = ? newest first limit 20 : weight 7",
            "ts between ? and ? : weight 2",
            "temp = ? : weight 2");
    assertThat(any.proposed().queries())
        .extracting(access -> access.call("readings"))
        .as("by the table; in another order than the table's; by a field that only the index has")
        .containsExactly("", "anyOrder()", "");
    assertThat(any.proposed().indexes()).hasSize(2);

    Advice newest =
        advise(
            readings(6_000),
            "device = ? newest first limit 20 : weight 7",
            "ts between ? and ? newest first : weight 3");
    assertThat(newest.proposed().queries().get(1).index()).isNotNull();
    assertThat(newest.proposed().queries().get(1).call("readings"))
        .as("the order of the index is wanted")
        .isEqualTo("by(\"by_ts\")");
  }

  @Test
  void indexThatHelpsTooFewQueriesIsNotProposedAndTheQueryIsSaidToBeUnserved() {
    Advice advice =
        advise(
            readings(20_000),
            "device = ? newest first limit 20 : weight 98",
            "temp = ? : weight 2");

    assertThat(advice.proposed().indexes()).isEmpty();
    assertThat(advice.winner()).isEqualTo(advice.ranked().get(0));
    assertThat(advice.unserved())
        .singleElement()
        .asString()
        .startsWith("\"temp = ?\" reads ")
        .contains("an index by '", "temp:int64' would make that 1.0")
        .as("the margin for an index, and the sample's error")
        .containsPattern("points only, and 3\\.[1-9] are needed");
  }

  @Test
  void indexThatPaysOnTheFirstLookOnlyIsNotProposed() {
    SplittableRandom random = new SplittableRandom(7);
    Sample.Builder sample = new Sample.Builder(List.of("device", "ts", "temp", "code"));
    for (int i = 0; i < 16_000; i++) {
      // Every fourth record, of which the first look consists, has a code of its own.
      sample.add(
          List.of(
              "dev" + random.nextInt(200),
              String.valueOf(1_700_000_000_000L + i * 1000L),
              String.valueOf(random.nextInt(40)),
              i % 4 == 0 ? "c" + i : "none"));
    }
    Advice advice =
        advise(
            sample.build(),
            "device = ? newest first limit 20 : weight 5",
            "temp = ? : weight 3",
            "code = ? : weight 2",
            "rows 160000");

    assertThat(advice.proposed().indexes())
        .as("an index by code has most rows under one value")
        .extracting(index -> index.index().name())
        .containsExactly("by_temp");
    assertThat(advice.proposed().queries().get(2).index()).isNull();
  }

  @Test
  void tableWhoseRowsStayAsTheyAreMayHaveAnIndex() {
    // As connected vehicles: the gain of the index is little more than the margin for one.
    Advice advice =
        advise(
            readings(12_000),
            "device = ? and ts between ? and ? : weight 60",
            "device = ? newest first limit 1 : weight 26",
            "ts between ? and ? : weight 14");

    assertThat(advice.winner().line()).startsWith("device:string + ts:timestamp");
    assertThat(advice.proposed().indexes()).hasSize(1);
    assertThat(advice.proposed().error()).as("points, of 40 windows").isBetween(0.1, 1.0);
    assertThat(Score.degrees(advice.winner().evaluation().candidate().layout())).isZero();
  }

  @Test
  void moreComplicatedLayoutHasToBeBetterByAMargin() {
    Advice advice = advise(readings(20_000), "device = ?", "device = ? and ts between ? and ?");

    Advice.Ranked hashed = advice.families().get(Family.HASH);
    Advice.Ranked plain = advice.families().get(Family.PROMOTION);
    assertThat(Score.degrees(hashed.evaluation().candidate().layout())).isEqualTo(3);
    assertThat(advice.winner()).isEqualTo(plain);
    assertThat(hashed.score())
        .as("the same figures cost it 2 points for each degree")
        .isLessThan(plain.score());
  }

  @Test
  void collidingKeysGetAnotherFieldWithAWarning() {
    Sample.Builder builder = new Sample.Builder(List.of("user", "ts", "seq"));
    Sample.Builder without = new Sample.Builder(List.of("user", "ts"));
    for (int i = 0; i < 5_000; i++) {
      String user = "u" + i % 10;
      String ts = String.valueOf(1_700_000_000_000L + i / 100);
      builder.add(List.of(user, ts, String.valueOf(i)));
      without.add(List.of(user, ts));
    }
    Advice advice = advise(builder.build(), "user = ? newest first");
    assertThat(advice.winner().line()).endsWith("user:string + ts:timestamp desc + seq:int64");
    assertThat(advice.winner().notes())
        .anyMatch(warning -> warning.contains("distinguished by seq"));

    Advice numbered = advise(without.build(), "user = ? newest first");
    assertThat(numbered.winner().line()).endsWith("ts:timestamp desc + record_number:int64");
    assertThat(numbered.winner().notes())
        .anyMatch(warning -> warning.contains("distinguished by a running number"));
  }

  @Test
  void entityTooBigForABucketIsNamed() {
    SplittableRandom random = new SplittableRandom(3);
    Sample.Builder sample = new Sample.Builder(List.of("customer", "ts"));
    for (int i = 0; i < 20_000; i++) {
      String customer = random.nextInt(100) < 60 ? "big" : "c" + random.nextInt(500);
      sample.add(List.of(customer, String.valueOf(1_700_000_000_000L + i)));
    }
    Advice advice = advise(sample.build(), "customer = ? newest first limit 10 : weight 1");

    assertThat(advice.remarks())
        .anyMatch(remark -> remark.startsWith("one customer has 60 % of all records"));
    assertThat(advice.ranked())
        .anySatisfy(ranked -> assertThat(ranked.line()).contains("over="))
        .filteredOn(ranked -> ranked.line().matches("salt\\(\\d+, customer\\) .*"))
        .allSatisfy(
            ranked ->
                assertThat(ranked.evaluation().writes().mean())
                    .as(ranked.line())
                    .isGreaterThan(1.7));
  }

  @Test
  void subdomainsWantTheDomainReversed() {
    SplittableRandom random = new SplittableRandom(5);
    Sample.Builder sample = new Sample.Builder(List.of("host", "hits"));
    for (int i = 0; i < 5_000; i++) {
      sample.add(
          List.of(
              "h" + i + ".site" + (100 + random.nextInt(300)) + ".example.com", String.valueOf(i)));
    }
    Advice advice = advise(sample.build(), "host under site107.example.com", "host = ?");
    assertThat(advice.winner().line()).contains("reverse_domain(host:string)");
    assertThat(advice.winner().evaluation().queries().get(0).readAmplification()).isEqualTo(1);
  }

  @Test
  void theAdvisedTableIsTheFirstOfTheRanking() {
    for (int servers : new int[] {1, 3, 12}) {
      Sample sample = readings(6_000);
      Workload workload =
          QueryFile.parse(
                  List.of("device = ? newest first limit 5", "ts between ? and ?"),
                  List.of("device", "ts", "temp"))
              .on(servers);
      Advice advice = Advisor.usual().advise(sample, workload, (done, all) -> {});
      assertThat(advice.ranked().get(0).line()).isEqualTo(advice.winner().line());
      assertThat(advice.ranked().stream().map(Advice.Ranked::line)).doesNotHaveDuplicates();
      assertThat(advice.ranked())
          .allSatisfy(one -> assertThat(one.line()).doesNotContain("salt(1)", "salt(1,"));
    }
  }

  @Test
  void aKeyWithoutATimeBeginsWithWhatIdentifiesRecordsNotWithTheirNumber() {
    Sample.Builder sample = new Sample.Builder(List.of("n", "domain"));
    for (int i = 0; i < 3_000; i++) {
      sample.add(List.of(String.valueOf(i), "a" + i * 7919L % 3_001 + ".example.com"));
    }
    Advice advice = advise(sample.build(), "all");
    assertThat(advice.ranked())
        .allSatisfy(one -> assertThat(one.line()).containsPattern("domain:").doesNotContain(" n:"));
  }

  @Test
  void whatIsMeasuredIsNotWarnedOf() {
    // Times that do not grow: a plain key is as even as any.
    SplittableRandom random = new SplittableRandom(9);
    Sample.Builder sample = new Sample.Builder(List.of("ts"));
    for (int i = 0; i < 6_000; i++) {
      sample.add(List.of(String.valueOf(1_700_000_000_000L + random.nextLong(1L << 40))));
    }
    Advice advice = advise(sample.build(), "ts between ? and ?");
    assertThat(advice.winner().line()).startsWith("ts:timestamp");
    assertThat(advice.winner().warnings()).isEmpty();
  }

  @Test
  void ofOneRecordNoSkewIsWarnedOf() {
    Sample.Builder sample = new Sample.Builder(List.of("id", "ts"));
    sample.add(List.of("1", "1700000000000"));
    Advice advice = advise(sample.build(), "all");
    assertThat(advice.winner().warnings()).isEmpty();
    assertThat(advice.remarks())
        .containsExactly("of 1 record chance decides where they go: measure some thousands");
  }

  @Test
  void aTimeOfSecondsIsNotWrittenInDigitsByChance() {
    Sample.Builder sample = new Sample.Builder(List.of("ts", "body"));
    for (int i = 0; i < 3_000; i++) {
      sample.add(List.of(String.valueOf(1_767_225_600_000L + i * 7_000L), "text " + i));
    }
    assertThat(advise(sample.build(), "all").winner().line()).isEqualTo("salt(3) + ts:timestamp");
  }

  @Test
  void withIndexesTheRankingOfTablesIsByTheirScoresWithoutThem() {
    Advice advice =
        advise(
            readings(20_000),
            "device = ? newest first limit 20 : weight 7",
            "ts between ? and ? : weight 3");
    assertThat(advice.proposed().indexes()).isNotEmpty();
    List<Long> scores =
        advice.withoutIndexes().stream().map(one -> Math.round(10 * one.score())).toList();
    assertThat(scores).isSortedAccordingTo(Comparator.reverseOrder());
    assertThat(advice.withoutIndexes()).containsExactlyInAnyOrderElementsOf(advice.ranked());
  }

  @Test
  void adviceIsTheSameEveryTime() {
    Sample sample = readings(6_000);
    String[] queries = {"device = ? newest first limit 5", "ts between ? and ?"};
    assertThat(advise(sample, queries).ranked().stream().map(Advice.Ranked::line))
        .containsExactlyElementsOf(
            advise(sample, queries).ranked().stream().map(Advice.Ranked::line).toList());
  }
}
