/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.hotkeys;

import io.evenkey.layout.bytes.ByteString;
import io.evenkey.protocol.hotkeys.HotItem;
import io.evenkey.protocol.hotkeys.HotItems;
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
 * <p>The counter with the least count is found without looking at all of them for each item. Counts
 * only grow, so the least one that was found last is a lower bound: a counter that still has it is
 * one of the least. Only after a whole round without such a counter is the least count looked for.
 *
 * <p>Memory: at most {@code counters} items, about 100 bytes each and their own bytes. Not
 * thread-safe.
 */
final class SpaceSaving {
  private final Count[] counters;
  private final Map<ByteString, Count> counts = new HashMap<>();
  private long total;
  // At most the least count of all counters.
  private long least;
  private int next;

  private static final class Count {
    private ByteString item;
    private long upper = 0;
    private long error = 0;

    private Count(ByteString item) {
      this.item = item;
    }
  }

  SpaceSaving(int counters) {
    this.counters = new Count[counters];
  }

  void count(ByteString item) {
    total++;
    Count count = counts.get(item);
    if (count == null) {
      count = counts.size() < counters.length ? added(item) : taken(item);
      counts.put(item, count);
    }
    count.upper++;
  }

  private Count added(ByteString item) {
    Count count = new Count(item);
    counters[counts.size()] = count;
    return count;
  }

  private Count taken(ByteString item) {
    Count count = least();
    counts.remove(count.item);
    count.item = item;
    count.error = count.upper;
    return count;
  }

  private Count least() {
    for (int i = 0; i < counters.length; i++) {
      Count count = counters[next];
      next = next + 1 == counters.length ? 0 : next + 1;
      if (count.upper == least) {
        return count;
      }
    }
    least = leastCount();
    return least();
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
    long error = counts.size() < counters.length ? 0 : leastCount();
    for (HotItem item : items.subList(shown, items.size())) {
      error = Math.max(error, item.upper());
    }
    return new HotItems(total, error, items.subList(0, shown));
  }

  private long leastCount() {
    long found = Long.MAX_VALUE;
    for (Count count : counts.values()) {
      found = Math.min(found, count.upper);
    }
    return found;
  }
}
