/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.split;

import io.evenkey.layout.bytes.KeyRange;
import java.util.ArrayList;
import java.util.List;

/**
 * The stored rows of a table cut into ranges of whole neighbouring regions, so that parts of its
 * rows are read by themselves. The ranges are in order, and have all rows. Stateless.
 */
public final class RegionRanges {
  private RegionRanges() {}

  /**
   * About as many regions in each range.
   *
   * @param starts the keys at which the regions begin, in order, the first one empty
   * @param most the number of ranges, unless there are fewer regions
   */
  public static List<KeyRange> into(int most, byte[][] starts) {
    int count = Math.min(most, starts.length);
    int[] first = new int[count];
    for (int i = 0; i < count; i++) {
      first[i] = starts.length * i / count;
    }
    return from(first, starts);
  }

  /**
   * Gives each range an equal number of regions, and the last one the rest.
   *
   * @param starts the keys at which the regions begin, in order, the first one empty
   */
  public static List<KeyRange> of(int regions, byte[][] starts) {
    int[] first = new int[(starts.length + regions - 1) / regions];
    for (int i = 0; i < first.length; i++) {
      first[i] = regions * i;
    }
    return from(first, starts);
  }

  private static List<KeyRange> from(int[] first, byte[][] starts) {
    List<KeyRange> ranges = new ArrayList<>(first.length);
    for (int i = 0; i < first.length; i++) {
      byte[] end = i + 1 == first.length ? new byte[0] : starts[first[i + 1]];
      ranges.add(KeyRange.of(starts[first[i]], end));
    }
    return ranges;
  }
}
