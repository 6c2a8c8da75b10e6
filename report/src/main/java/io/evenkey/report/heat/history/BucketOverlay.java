/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.scatter.Scatter;
import io.evenkey.layout.spread.Step;
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

  private final Layout layout;
  private final List<KeyRange> buckets;
  private final int width;

  private BucketOverlay(Layout layout, List<KeyRange> buckets) {
    this.layout = layout;
    this.buckets = buckets;
    this.width = layout.spread().width();
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
    return new BucketOverlay(layout, sorted);
  }

  /** The last step of the salt, counted from 0. */
  int lastStep() {
    return layout.steps().count() - 1;
  }

  /**
   * The last step of the salt that rows have reached, as the regions of the buckets show that it
   * adds. A number has no clock.
   */
  int reachedStep(TableHeat strip) {
    int step = lastStep();
    while (step > 0 && strip.size() > 1 && !hasRows(strip, bucketsBefore(step))) {
      step--;
    }
    return step;
  }

  /** The number of buckets of the steps before one. */
  private int bucketsBefore(int step) {
    return layout.steps().list().subList(0, step).stream()
        .mapToInt(Step::buckets)
        .max()
        .orElse(buckets.size());
  }

  /** Whether regions have rows that hold no buckets before one. */
  private boolean hasRows(TableHeat strip, int first) {
    if (first >= buckets.size()) {
      return true;
    }
    byte[] prefix = Arrays.copyOf(buckets.get(first).start(), width);
    for (int span = strip.size() - 1;
        span >= 0 && Arrays.compareUnsigned(strip.start(span), prefix) >= 0;
        span--) {
      if (strip.value(Measure.WRITES, span) > 0 || strip.value(Measure.BYTES, span) > 0) {
        return true;
      }
    }
    return false;
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Piece(byte[] start, byte[] end, int span, float share) {}

  /**
   * The strip in logical order.
   *
   * @param coming the keys that no row had at the time of the strip
   * @param step the last step of the salt that had rows then
   */
  TableHeat fold(TableHeat strip, KeysToCome coming, int step) {
    int used = step == lastStep() ? buckets.size() : bucketsBefore(step + 1);
    List<Piece> pieces = new ArrayList<>();
    for (int span = 0; span < strip.size(); span++) {
      addPieces(strip, span, coming, used, pieces);
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

  private void addPieces(
      TableHeat strip, int span, KeysToCome coming, int used, List<Piece> pieces) {
    KeyRange range = KeyRange.of(strip.start(span), strip.end(span));
    List<Piece> parts = new ArrayList<>();
    List<Piece> reached = new ArrayList<>();
    for (int at = firstFrom(range.start()); at < buckets.size(); at++) {
      KeyRange bucket = buckets.get(at);
      if (!range.isOpenEnded() && Arrays.compareUnsigned(bucket.start(), range.stop()) >= 0) {
        break;
      }
      KeyRange part = bucket.intersection(range);
      if (part.isEmpty()) {
        continue;
      }
      byte[] end = Arrays.equals(part.stop(), bucket.stop()) ? new byte[0] : after(part.stop());
      Piece piece = new Piece(after(part.start()), end, span, 1);
      parts.add(piece);
      // Buckets of a later step of the salt have no rows yet.
      if (at < used && !coming.has(piece.start, piece.end)) {
        reached.add(piece);
      }
    }
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
