/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.heat.history;

import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.scatter.Scatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns the physical order of a spread table into the logical one, by overlaying its buckets.
 * Immutable.
 *
 * <p>If a region holds several buckets, each gets an equal share, since HBase does not count them
 * separately.
 */
final class BucketOverlay {
  private static final int MOST_BUCKETS = 4_096;

  private final List<KeyRange> buckets;
  private final int width;

  private BucketOverlay(List<KeyRange> buckets, int width) {
    this.buckets = buckets;
    this.width = width;
  }

  /** The overlay of a layout, or null if its buckets cannot be overlaid. */
  static @Nullable BucketOverlay of(Layout layout) {
    if (!layout.spread().isPrefixOnly()) {
      return null;
    }
    Scatter all = layout.scatter(KeyRange.all());
    if (!all.ordered() || all.fanOut() > MOST_BUCKETS) {
      return null;
    }
    List<KeyRange> sorted = new ArrayList<>(all.ranges());
    sorted.sort((a, b) -> Arrays.compareUnsigned(a.start(), b.start()));
    return new BucketOverlay(sorted, layout.spread().width());
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Piece(byte[] start, byte[] end, int span, float share) {}

  /**
   * The strip in logical order.
   *
   * @param coming the keys that no row had at the time of the strip
   */
  TableHeat fold(TableHeat strip, KeysToCome coming) {
    List<Piece> pieces = new ArrayList<>();
    for (int span = 0; span < strip.size(); span++) {
      addPieces(strip, span, coming, pieces);
    }
    List<byte[]> borders = new ArrayList<>(List.of(new byte[0]));
    for (Piece piece : pieces) {
      borders.add(piece.start);
      if (piece.end.length > 0) {
        borders.add(piece.end);
      }
    }
    Axis axis = Axis.of(borders);
    byte[][] starts = axis.starts();
    float[][] values = new float[Measure.COUNT][starts.length];
    byte[] flags = new byte[starts.length];
    String[] none = new String[starts.length];
    Arrays.fill(none, "");
    for (Piece piece : pieces) {
      int first = axis.spanOf(piece.start);
      int until = axis.until(first, piece.end);
      int to = until;
      while (to - 1 > first && coming.has(axis.start(to - 1), axis.end(to - 1))) {
        to--;
      }
      while (first < to - 1 && coming.has(axis.start(first), axis.end(first))) {
        first++;
      }
      for (int at = first; at < to; at++) {
        for (int m = 0; m < Measure.COUNT; m++) {
          values[m][at] += strip.value(m, piece.span) * piece.share / (to - first);
        }
        flags[at] |= strip.flags(piece.span);
        if (to - first > 1) {
          flags[at] |= TableHeat.SHARED;
        }
      }
    }
    return new TableHeat(strip.table(), starts, values, none, none, flags);
  }

  private void addPieces(TableHeat strip, int span, KeysToCome coming, List<Piece> pieces) {
    KeyRange range = KeyRange.of(strip.start(span), strip.end(span));
    List<KeyRange> held =
        buckets.subList(firstFrom(range.start()), buckets.size()).stream()
            .takeWhile(
                bucket ->
                    range.isOpenEnded() || Arrays.compareUnsigned(bucket.start(), range.stop()) < 0)
            .filter(bucket -> !bucket.intersection(range).isEmpty())
            .toList();
    List<Piece> parts = new ArrayList<>();
    for (KeyRange bucket : held) {
      KeyRange part = bucket.intersection(range);
      byte[] end = Arrays.equals(part.stop(), bucket.stop()) ? new byte[0] : after(part.stop());
      parts.add(new Piece(after(part.start()), end, span, 1));
    }
    // Buckets of a later step of the salt have no rows yet.
    List<Piece> reached = parts.stream().filter(p -> !coming.has(p.start, p.end)).toList();
    List<Piece> filled = reached.isEmpty() ? parts : reached;
    for (Piece part : filled) {
      pieces.add(new Piece(part.start, part.end, span, 1f / filled.size()));
    }
  }

  private int firstFrom(byte[] key) {
    int low = 0;
    int high = buckets.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(buckets.get(middle).start(), key) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return Math.max(0, low - 1);
  }

  private byte[] after(byte[] row) {
    return row.length <= width ? new byte[0] : Arrays.copyOfRange(row, width, row.length);
  }
}
