package io.evenkey.app.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one task showed at one number of buckets. Immutable.
 *
 * @param name the task's name
 * @param buckets over how many buckets the rows were spread
 * @param unit what the figures are
 * @param figures by side
 * @param ratio Evenkey's figure over plain HBase's, of each round
 */
public record BenchRun(
    String name, int buckets, String unit, Map<String, Figures> figures, Quartiles ratio) {
  /** All sides there may be, in the order in which they are shown. */
  public static final List<String> SIDES = List.of("plain", "evenkey", "naive", "phoenix");

  /**
   * Of one side.
   *
   * @param value the median of the rounds
   * @param firstRowMillis from asking to having the first row, or null if there is none to wait for
   * @param fetchedRows rows that servers looked at for each row returned, or null if unknown
   * @param fetchedBytes bytes that servers sent for each row returned, or null if unknown
   * @param heldMegabytes memory that the scan holds while its reader pauses, or null if not
   *     measured
   * @param serverSkew the busiest server's share of the writes of a round over the mean share, or
   *     null if nothing was written
   */
  public record Figures(
      double value,
      @Nullable Double firstRowMillis,
      @Nullable Double fetchedRows,
      @Nullable Double fetchedBytes,
      @Nullable Double heldMegabytes,
      @Nullable Double serverSkew) {
    static Figures of(double value, @Nullable Double serverSkew) {
      return new Figures(value, null, null, null, null, serverSkew);
    }
  }

  /** The run as JSON has it. */
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

  // Four significant digits: more would only look exact.
  private static double rounded(double value) {
    if (value == 0 || Double.isNaN(value)) {
      return value;
    }
    double scale = Math.pow(10, 3 - Math.floor(Math.log10(Math.abs(value))));
    return Math.round(value * scale) / scale;
  }
}
