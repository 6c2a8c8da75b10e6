/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.report.heat.counters.Reading;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HistoryTest {
  private static final long MINUTE = 60_000;
  private static final KeysToCome NOTHING_TO_COME = KeysToCome.after(null, 0);

  @Test
  void reductionKeepsSumsAndHotSpansAndTables() {
    for (long seed = 1; seed <= 50; seed++) {
      Random random = new Random(seed);
      List<TableHeat> strips = new ArrayList<>();
      for (int t = 0; t < 1 + random.nextInt(5); t++) {
        strips.add(strip("t" + t, 1 + random.nextInt(3_000), random));
      }
      int most = 50 + random.nextInt(500);
      List<TableHeat> reduced = SpanMerger.of(strips, most);
      String about = "seed " + seed;
      assertThat(reduced.stream().mapToInt(TableHeat::size).sum())
          .as(about)
          .isLessThanOrEqualTo(Math.max(most, 2 * strips.size()));
      assertThat(reduced).as(about).hasSameSizeAs(strips);
      for (int t = 0; t < strips.size(); t++) {
        TableHeat before = strips.get(t);
        TableHeat after = reduced.get(t);
        assertThat(after.table()).isEqualTo(before.table());
        assertThat(Feed.heat(after))
            .as(about)
            .isCloseTo(Feed.heat(before), within(Feed.heat(before) * 1e-3));
        assertThat(after.start(0)).isEqualTo(before.start(0));
        assertThat(Arrays.asList(before.starts())).containsAll(Arrays.asList(after.starts()));
      }
    }
  }

  @Test
  void theHottestSpanStaysByItself() {
    TableHeat.Builder strip = new TableHeat.Builder("t");
    for (int i = 0; i < 10_000; i++) {
      strip.add(Feed.key(i), new float[] {0, i == 7_777 ? 5_000 : 1, 0}, "r" + i, "s", 0);
    }
    TableHeat reduced = SpanMerger.of(List.of(strip.build()), 200).get(0);
    int hot = reduced.spanOf(Feed.key(7_777));
    assertThat(reduced.start(hot)).isEqualTo(Feed.key(7_777));
    assertThat(reduced.end(hot)).isEqualTo(Feed.key(7_778));
    assertThat(reduced.region(hot)).isEqualTo("r7777");
  }

  @Test
  void averagesWeighByTimeAndShareLongSpansOut() {
    TableHeat whole = new TableHeat.Builder("t").add(new byte[0], rates(12), "r", "s", 0).build();
    TableHeat halves =
        new TableHeat.Builder("t")
            .add(new byte[0], rates(3), "a", "s", 0)
            .add(Feed.key(5), rates(9), "b", "s", 0)
            .build();
    HeatColumn average =
        Downsampler.of(0, 4, List.of(column(0, 3, whole), column(3, 4, halves)), 100);
    TableHeat strip = average.strips().get(0);
    assertThat(strip.value(Measure.WRITES, 0)).isEqualTo(6 * 0.75f + 3 * 0.25f);
    assertThat(strip.value(Measure.WRITES, 1)).isEqualTo(6 * 0.75f + 9 * 0.25f);
    assertThat(strip.flags(0)).isEqualTo(TableHeat.SHARED);
    assertThat(strip.region(1)).isEqualTo("b");
  }

  @Test
  void minutesAreKeptForHoursTensForDaysAndHoursForWeeks() {
    assertThat(Layer.of(Duration.ofMinutes(1)))
        .extracting(layer -> Duration.ofMillis(layer.millis()), Layer::horizon)
        .containsExactly(
            tuple(Duration.ofMinutes(1), Duration.ofHours(6)),
            tuple(Duration.ofMinutes(10), Duration.ofDays(4)),
            tuple(Duration.ofHours(1), Duration.ofDays(35)));
  }

  @Test
  void fiveWeeksOfThousandsOfRegionsStayBounded() {
    Feed feed = new Feed().table("big", Feed.keys(2_000, 10)).table("small", Feed.keys(3, 100));
    History history = new History(Layer.of(Duration.ofMinutes(1)));
    long most =
        history.layers().stream().mapToLong(layer -> (long) layer.keep() * layer.mostSpans()).sum();
    Random random = new Random(7);
    Reading before = feed.at(0);
    int minutes = 1_500;
    for (int m = 1; m <= minutes; m++) {
      feed.write("big", random.nextInt(2_000), 600);
      feed.write("small", 3, 60);
      Reading now = feed.at(m * MINUTE).sharing(before);
      history.add(CounterDeltas.between(before, now));
      before = now;
    }
    assertThat(history.spans()).isLessThanOrEqualTo(most);
    assertThat(history.last(1_000)).hasSize(360);
    assertThat(history.oldest(Long.MAX_VALUE)).as("of the coarsest layers").isZero();
    List<History.Part> parts = history.parts(0, minutes * MINUTE);
    long expected = 0;
    for (History.Part part : parts) {
      assertThat(part.from()).as("no gap, and nothing twice").isEqualTo(expected);
      expected = part.to();
    }
    assertThat(expected).isEqualTo(minutes * MINUTE);
    double small =
        parts.stream()
            .mapToDouble(
                part -> Feed.heat(part.column().strip("small")) * (part.to() - part.from()) / 1000)
            .sum();
    assertThat(small).as("averages lose nothing").isCloseTo(60.0 * minutes, within(60.0));
  }

  @Test
  void foldLaysBucketsOverEachOther() {
    Layout layout = Layout.parse("salt(4) + k:string");
    byte[] half = {1, 'm'};
    Feed feed =
        new Feed().table("t", List.of(new byte[] {1}, half, new byte[] {2}, new byte[] {3}));
    Reading before = feed.at(0);
    feed.write("t", 0, 10);
    feed.write("t", 1, 30);
    feed.write("t", 2, 50);
    TableHeat strip = CounterDeltas.between(before, feed.at(1_000)).strips().get(0);
    TableHeat folded = BucketOverlay.of(layout).fold(strip, NOTHING_TO_COME, 0);
    assertThat(folded.size()).isEqualTo(2);
    assertThat(folded.start(1)).asString().isEqualTo("m");
    assertThat(folded.value(Measure.WRITES, 0)).isEqualTo(5 + 30);
    assertThat(folded.value(Measure.WRITES, 1)).isEqualTo(5 + 50);
    assertThat(BucketOverlay.of(Layout.parse("reverse(k:int64)"))).isNull();
  }

  @Test
  void regionsOfSeveralBucketsAreSharedOut() {
    Layout layout = Layout.parse("salt(4) + k:string");
    Feed feed = new Feed().table("t", List.of(new byte[] {2}));
    Reading before = feed.at(0);
    feed.write("t", 0, 100);
    feed.write("t", 1, 20);
    TableHeat folded =
        BucketOverlay.of(layout)
            .fold(
                CounterDeltas.between(before, feed.at(1_000)).strips().get(0), NOTHING_TO_COME, 0);
    assertThat(folded.size()).isEqualTo(1);
    assertThat(folded.value(Measure.WRITES, 0)).isEqualTo(120);
  }

  @Test
  void storedColumnsComeBackAsTheyWere() throws IOException {
    TableHeat strip = strip("t", 300, new Random(3));
    RegionEvent mark = new RegionEvent(5, "t", Feed.key(3), RegionEvent.Kind.MOVE, "a → b");
    HeatColumn column = new HeatColumn(1, 60_001, List.of(strip), List.of(mark));
    HeatColumn read = ColumnBytes.read("t", ColumnBytes.of(column, strip), new Interner());
    assertThat(read).usingRecursiveComparison().isEqualTo(column);
  }

  // Stored columns have to stay readable for five weeks, by every version.
  @Test
  void storedBytesAreTheSameForever() throws IOException {
    TableHeat strip =
        new TableHeat.Builder("t")
            .add(new byte[0], new float[] {1, 2.5f, 3}, "a", "s1", 0)
            .add(Feed.key(7), new float[] {0, 4, 5}, "", "s2", 3)
            .build();
    RegionEvent mark = new RegionEvent(59_000, "t", Feed.key(7), RegionEvent.Kind.SPLIT, "");
    HeatColumn column = new HeatColumn(1, 60_001, List.of(strip), List.of(mark));
    String stored =
        "789c636480004608f52a1148b03030263230151b02994cc546209281c1be8181c14101881d181810"
            + "5ad80c40c01cc4730029580096002a6760664618faac02ae903538c0c7338481010053630b95";
    assertThat(ColumnBytes.read("t", ByteText.fromHex(stored), new Interner()))
        .as("now: " + ByteText.hex(ColumnBytes.of(column, strip)))
        .usingRecursiveComparison()
        .isEqualTo(column);
  }

  @Test
  void matrixPutsEachCountInItsCell() {
    Feed feed = new Feed().table("t", Feed.keys(3, 100)).table("evenkey:heat", List.of());
    History history = new History(Layer.of(Duration.ofMinutes(1)));
    Reading before = feed.at(0);
    for (int m = 1; m <= 4; m++) {
      feed.write("t", m - 1, 60L * m);
      Reading now = feed.at(m * MINUTE);
      history.add(CounterDeltas.between(before, now));
      before = now;
    }
    HeatQuery query = new HeatQuery(0, 5 * MINUTE, null, Measure.WRITES, false, 5, 100);
    HeatMatrix matrix = matrix(history, query, Map.of());
    assertThat(matrix.tables()).extracting(HeatMatrix.HeatTable::name).containsExactly("t");
    assertThat(matrix.rows()).hasSize(4);
    for (int c = 0; c < 4; c++) {
      for (int r = 0; r < 4; r++) {
        assertThat(matrix.values()[c * 4 + r]).isCloseTo(r == c ? c + 1 : 0, within(1e-4f));
      }
    }
    assertThat(matrix.values()[16]).as("nothing is known of what is to come").isNaN();
  }

  @Test
  void generationsOfATableAreBlocksOfRowsOfOneTable() {
    Feed feed = new Feed().table("t", Feed.keys(1, 100)).layout("t", "k:string");
    History history = new History(Layer.of(Duration.ofMinutes(1)));
    Layout salted = Layout.parse("salt(3) + k:string");
    Reading before = feed.at(0);
    for (int m = 1; m <= 4; m++) {
      if (m == 3) {
        feed.table("t", salted.splits(3).keys()).layout("t", salted.toString());
        feed.generation("t", "t.g2");
      }
      feed.write("t", 1, 60);
      Reading now = feed.at(m * MINUTE);
      history.add(CounterDeltas.between(before, now));
      before = now;
    }
    HeatQuery query = new HeatQuery(0, 4 * MINUTE, null, Measure.WRITES, false, 4, 100);
    HeatMatrix matrix = matrix(history, query, Map.of("t", salted));
    assertThat(matrix.tables())
        .extracting(HeatMatrix.HeatTable::name, HeatMatrix.HeatTable::rows, t -> t.until())
        .containsExactly(tuple("t", 3, 0L), tuple("t", 2, 2 * MINUTE));
    assertThat(matrix.rows().get(4).label()).as("by the layout of then").isEqualTo("000100…");
    assertThat(matrix.values()[1]).as("no reading before the switch").isNaN();
    assertThat(matrix.values()[4]).isEqualTo(1);
    assertThat(matrix.values()[3 * 5 + 1]).isEqualTo(1);
    assertThat(matrix.values()[3 * 5 + 4]).as("nor after it").isNaN();
    HeatQuery logical = new HeatQuery(0, 4 * MINUTE, null, Measure.WRITES, true, 4, 100);
    assertThat(matrix(history, logical, Map.of("t", salted)).tables()).hasSize(1);
  }

  @Test
  void aStepOfTheSaltLeavesTheRowsWhereTheyAre() {
    Layout stepped = Layout.parse("salt(2; 4 from n 1000) + n:int64");
    RegionEvent step =
        new RegionEvent(
            5,
            "t",
            new byte[0],
            RegionEvent.Kind.GENERATION,
            LayoutTimes.change("salt(2) + n:int64", stepped.toString()));
    LayoutTimes times = new LayoutTimes(Map.of("t", stepped), List.of(step));
    assertThat(times.of("t", 3)).isEqualTo(stepped);
    assertThat(times.changedAt("t", 9, -1)).isEqualTo(-1);
  }

  @Test
  void keysOfALaterTimeHaveNoLoad() {
    Layout layout = Layout.parse("salt(2) + ts:timestamp");
    byte[] first = {1};
    byte[] later = layout.encode(Values.of("ts", 10 * MINUTE));
    History history = new History(Layer.of(Duration.ofMinutes(1)));
    Feed feed = new Feed().table("t", List.of(first)).layout("t", layout.toString());
    Reading before = feed.at(0);
    for (int m = 1; m <= 20; m++) {
      if (m == 15) {
        List<byte[]> splits = new ArrayList<>(List.of(first, later));
        splits.sort(Arrays::compareUnsigned);
        feed.table("t", splits);
      }
      for (int r = 0; r < feed.regions("t").size(); r++) {
        feed.write("t", r, 60);
      }
      Reading now = feed.at(m * MINUTE);
      history.add(CounterDeltas.between(before, now));
      before = now;
    }
    HeatQuery query = new HeatQuery(0, 20 * MINUTE, null, Measure.WRITES, true, 20, 100);
    HeatMatrix matrix = matrix(history, query, Map.of("t", layout));
    assertThat(matrix.rows()).hasSize(2);
    assertThat(matrix.values()[2 * 2]).as("all of it").isEqualTo(2);
    assertThat(matrix.values()[2 * 2 + 1]).as("keys of a later time").isZero();
    assertThat(matrix.values()[2 * 12 + 1]).as("their time has come").isPositive();
  }

  @Test
  void keysFromAStepThatNoRowHasReachedHaveNoLoad() {
    Layout layout = Layout.parse("salt(2; 4 from n 1000) + n:int64");
    History history = new History(Layer.of(Duration.ofMinutes(1)));
    Feed feed =
        new Feed()
            .table("t", List.of(new byte[] {1}, new byte[] {2}, new byte[] {3}))
            .layout("t", layout.toString());
    feed.regions("t").forEach(region -> region.megabytes = 0);
    Reading before = feed.at(0);
    for (int m = 1; m <= 20; m++) {
      for (int r = 0; r < (m <= 10 || m > 15 ? 2 : 4); r++) {
        feed.write("t", r, 60);
      }
      Reading now = feed.at(m * MINUTE);
      history.add(CounterDeltas.between(before, now));
      before = now;
    }
    HeatQuery query = new HeatQuery(0, 20 * MINUTE, null, Measure.WRITES, true, 20, 100);
    HeatMatrix matrix = matrix(history, query, Map.of("t", layout));
    assertThat(matrix.rows()).extracting(HeatMatrix.HeatRow::label).containsExactly("", "1000");
    assertThat(matrix.values()[2 * 2]).as("all of it").isEqualTo(2);
    assertThat(matrix.values()[2 * 2 + 1]).as("no row is from 1000 on yet").isZero();
    assertThat(matrix.values()[2 * 12]).as("half of two of four buckets").isEqualTo(1);
    assertThat(matrix.values()[2 * 12 + 1]).as("half of those, and the new buckets").isEqualTo(3);
    assertThat(matrix.values()[2 * 17 + 1]).as("a step stays reached").isEqualTo(1);
  }

  @Test
  void bucketsOfAStepThatNoRowHasReachedHaveNoShareOfARegion() {
    Layout layout = Layout.parse("salt(2; 4 from n 1000) + k:string + n:int64");
    TableHeat strip =
        new TableHeat.Builder("t")
            .add(new byte[0], rates(5), "a", "s", 0)
            .add(new byte[] {1, 'm'}, rates(30), "b", "s", 0)
            .build();
    BucketOverlay overlay = BucketOverlay.of(layout);
    assertThat(overlay.reachedStep(strip)).isZero();
    TableHeat folded = overlay.fold(strip, NOTHING_TO_COME, 0);
    assertThat(folded.start(1)).asString().isEqualTo("m");
    assertThat(folded.value(Measure.WRITES, 1))
        .as("all of the region, and a share")
        .isEqualTo(31.25f);
  }

  @Test
  void aTableInOneRegionIsAsUnevenAsThereAreServers() {
    List<SpanRate> spans = List.of(new SpanRate(new byte[0], "r", "s", 0, 500, 1));
    assertThat(SpanRate.serverSkew(spans, SpanRate::writes, 3)).isEqualTo(3);
    assertThat(SpanRate.serverSkew(spans, SpanRate::reads, 3)).isEqualTo(1);
  }

  @Test
  void labelsNameNoFieldAndAreNotCut() {
    Layout layout = Layout.parse("salt(16, device) + device:string + ts:timestamp desc");
    byte[] row = layout.encode(Values.of(Map.of("device", "d=1", "ts", "2026-01-31T08:30:00Z")));
    assertThat(KeyLabel.fields(layout, false)).isEqualTo("bucket · device · ts");
    assertThat(KeyLabel.values(layout, row, false)).matches("\\d+ · d=1 · 2026-01-31T08:30:00Z");
    assertThat(KeyLabel.values(layout, layout.logical(row), true))
        .isEqualTo("d=1 · 2026-01-31T08:30:00Z");
  }

  private static HeatMatrix matrix(History history, HeatQuery query, Map<String, Layout> layouts) {
    LayoutTimes times =
        new LayoutTimes(
            layouts,
            history.parts(0, Long.MAX_VALUE).stream()
                .flatMap(part -> part.column().marks().stream())
                .toList());
    return new MatrixBuilder(query, history.parts(query.from(), query.to()), times, List.of("t"))
        .build();
  }

  private static float[] rates(float writes) {
    return new float[] {0, writes, 0};
  }

  private static HeatColumn column(long from, long to, TableHeat strip) {
    return new HeatColumn(from, to, List.of(strip), List.of());
  }

  private static TableHeat strip(String table, int spans, Random random) {
    TableHeat.Builder strip = new TableHeat.Builder(table);
    for (int i = 0; i < spans; i++) {
      float heat = random.nextInt(10) == 0 ? random.nextInt(1_000) : random.nextInt(3);
      strip.add(
          i == 0 ? new byte[0] : Feed.key(i),
          new float[] {heat, random.nextInt(5), i},
          "r" + i,
          "s" + i % 3,
          i % 2);
    }
    return strip.build();
  }
}
