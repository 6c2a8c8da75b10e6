/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import java.util.Arrays;
import java.util.Collection;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * The boundaries of all spans of one table's strips, which make strips of different times
 * comparable. Immutable.
 *
 * <p>If a span covers several spans of the axis, each gets an equal share of its value, since HBase
 * does not count within a region; such shares are flagged.
 */
final class Axis {
  private final byte[][] starts;

  private Axis(byte[][] starts) {
    this.starts = starts;
  }

  static Axis union(Collection<TableHeat> strips) {
    return of(strips.stream().flatMap(strip -> Stream.of(strip.starts())).toList());
  }

  /** Creates an axis with these boundaries, in any order. */
  static Axis of(Collection<byte[]> starts) {
    TreeSet<byte[]> all = new TreeSet<>(Arrays::compareUnsigned);
    all.addAll(starts);
    return new Axis(all.toArray(new byte[0][]));
  }

  /** Returns this axis with runs of neighbours merged. */
  Axis joined(int[] firsts) {
    byte[][] joined = new byte[firsts.length][];
    Arrays.setAll(joined, i -> starts[firsts[i]]);
    return new Axis(joined);
  }

  int size() {
    return starts.length;
  }

  byte[][] starts() {
    return starts;
  }

  /** Receives the values of the axis's spans. */
  interface Taker {
    /**
     * A part of a span.
     *
     * @param at the span of the axis
     * @param span the span of the strip
     * @param share the share of the strip's span within the axis's span
     */
    void take(int at, int span, float share);
  }

  /** Maps a strip to the axis, both in key order. */
  void lay(TableHeat strip, Taker taker) {
    lay(strip, at -> false, taker);
  }

  /**
   * Maps a strip to the axis, both in key order.
   *
   * @param empty the spans of the axis that had no rows then: a span of the strip that covers
   *     others too has its value there
   */
  void lay(TableHeat strip, IntPredicate empty, Taker taker) {
    int at = 0;
    for (int span = 0; span < strip.size(); span++) {
      byte[] end = strip.end(span);
      // The axis may be coarser: several spans then map to one of its spans.
      at = spanOf(starts, strip.start(span), at);
      int until = until(at, end);
      int first = at;
      int last = until;
      while (last - 1 > first && empty.test(last - 1)) {
        last--;
      }
      while (first < last - 1 && empty.test(first)) {
        first++;
      }
      float share = 1f / (last - first);
      for (int i = at; i < until; i++) {
        taker.take(i, span, i >= first && i < last ? share : 0);
      }
      at = until - 1;
    }
  }

  byte[] start(int at) {
    return starts[at];
  }

  /** The end of a span, exclusive; empty for the last one. */
  byte[] end(int at) {
    return at + 1 < starts.length ? starts[at + 1] : new byte[0];
  }

  /** The span that contains a key. */
  int spanOf(byte[] key) {
    return spanOf(starts, key, 0);
  }

  /**
   * The index after the last span, from {@code at} on, that begins before a key; an empty key is
   * the end.
   */
  int until(int at, byte[] end) {
    int until = at + 1;
    while (until < starts.length
        && (end.length == 0 || Arrays.compareUnsigned(starts[until], end) < 0)) {
      until++;
    }
    return until;
  }

  /**
   * The index of the span that contains a key, among spans that begin at {@code starts}, searched
   * from {@code from} on.
   */
  static int spanOf(byte[][] starts, byte[] key, int from) {
    int index = Arrays.binarySearch(starts, from, starts.length, key, Arrays::compareUnsigned);
    return index >= 0 ? index : Math.max(from, -index - 2);
  }
}
