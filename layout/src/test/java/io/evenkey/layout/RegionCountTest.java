/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.layout.size.RegionCount;
import io.evenkey.layout.size.SizeRule;
import io.evenkey.layout.size.TableLoad;
import io.evenkey.layout.size.TableLoad.Weight;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegionCountTest {
  private static RegionCount of(double gigabytes, Weight weight) {
    return RegionCount.of(new TableLoad(gigabytes, weight, 0, 0));
  }

  @ParameterizedTest
  @CsvSource({
    // small: 5 to 10
    "0.1, SCANS, 5",
    "0.1, WRITES, 10",
    "49.9, EVEN, 7",
    // in general: 6 to 8 GB a region
    "50, SCANS, 7",
    "50, WRITES, 9",
    "240, SCANS, 30",
    "240, WRITES, 40",
    "240, EVEN, 35",
    // 500 GB to 10 TB: size / 10 GB, at most 120
    "500, EVEN, 50",
    "800, WRITES, 80",
    "1200, EVEN, 120",
    "499.9, EVEN, 73",
    "510, EVEN, 51",
    "10000, EVEN, 120",
    "10000.1, EVEN, 1459",
    // beyond: in general again
    "20000, SCANS, 2500"
  })
  void theRuleForTheSize(double gigabytes, Weight weight, int regions) {
    assertThat(of(gigabytes, weight).regions()).isEqualTo(regions);
  }

  @Test
  void rulesThatContradictEachOtherAreAllShown() {
    assertThat(of(240, Weight.EVEN).conflicts()).isEmpty();
    assertThat(of(9000, Weight.EVEN).conflicts())
        .hasSize(2)
        .allMatch(conflict -> conflict.contains("at most 120\" says 120"));
    assertThat(of(9000, Weight.EVEN).rules())
        .allSatisfy(
            rule -> {
              assertThat(rule.source()).isNotEmpty();
              assertThat(rule.validity()).isNotEmpty();
            });
  }

  @Test
  void writesAndServersNeedTheirRegions() {
    RegionCount count = RegionCount.of(new TableLoad(20, Weight.EVEN, 300, 7));
    assertThat(count.regions()).isEqualTo(21);
    assertThat(count.rules().stream().filter(SizeRule::isNeed)).hasSize(2);
    assertThat(count.conflicts()).anyMatch(c -> c.contains("at least 20"));
  }

  @Test
  void everyRuleSaysItsFigureItsRangeAndItsSource() {
    assertThat(RegionCount.of(new TableLoad(600, Weight.EVEN, 60, 3)).rules())
        .extracting(SizeRule::toString)
        .containsExactly(
            "size / 10 GB, at most 120: 60 (holds for 500 GB to 10 TB; field practice)",
            "6 to 8 GB a region: 75 to 100 (holds for 50 GB or more; field practice)",
            "regions of 5 to 20 GB: 30 to 120 (holds for any size, once the table is full; HBase"
                + " Reference Guide, \"Why should I keep my region count low?\")",
            "60 MB/s written at 5 to 15 MB/s a server keep 4 to 12 servers busy: at least 4 (holds"
                + " for one write-ahead log a server, the default; HBase Reference Guide,"
                + " \"Capacity planning and region sizing\")",
            "a region on each of 3 servers, at most 200 on one: 3 to 600 (holds for tables that"
                + " matter to every server; HBase Reference Guide, \"Why should I keep my region"
                + " count low?\")");
  }

  @Test
  void rulesWhoseFiguresTouchDoNotContradictEachOther() {
    // 5 to 10 regions for a small table, and 2 to 5 of 5 to 20 GB.
    assertThat(of(25, Weight.EVEN).conflicts()).isEmpty();
    assertThat(of(20, Weight.EVEN).conflicts()).hasSize(1);
    // 60 by one, from 60 servers on by the other, to 200 on each.
    assertThat(RegionCount.of(new TableLoad(600, Weight.EVEN, 0, 60)).conflicts())
        .noneMatch(conflict -> conflict.contains("60 servers") && conflict.contains("at most 120"));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 0",
    "-1, 0, 0",
    "NaN, 0, 0",
    "Infinity, 0, 0",
    "1, -1, 0",
    "1, NaN, 0",
    "1, 0, -1"
  })
  void aWorkloadOutOfRangeIsRefused(double gigabytes, double writes, int servers) {
    assertThatThrownBy(() -> new TableLoad(gigabytes, Weight.EVEN, writes, servers))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("not a workload: gigabytes=" + gigabytes);
  }
}
