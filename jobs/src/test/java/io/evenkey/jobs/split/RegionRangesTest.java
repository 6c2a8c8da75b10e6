/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.split;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.bytes.KeyRange;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegionRangesTest {
  private static byte[][] regions(int count) {
    byte[][] starts = new byte[count][];
    for (int i = 0; i < count; i++) {
      starts[i] = i == 0 ? new byte[0] : new byte[] {(byte) i};
    }
    return starts;
  }

  /** The number of regions in each range, which must follow one another from end to end. */
  private static List<Integer> sizes(List<KeyRange> ranges, byte[][] starts) {
    List<Integer> sizes = new ArrayList<>();
    byte[] from = new byte[0];
    for (KeyRange range : ranges) {
      assertThat(range.start()).isEqualTo(from);
      from = range.stop();
      int regions = 0;
      for (byte[] start : starts) {
        regions += range.contains(start) ? 1 : 0;
      }
      sizes.add(regions);
    }
    assertThat(from).isEmpty();
    return sizes;
  }

  @Test
  void rangesOfAboutAsManyRegions() {
    assertThat(sizes(RegionRanges.into(4, regions(10)), regions(10))).containsExactly(2, 3, 2, 3);
    assertThat(sizes(RegionRanges.into(4, regions(3)), regions(3))).containsExactly(1, 1, 1);
  }

  @Test
  void rangesOfOneNumberOfRegions() {
    assertThat(sizes(RegionRanges.of(4, regions(10)), regions(10))).containsExactly(4, 4, 2);
    assertThat(sizes(RegionRanges.of(4, regions(8)), regions(8))).containsExactly(4, 4);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 16})
  void aTableOfOneRegionIsOneRange(int number) {
    assertThat(RegionRanges.into(number, regions(1))).containsExactly(KeyRange.all());
    assertThat(RegionRanges.of(number, regions(1))).containsExactly(KeyRange.all());
  }
}
