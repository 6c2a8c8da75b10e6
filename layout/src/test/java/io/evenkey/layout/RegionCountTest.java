package io.evenkey.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.size.RegionCount;
import io.evenkey.layout.size.SizeRule;
import io.evenkey.layout.size.Workload;
import io.evenkey.layout.size.Workload.Weight;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegionCountTest {
  private static RegionCount of(double gigabytes, Weight weight) {
    return RegionCount.of(new Workload(gigabytes, weight, 0, 0));
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
    "10000, EVEN, 120",
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
    RegionCount count = RegionCount.of(new Workload(20, Weight.EVEN, 300, 7));
    assertThat(count.regions()).isEqualTo(21);
    assertThat(count.rules().stream().filter(SizeRule::isNeed)).hasSize(2);
    assertThat(count.conflicts()).anyMatch(c -> c.contains("at least 20"));
  }
}
