/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.hotkeys;

import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.hotkeys.HotItem;
import io.evenkey.layout.hotkeys.HotItems;
import java.util.ArrayList;
import java.util.List;
import org.apache.datasketches.frequencies.ErrorType;
import org.apache.datasketches.frequencies.ItemsSketch;

/**
 * The most frequent of very many items, in bounded memory: DataSketches' frequent-items sketch, in
 * several parts, so that threads seldom wait for each other. Thread-safe.
 */
final class Sketch {
  /** The size of the sketch: the error of a count is at most 3.5 ÷ this of the total count. */
  private static final int SIZE = 2_048;

  private static final int PARTS = 4;

  private final Object[] locks = new Object[PARTS];
  private final List<ItemsSketch<ByteString>> parts = new ArrayList<>();

  Sketch() {
    for (int i = 0; i < PARTS; i++) {
      locks[i] = new Object();
      parts.add(new ItemsSketch<>(SIZE));
    }
  }

  void count(ByteString item) {
    count(item, 1);
  }

  void count(ByteString item, int times) {
    int part = (int) (Thread.currentThread().getId() % PARTS);
    synchronized (locks[part]) {
      parts.get(part).update(item, times);
    }
  }

  /** Takes the counts since the last call, of at most {@code most} items. */
  HotItems take(int most) {
    ItemsSketch<ByteString> all = new ItemsSketch<>(SIZE);
    for (int i = 0; i < PARTS; i++) {
      synchronized (locks[i]) {
        all.merge(parts.get(i));
        parts.get(i).reset();
      }
    }
    List<HotItem> items = new ArrayList<>();
    for (ItemsSketch.Row<ByteString> row : all.getFrequentItems(ErrorType.NO_FALSE_NEGATIVES)) {
      if (items.size() == most) {
        break;
      }
      items.add(
          new HotItem(row.getItem(), row.getEstimate(), row.getLowerBound(), row.getUpperBound()));
    }
    return new HotItems(all.getStreamLength(), all.getMaximumError(), items);
  }
}
