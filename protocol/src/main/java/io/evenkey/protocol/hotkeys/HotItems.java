/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.hotkeys;

import io.evenkey.layout.bytes.ByteString;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The most frequent items of a stream. Immutable.
 *
 * @param total the number of reads, or mutations, that were counted
 * @param error the largest count of an item that is not among them
 * @param items the most frequent first
 */
public record HotItems(long total, long error, List<HotItem> items) {
  /** Copies the list. */
  public HotItems {
    items = List.copyOf(items);
  }

  /**
   * Several streams taken together. Of a stream that does not name an item, it is only known that
   * it was counted no more often than its least frequent one, or its error.
   *
   * @param most items of the result
   */
  public static HotItems sum(Collection<HotItems> streams, int most) {
    long total = 0;
    long error = 0;
    Map<ByteString, long[]> sums = new HashMap<>();
    for (HotItems stream : streams) {
      long unnamed = stream.unnamed();
      total += stream.total;
      error += unnamed;
      for (HotItem item : stream.items) {
        long[] sum = sums.computeIfAbsent(item.item(), key -> new long[3]);
        sum[0] += item.estimate();
        sum[1] += item.lower();
        // What a stream that does not name it may have is added for all, and taken off where it
        // does.
        sum[2] += item.upper() - unnamed;
      }
    }
    List<HotItem> items = new ArrayList<>();
    for (Map.Entry<ByteString, long[]> sum : sums.entrySet()) {
      long[] of = sum.getValue();
      items.add(new HotItem(sum.getKey(), of[0], of[1], of[2] + error));
    }
    items.sort((a, b) -> Long.compare(b.estimate(), a.estimate()));
    return new HotItems(total, error, items.subList(0, Math.min(most, items.size())));
  }

  private long unnamed() {
    long named = items.stream().mapToLong(HotItem::lower).sum();
    long least = items.isEmpty() ? error : Math.max(error, items.get(items.size() - 1).upper());
    // What the named ones have for certain is not of the others.
    return Math.min(least, total - named);
  }
}
