package io.evenkey.app.history;

import java.util.Arrays;
import java.util.Collection;
import java.util.TreeSet;

/**
 * The borders that strips of one table have between them: what makes strips of different times
 * comparable. Immutable.
 *
 * <p>A span that is longer than one of the axis's gives each of those an equal share of its value,
 * since nobody has counted where inside it was: such shares are flagged.
 */
final class Axis {
  private final byte[][] starts;

  private Axis(byte[][] starts) {
    this.starts = starts;
  }

  static Axis union(Collection<Strip> strips) {
    TreeSet<byte[]> all = new TreeSet<>(Arrays::compareUnsigned);
    strips.forEach(strip -> all.addAll(Arrays.asList(strip.starts())));
    return new Axis(all.toArray(new byte[0][]));
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
  void lay(Strip strip, Taker taker) {
    int at = 0;
    for (int span = 0; span < strip.size(); span++) {
      byte[] end = strip.end(span);
      // The axis may be coarser: then several spans go into one of it.
      at = Math.max(at, indexOf(strip.start(span), at));
      int until = at + 1;
      while (until < starts.length
          && (end.length == 0 || Arrays.compareUnsigned(starts[until], end) < 0)) {
        until++;
      }
      float share = 1f / (until - at);
      for (int i = at; i < until; i++) {
        taker.take(i, span, share);
      }
      at = until - 1;
    }
  }

  private int indexOf(byte[] key, int from) {
    int index = Arrays.binarySearch(starts, from, starts.length, key, Arrays::compareUnsigned);
    return index >= 0 ? index : Math.max(0, -index - 2);
  }
}
