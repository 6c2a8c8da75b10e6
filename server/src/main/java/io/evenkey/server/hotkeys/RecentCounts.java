/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.hotkeys;

import io.evenkey.layout.bytes.ByteString;
import io.evenkey.protocol.hotkeys.HotItems;
import io.evenkey.protocol.hotkeys.HotKeyKind;
import io.evenkey.protocol.hotkeys.HotKeyQuestion;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The most frequent items of each kind of the last {@link #HALF} at least, and of twice that time
 * at most: two halves of a window, of which the older one is dropped when the younger one is full.
 *
 * <p>Memory: two sketches of {@link HotKeyQuestion#MOST_ITEMS} items for each kind that is counted.
 * Thread-safe.
 */
final class RecentCounts {
  /** The length of half of the window. */
  static final Duration HALF = Duration.ofSeconds(30);

  private final LongSupplier nanos;
  private Map<HotKeyKind, SpaceSaving> older = new EnumMap<>(HotKeyKind.class);
  private Map<HotKeyKind, SpaceSaving> younger = new EnumMap<>(HotKeyKind.class);
  private long since;
  private long olderSince;

  /**
   * Counts nothing yet.
   *
   * @param nanos a clock, which counts nanoseconds
   */
  RecentCounts(LongSupplier nanos) {
    this.nanos = nanos;
    this.since = nanos.getAsLong();
    this.olderSince = since;
  }

  synchronized void count(HotKeyKind kind, ByteString item) {
    turn();
    SpaceSaving sketch = younger.get(kind);
    if (sketch == null) {
      sketch = new SpaceSaving(HotKeyQuestion.MOST_ITEMS);
      younger.put(kind, sketch);
    }
    sketch.count(item);
  }

  /** The counts of the window, by kind. */
  synchronized Recent recent(int most) {
    long now = turn();
    Map<HotKeyKind, HotItems> counts = new EnumMap<>(HotKeyKind.class);
    for (HotKeyKind kind : HotKeyKind.values()) {
      // All of both halves: an item may be in the middle of each, and first in their sum.
      counts.put(kind, HotItems.sum(List.of(top(older.get(kind)), top(younger.get(kind))), most));
    }
    return new Recent(Duration.ofNanos(now - olderSince).toMillis(), counts);
  }

  private static HotItems top(@Nullable SpaceSaving sketch) {
    return sketch == null ? new HotItems(0, 0, List.of()) : sketch.top(HotKeyQuestion.MOST_ITEMS);
  }

  private long turn() {
    long now = nanos.getAsLong();
    long half = HALF.toNanos();
    long halves = (now - since) / half;
    if (halves > 0) {
      older = halves == 1 ? younger : new EnumMap<>(HotKeyKind.class);
      younger = new EnumMap<>(HotKeyKind.class);
      since += halves * half;
      olderSince = since - half;
    }
    return now;
  }

  /**
   * The counts of a window.
   *
   * @param windowMs its length in milliseconds
   */
  record Recent(long windowMs, Map<HotKeyKind, HotItems> counts) {}
}
