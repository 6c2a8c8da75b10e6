/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.evaluate;

import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.spread.Prefix;
import io.evenkey.protocol.gather.GatherRule;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The ranges that a scan opens: all of them, or, of a short scan of a salt with slices, those that
 * begin first, as Evenkey's client does. Stateless.
 */
final class OpenedRanges {
  private OpenedRanges() {}

  /**
   * Chooses from the ranges of a scan.
   *
   * @param limit of the scan that ends it; 0 if none does
   */
  static List<KeyRange> of(Layout layout, List<KeyRange> ranges, int limit, boolean backwards) {
    Prefix prefix = layout.spread().prefix();
    if (prefix == null
        || layout.slices().isNone()
        || !GatherRule.isShort(prefix.variants(), limit)) {
      return ranges;
    }
    int width = layout.spread().width();
    Comparator<KeyRange> order =
        backwards
            ? (a, b) -> compare(b.stop(), a.stop(), width)
            : (a, b) -> compare(a.start(), b.start(), width);
    List<KeyRange> sorted = ranges.stream().sorted(order).toList();
    int opened = Math.min(prefix.variants(), sorted.size());
    while (opened < sorted.size()
        && order.compare(sorted.get(opened - 1), sorted.get(opened)) == 0) {
      opened++;
    }
    return sorted.subList(0, opened);
  }

  private static int compare(byte[] a, byte[] b, int width) {
    return Arrays.compareUnsigned(
        a, Math.min(width, a.length), a.length, b, Math.min(width, b.length), b.length);
  }
}
