package io.evenkey.app.heat.history;

import java.util.Arrays;
import java.util.Collection;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The borders that strips of one table have between them: what makes strips of different times
 * comparable. Immutable.
 *
 * <p>A span that is longer than one of the axis's gives each of those an equal share of its value,
 * since HBase does not count where inside it was: such shares are flagged.
 */
final class Axis {
  private final byte[][] starts;

  private Axis(byte[][] starts) {
    this.starts = starts;
  }

  static Axis union(Collection<TableHeat> strips) {
    return of(strips.stream().flatMap(strip -> Stream.of(strip.starts())).toList());
  }

  /** With these borders, in whatever order. */
  static Axis of(Collection<byte[]> starts) {
    TreeSet<byte[]> all = new TreeSet<>(Arrays::compareUnsigned);
    all.addAll(starts);
    return new Axis(all.toArray(new byte[0][]));
  }

  /** The same with runs of neighbours made one. */
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

  /** What takes a value for a span of the axis. */
  interface Taker {
    /**
     * A part of a span.
     *
     * @param at the span of the axis
     * @param span the span of the strip
     * @param share of the strip's span that lies in the axis's
     */
    void take(int at, int span, float share);
  }

  /** Lays a strip over the axis, both in order of the keys. */
  void lay(TableHeat strip, Taker taker) {
    int at = 0;
    for (int span = 0; span < strip.size(); span++) {
      byte[] end = strip.end(span);
      // The axis may be coarser: then several spans go into one of it.
      at = spanOf(starts, strip.start(span), at);
      int until = until(at, end);
      float share = 1f / (until - at);
      for (int i = at; i < until; i++) {
        taker.take(i, span, share);
      }
      at = until - 1;
    }
  }

  /** The span that a key is in. */
  int spanOf(byte[] key) {
    return spanOf(starts, key, 0);
  }

  /**
   * The span after the last one, from {@code at} on, that begins before a key; empty for the end.
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
   * Which of spans that begin at {@code starts} a key is in, if it is in none before {@code from}.
   */
  static int spanOf(byte[][] starts, byte[] key, int from) {
    int index = Arrays.binarySearch(starts, from, starts.length, key, Arrays::compareUnsigned);
    return index >= 0 ? index : Math.max(from, -index - 2);
  }
}
