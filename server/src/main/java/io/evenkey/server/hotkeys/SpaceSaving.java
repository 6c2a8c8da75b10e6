/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.hotkeys;

import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.hotkeys.HotItem;
import io.evenkey.layout.hotkeys.HotItems;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The most frequent items of a stream by the algorithm Space-Saving (Metwally, Agrawal, El Abbadi,
 * <i>Efficient computation of frequent and top-k elements in data streams</i>, 2005). It has a
 * fixed number of counters. An item without one takes that of the item with the least count, and
 * continues its count, which is then the error of the new one.
 *
 * <p>The counters add up to the length of the stream, so the least of k is at most a k-th of it.
 * This bounds the error of each count, and the count of each item without a counter.
 *
 * <p>Memory: at most {@code counters} items, about 100 bytes each besides their bytes. An item that
 * takes a counter costs a search of all of them, which are few. Not thread-safe.
 */
final class SpaceSaving {
  private final int counters;
  private final Map<ByteString, Count> counts = new HashMap<>();
  private long total;

  private static final class Count {
    private long upper = 0;
    private long error = 0;
  }

  SpaceSaving(int counters) {
    this.counters = counters;
  }

  void count(ByteString item) {
    total++;
    Count count = counts.get(item);
    if (count == null) {
      count = counts.size() < counters ? new Count() : takeLeast();
      counts.put(item, count);
    }
    count.upper++;
  }

  private Count takeLeast() {
    ByteString least = null;
    Count found = null;
    for (Map.Entry<ByteString, Count> entry : counts.entrySet()) {
      if (found == null || entry.getValue().upper < found.upper) {
        least = entry.getKey();
        found = entry.getValue();
      }
    }
    if (least == null || found == null) {
      throw new IllegalStateException("no counters");
    }
    counts.remove(least);
    found.error = found.upper;
    return found;
  }

  /** The number of items that have a counter. */
  int size() {
    return counts.size();
  }

  /** The most frequent items, with the bounds of their counts. */
  HotItems top(int most) {
    List<HotItem> items = new ArrayList<>(counts.size());
    counts.forEach(
        (item, count) -> {
          long lower = count.upper - count.error;
          items.add(new HotItem(item, lower + count.error / 2, lower, count.upper));
        });
    items.sort(Comparator.comparingLong(HotItem::estimate).reversed());
    int shown = Math.min(most, items.size());
    long error = counts.size() < counters ? 0 : least();
    for (HotItem item : items.subList(shown, items.size())) {
      error = Math.max(error, item.upper());
    }
    return new HotItems(total, error, items.subList(0, shown));
  }

  private long least() {
    long least = Long.MAX_VALUE;
    for (Count count : counts.values()) {
      least = Math.min(least, count.upper);
    }
    return least;
  }
}
