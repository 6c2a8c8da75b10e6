/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.evenkey.layout.Layout;
import io.evenkey.report.heat.counters.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

class DiagnosisTest {
  private Feed feed = new Feed().table("t", Feed.keys(15, 100));

  private List<Finding> after(int columns, IntConsumer counting) {
    return after(Layout.parse("k:string"), columns, counting);
  }

  private List<Finding> after(Layout layout, int columns, IntConsumer counting) {
    List<HeatColumn> all = new ArrayList<>();
    Reading before = feed.at(0);
    for (int c = 1; c <= columns; c++) {
      counting.accept(c);
      Reading now = feed.at(c * 1_000L);
      all.add(CounterDeltas.between(before, now));
      before = now;
    }
    return Diagnosis.of(all, all, times(layout, all));
  }

  private static LayoutTimes times(Layout layout, List<HeatColumn> columns) {
    return new LayoutTimes(
        Map.of("t", layout), columns.stream().flatMap(c -> c.marks().stream()).toList());
  }

  @Test
  void growingKeysAreADiagonal() {
    assertThat(after(20, c -> feed.write("t", (c * 16 / 20) % 16, 5_000)))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo("sequential");
              assertThat(finding.text())
                  .startsWith("A single rising diagonal: keys grow, and 100 %");
              assertThat(finding.remedy()).isEqualTo("advice");
            });
  }

  @Test
  void growingKeysBeforeAnySplitAreTheLastRegion() {
    assertThat(after(20, c -> feed.write("t", 15, 5_000)))
        .extracting(Finding::kind)
        .containsExactly("last-region");
  }

  @Test
  void oneHotKeyStaysWhereItIs() {
    assertThat(after(20, c -> feed.write("t", 6, 5_000)))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo("hot-region");
              assertThat(finding.text()).contains("from k=000600… on");
            });
  }

  @Test
  void aBucketThatTakesWhatAServerCarriesIsOutgrown() {
    assertThat(evenly("salt(3) + ts:timestamp", 8_000))
        .filteredOn(finding -> finding.severity() == 1)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo("outgrown");
              assertThat(finding.text())
                  .endsWith("more buckets, such as 6, without a row being rewritten.");
              assertThat(finding.remedy()).isEqualTo("step");
            });
    assertThat(evenly("salt(3) + ts:timestamp", 800)).allMatch(each -> each.severity() == 0);
    assertThat(evenly("salt(9) + ts:timestamp", 8_000)).allMatch(each -> each.severity() == 0);
    assertThat(evenly("salt(3) + id:string", 8_000)).allMatch(each -> each.severity() == 0);
  }

  /** So many writes a second to each bucket of a table on three servers. */
  private List<Finding> evenly(String line, int writes) {
    Layout layout = Layout.parse(line);
    int buckets = layout.buckets().orElseThrow();
    feed = new Feed().table("t", layout.splits(buckets).keys());
    return after(
        layout,
        20,
        c -> {
          for (int bucket = 0; bucket < buckets; bucket++) {
            feed.write("t", bucket, writes);
          }
        });
  }

  @Test
  void evenWritesAreEven() {
    assertThat(
            after(
                20,
                c -> {
                  for (int r = 0; r < 16; r++) {
                    feed.write("t", r, 300 + r);
                  }
                }))
        .extracting(Finding::kind)
        .containsExactly("even");
  }

  @Test
  void theDiagnosisDistinguishesEvenRegionsOnUnevenServers() {
    feed.regions("t").forEach(region -> region.server = "server0,16020,1");
    feed.regions("t").get(3).server = "server1,16020,1";
    assertThat(
            after(
                20,
                c -> {
                  for (int r = 0; r < 16; r++) {
                    feed.write("t", r, 300);
                  }
                }))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo("uneven-servers");
              assertThat(finding.remedy()).isEqualTo("plan");
            });
  }

  @Test
  void aLoadThatJumpsAboutIsNotTakenForGrowingKeys() {
    int[] places = {3, 9, 1, 14, 6, 2, 11, 5, 13, 0};
    assertThat(after(20, c -> feed.write("t", places[c % 10], 5_000)))
        .extracting(Finding::kind)
        .containsExactly("moving-hot-spot");
  }

  @Test
  void aSplitIsJudgedByTheRegionsSinceThen() {
    List<Finding> found =
        after(
            20,
            c -> {
              if (c == 15) {
                feed.table("t", Feed.keys(31, 50));
              }
              for (int r = 0; r < feed.regions("t").size(); r++) {
                feed.write("t", r, c < 15 ? (r == 6 ? 5_000 : 0) : 300);
              }
            });
    assertThat(found).extracting(Finding::kind).containsExactly("even");
  }

  @Test
  void keysThatGrowThroughSplitsAreNotTakenForAHotKey() {
    assertThat(
            after(
                20,
                c -> {
                  if (c == 10) {
                    List<byte[]> more = new ArrayList<>(Feed.keys(15, 100));
                    more.add(0, Feed.key(50));
                    feed.table("t", more);
                  }
                  int regions = feed.regions("t").size();
                  feed.write("t", c * 15 / 20 + regions - 16, 5_000);
                }))
        .extracting(Finding::kind)
        .containsExactly("sequential");
  }

  @Test
  void aHotKeyInARegionThatIsSplitStaysOne() {
    assertThat(
            after(
                20,
                c -> {
                  if (c == 10) {
                    List<byte[]> more = new ArrayList<>(Feed.keys(15, 100));
                    more.add(6, Feed.key(650));
                    feed.table("t", more);
                  }
                  feed.write("t", c < 10 ? 6 : 7, 5_000);
                }))
        .extracting(Finding::kind)
        .containsExactly("hot-region");
  }

  @Test
  void aMigrationIsJudgedByTheGenerationInUse() {
    Layout salted = Layout.parse("salt(16) + k:string");
    feed.layout("t", "k:string");
    List<List<Finding>> found = new ArrayList<>();
    List<HeatColumn> all = new ArrayList<>();
    Reading before = feed.at(0);
    for (int c = 1; c <= 20; c++) {
      if (c == 15) {
        feed.table("t", salted.splits(16).keys()).layout("t", salted.toString());
        feed.regions("t").forEach(region -> region.openedAt = 0);
      }
      for (int r = 0; r < 16; r++) {
        feed.write("t", r, c >= 15 ? 300 : r == 15 ? 5_000 : 0);
      }
      Reading now = feed.at(c * 1_000L);
      all.add(CounterDeltas.between(before, now));
      before = now;
      Layout present = c < 15 ? Layout.parse("k:string") : salted;
      found.add(Diagnosis.of(all, all, times(present, all)));
    }
    assertThat(found.get(13)).extracting(Finding::kind).containsExactly("last-region");
    assertThat(found.get(13).get(0).since()).isZero();
    assertThat(found.get(14)).as("at the switch").isEmpty();
    assertThat(found.get(19)).extracting(Finding::kind).containsExactly("even");
  }

  @Test
  void aHotRegionIsShownSinceItIsHot() {
    List<Finding> found =
        after(
            20,
            c -> {
              for (int r = 0; r < 16; r++) {
                feed.write("t", r, c > 8 && r != 6 ? 0 : 5_000);
              }
            });
    assertThat(found)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo("hot-region");
              assertThat(finding.since()).isEqualTo(8_000);
              assertThat(finding.cost()).startsWith("One server carries ").contains(" 3 servers");
            });
  }

  @Test
  void aSpreadTableInOneRegionNeedsRegions() {
    feed.table("u", Feed.keys(5, 100)).table("t", List.of());
    assertThat(after(Layout.parse("salt(6) + k:string"), 5, c -> feed.write("t", 0, 5_000)))
        .filteredOn(finding -> finding.table().equals("t"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(2);
              assertThat(finding.remedy()).isEqualTo("regions");
              assertThat(finding.text())
                  .contains("6 buckets share 1 region")
                  .doesNotContain("whole key");
            });
    feed = new Feed().table("u", Feed.keys(5, 100)).table("t", List.of());
    assertThat(after(5, c -> feed.write("t", 0, 5_000)))
        .filteredOn(finding -> finding.table().equals("t"))
        .extracting(Finding::kind, Finding::remedy)
        .containsExactly(tuple("one-region", "advice"));
  }

  @Test
  void aTrickleIsDiagnosedAsIdle() {
    assertThat(after(20, c -> feed.write("t", 15, 3)))
        .extracting(Finding::kind)
        .containsExactly("idle");
  }
}
