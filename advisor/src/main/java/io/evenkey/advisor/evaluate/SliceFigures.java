/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.evaluate;

import io.evenkey.layout.Layout;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.Numbers;
import io.evenkey.layout.spread.Prefix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The writes under a salt with slices of a time, whose buckets are hot while their slice lasts.
 *
 * @param buckets the number of buckets of a slice
 * @param windows the skew over region servers by length of window, shortest first; without those in
 *     which the sample has too few records
 */
public record SliceFigures(int buckets, List<Window> windows) {
  private static final int[] SECONDS = {1, 10, 60};

  /** With fewer records for each server in a window, chance alone makes some server look busier. */
  private static final int LEAST_RECORDS = 50;

  /** Copies the list. */
  public SliceFigures {
    windows = List.copyOf(windows);
  }

  /**
   * The busiest region server's share of the writes over the mean share.
   *
   * @param seconds the length of a window, by the field that has slices
   * @param mean over all windows
   * @param max of the worst window
   */
  public record Window(int seconds, double mean, double max) {}

  /** The figures of a layout; null if it has no slices of a time. */
  static @Nullable SliceFigures of(
      Layout layout, ParsedColumns columns, byte[][] rows, Placement placement) {
    Prefix prefix = layout.spread().prefix();
    if (prefix == null || layout.slices().isNone()) {
      return null;
    }
    Field field = layout.fields().get(layout.slices().field());
    long[] values = columns.of(field).numbers();
    if (field.type().numbers() == null
        || field.type().numbers().unit() != Numbers.Unit.MILLISECOND
        || values.length == 0) {
      return null;
    }
    int[] codes = columns.sample().column(field.name()).codes();
    List<Window> windows = new ArrayList<>();
    for (int seconds : SECONDS) {
      Map<Long, long[]> writes = new HashMap<>();
      for (int i = 0; i < rows.length; i++) {
        long window = Math.floorDiv(values[codes[i]], 1_000L * seconds);
        int server = placement.server(placement.region(rows[i]));
        writes.computeIfAbsent(window, none -> new long[placement.servers()])[server]++;
      }
      Window figures = window(seconds, writes.values().stream().toList());
      if (figures != null) {
        windows.add(figures);
      }
    }
    return new SliceFigures(prefix.variants(), windows);
  }

  private static @Nullable Window window(int seconds, List<long[]> writes) {
    double[] skews =
        writes.stream()
            .filter(
                byServer -> Arrays.stream(byServer).sum() >= (long) LEAST_RECORDS * byServer.length)
            .mapToDouble(
                byServer ->
                    (double) Arrays.stream(byServer).max().orElse(0)
                        * byServer.length
                        / Arrays.stream(byServer).sum())
            .toArray();
    return skews.length == 0
        ? null
        : new Window(
            seconds,
            Arrays.stream(skews).average().orElse(1),
            Arrays.stream(skews).max().orElse(1));
  }

  /** The writes that one bucket has to take in a second, at a rate of the whole table. */
  public double writesPerBucket(double writesPerSecond) {
    return writesPerSecond / buckets;
  }
}
