/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.bytes.ByteText;
import io.evenkey.report.heat.counters.Reading;
import io.evenkey.report.heat.counters.RegionReading;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CounterDeltasTest {
  private final Feed feed = new Feed().table("t", Feed.keys(3, 100));

  @Test
  void countsArePerSecond() {
    Reading before = feed.at(10_000);
    feed.write("t", 1, 300);
    feed.regions("t").get(2).reads += 30;
    TableHeat strip = strip(before, feed.at(13_000));
    assertThat(strip.value(Measure.WRITES, 1)).isEqualTo(100);
    assertThat(strip.value(Measure.READS, 2)).isEqualTo(10);
    assertThat(strip.value(Measure.BYTES, 0)).isEqualTo(1);
    assertThat(strip.value(Measure.WRITES, 0)).isZero();
  }

  @Test
  void countersThatBeganAgainAreFlaggedAndNeverNegative() {
    feed.write("t", 0, 5_000);
    Reading before = feed.at(0);
    feed.regions("t").get(0).writes = 40;
    feed.regions("t").get(0).server = "server9,16020,1";
    HeatColumn column = CounterDeltas.between(before, feed.at(1_000));
    TableHeat strip = column.strips().get(0);
    assertThat(strip.value(Measure.WRITES, 0)).isEqualTo(40);
    assertThat(strip.flags(0)).isEqualTo(TableHeat.RESTARTED);
    assertThat(column.marks())
        .singleElement()
        .satisfies(
            mark -> {
              assertThat(mark.kind()).isEqualTo(RegionEvent.Kind.MOVE);
              assertThat(mark.text()).isEqualTo("server0,16020,1 → server9,16020,1");
            });
  }

  // A region that moved and then counted more than before looks like one that did not move.
  @Test
  void countsOfAMovedRegionAreNotTakenForADifference() {
    feed.write("t", 0, 10);
    Reading before = feed.at(0);
    feed.regions("t").get(0).writes = 25;
    feed.regions("t").get(0).server = "server9,16020,1";
    assertThat(strip(before, feed.at(1_000)).value(Measure.WRITES, 0)).isEqualTo(25);
  }

  @Test
  void splitsAndMergesAreMarkedWhereTheirBordersAre() {
    Reading before = feed.at(0);
    feed.table("t", List.of(Feed.key(100), Feed.key(150), Feed.key(200)));
    feed.regions("t")
        .replaceAll(r -> new Feed.Region("new-" + r.name, r.start, r.end, r.server, 500));
    feed.write("t", 1, 77);
    HeatColumn column = CounterDeltas.between(before, feed.at(1_000));
    assertThat(column.marks())
        .extracting(mark -> mark.kind() + " " + ByteText.printable(mark.key()))
        .containsExactlyInAnyOrder("split 000150", "merge 000300");
    assertThat(column.strips().get(0).value(Measure.WRITES, 1))
        .as("a region that was made in between has counted all of its life")
        .isEqualTo(77);
  }

  @Test
  void splitsAndMergesOfRegionsThatOneReadingMissesAreMarkedOnce() {
    Map<String, RegionReading> away =
        feed.at(0).regions().stream()
            .collect(Collectors.toMap(RegionReading::region, Function.identity()));
    feed.regions("t").remove(0);
    feed.regions("t").remove(feed.regions("t").size() - 1);
    Reading between = feed.at(1_000);
    between.regions().forEach(region -> away.remove(region.region()));
    feed.table("t", List.of(Feed.key(50), Feed.key(100), Feed.key(200)));
    feed.regions("t")
        .replaceAll(r -> new Feed.Region("new-" + r.name, r.start, r.end, r.server, 1_500));
    Reading after = feed.at(2_000);
    assertThat(CounterDeltas.between(between, after, away, between.tables()).marks())
        .extracting(mark -> mark.kind() + " " + ByteText.printable(mark.key()))
        .containsExactly("split 000050", "merge 000300");
    assertThat(CounterDeltas.between(after, feed.at(3_000), away, after.tables()).marks())
        .isEmpty();
  }

  @Test
  void aTableThatWasCreatedSinceTheLastReadingCountsFromItsOpening() {
    Reading before = feed.at(0);
    feed.table("u", Feed.keys(1, 5));
    feed.write("u", 0, 120_000);
    HeatColumn column = CounterDeltas.between(before, feed.at(60_000));
    assertThat(Feed.heat(column.strip("u"))).isEqualTo(2_000);
  }

  @Test
  void aRegionThatWasOpenBeforeItsFirstReadingHasNoRateYet() {
    Reading before = feed.at(100_000);
    feed.table("u", Feed.keys(1, 5));
    feed.write("u", 0, 1_000_000);
    feed.regions("u").forEach(region -> region.openedAt = 50_000);
    TableHeat strip = CounterDeltas.between(before, feed.at(160_000)).strip("u");
    assertThat(Feed.heat(strip)).isZero();
    assertThat(strip.flags(0)).isEqualTo(TableHeat.RESTARTED);
  }

  @Test
  void writesSinceASwitchAreThoseOfTheGenerationInUse() {
    feed.table("u", Feed.keys(1, 5));
    feed.regions("u").forEach(region -> region.openedAt = 50_000);
    feed.write("u", 0, 1_000_000);
    Map<Boolean, List<RegionReading>> regions =
        feed.at(100_000).regions().stream()
            .collect(Collectors.partitioningBy(region -> region.table().equals("u")));
    Reading before =
        new Reading(
            100_000,
            Objects.requireNonNull(regions.get(false)),
            Map.of(),
            Objects.requireNonNull(regions.get(true)));
    feed.write("u", 0, 600);
    TableHeat strip = CounterDeltas.between(before, feed.at(160_000)).strip("u");
    assertThat(Feed.heat(strip)).isEqualTo(10);
  }

  // The server's last report was from before the opening, the reading from after it.
  @Test
  void aRegionThatWasOpenedShortlyBeforeTheLastReadingCountsFromItsOpening() {
    Reading before = feed.at(100_000);
    feed.table("u", List.of());
    feed.write("u", 0, 60);
    feed.regions("u").get(0).openedAt = 98_000;
    TableHeat strip = CounterDeltas.between(before, feed.at(160_000)).strip("u");
    assertThat(Feed.heat(strip)).isEqualTo(1);
  }

  @Test
  void countersThatHaveCaughtUpSinceTheOpeningBeganAgain() {
    feed.write("t", 0, 10);
    Reading before = feed.at(1_000);
    feed.regions("t").get(0).openedAt = 1_500;
    feed.regions("t").get(0).writes = 25;
    HeatColumn column = CounterDeltas.between(before, feed.at(2_000));
    assertThat(column.strips().get(0).value(Measure.WRITES, 0)).isEqualTo(25);
    assertThat(column.marks())
        .extracting(RegionEvent::kind)
        .containsExactly(RegionEvent.Kind.RESTART);
  }

  @Test
  void regionsThatAReadingMissedAreNoSplit() {
    List<Feed.Region> away = List.copyOf(feed.regions("t").subList(1, 3));
    feed.regions("t").removeAll(away);
    Reading before = feed.at(0);
    feed.regions("t").addAll(1, away);
    assertThat(CounterDeltas.between(before, feed.at(1_000)).marks()).isEmpty();
  }

  @Test
  void aRegionOnItsWayLeavesAGap() {
    Reading before = feed.at(0);
    feed.write("t", 1, 50);
    feed.regions("t").remove(2);
    TableHeat strip = strip(before, feed.at(1_000));
    assertThat(strip.size()).isEqualTo(4);
    assertThat(strip.start(2)).isEqualTo(Feed.key(200));
    assertThat(strip.server(2)).isEmpty();
    assertThat(strip.value(Measure.WRITES, 1)).isEqualTo(50);
  }

  @Test
  void aRegionThatComesBackFromItsWayHasMoved() {
    Reading first = feed.at(0);
    Feed.Region region = feed.regions("t").remove(2);
    Reading without = feed.at(1_000);
    region.server = "server9,16020,1";
    region.writes = 12;
    feed.regions("t").add(2, region);
    HeatColumn column =
        CounterDeltas.between(
            without, feed.at(2_000), Map.of(region.name, first.regions().get(2)), without.tables());
    assertThat(column.marks())
        .extracting(RegionEvent::text)
        .containsExactly("server2,16020,1 → server9,16020,1");
    assertThat(column.strips().get(0).value(Measure.WRITES, 2)).isEqualTo(12);
  }

  @Test
  void anotherLayoutIsAnotherGeneration() {
    feed.layout("t", "k:string");
    Reading before = feed.at(0);
    feed.layout("t", "salt(4) + k:string");
    assertThat(CounterDeltas.between(before, feed.at(1_000)).marks())
        .extracting(RegionEvent::text)
        .containsExactly("k:string → salt(4) + k:string");
  }

  private static TableHeat strip(Reading before, Reading now) {
    return CounterDeltas.between(before, now).strips().get(0);
  }
}
