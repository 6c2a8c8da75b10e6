/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one task at one number of buckets. Immutable.
 *
 * @param name the task's name
 * @param buckets the number of buckets
 * @param unit the unit of the figures
 * @param figures by side
 * @param ratio Evenkey's figure divided by plain HBase's, over the rounds
 */
record BenchRun(
    String name, int buckets, String unit, Map<String, Figures> figures, Quartiles ratio) {
  /** All possible sides, in display order. */
  public static final List<String> SIDES =
      List.of("plain", "evenkey", "client", "naive", "phoenix");

  /** The sides that a comparison can leave out. */
  public static final List<String> OTHER_SIDES = SIDES.subList(2, SIDES.size());

  /**
   * The figures of one side.
   *
   * @param value the median of the rounds
   * @param firstRowMillis milliseconds from the request to the first row, or null if the task has
   *     no first row
   * @param fetchedRows rows that servers read for each row returned, or null if unknown
   * @param fetchedBytes bytes that servers sent for each row returned, or null if unknown
   * @param heldMegabytes memory that the scan holds while its reader pauses, or null if not
   *     measured
   * @param serverSkew the busiest server's share of a round's writes divided by the mean share, or
   *     null without writes
   * @param latency the time of single calls, or null if not measured
   */
  public record Figures(
      double value,
      @Nullable Double firstRowMillis,
      @Nullable Double fetchedRows,
      @Nullable Double fetchedBytes,
      @Nullable Double heldMegabytes,
      @Nullable Double serverSkew,
      @Nullable Latency latency) {
    static Figures withSkew(double value, @Nullable Double serverSkew) {
      return new Figures(value, null, null, null, null, serverSkew, null);
    }

    static Figures withLatency(double value, @Nullable Latency latency) {
      return new Figures(value, null, null, null, null, null, latency);
    }
  }

  /** The run as a JSON object. */
  Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", name);
    map.put("buckets", buckets);
    map.put("unit", unit);
    for (String side : SIDES) {
      Figures of = figures.get(side);
      map.put(side, of == null ? null : rounded(of.value));
    }
    map.put("ratio_to_plain", rounded(ratio.median()));
    map.put("ratio_low", rounded(ratio.low()));
    map.put("ratio_high", rounded(ratio.high()));
    Map<String, Map<String, Object>> details = new LinkedHashMap<>();
    figures.forEach(
        (side, of) -> {
          Map<String, Object> detail = new LinkedHashMap<>();
          put(detail, "first_row_ms", of.firstRowMillis);
          put(detail, "fetched_rows_per_row", of.fetchedRows);
          put(detail, "fetched_bytes_per_row", of.fetchedBytes);
          put(detail, "held_mb", of.heldMegabytes);
          put(detail, "server_skew", of.serverSkew);
          if (of.latency != null) {
            put(detail, "p50_ms", of.latency.p50Millis());
            put(detail, "p99_ms", of.latency.p99Millis());
          }
          if (!detail.isEmpty()) {
            details.put(side, detail);
          }
        });
    if (!details.isEmpty()) {
      map.put("details", details);
    }
    return map;
  }

  private static void put(Map<String, Object> map, String name, @Nullable Double value) {
    if (value != null) {
      map.put(name, rounded(value));
    }
  }

  // Four significant digits: more would suggest a false precision.
  static double rounded(double value) {
    if (value == 0 || Double.isNaN(value)) {
      return value;
    }
    double scale = Math.pow(10, 3 - Math.floor(Math.log10(Math.abs(value))));
    return Math.round(value * scale) / scale;
  }
}
