/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Merges several columns into one with the time-weighted mean of each value. Stateless. */
final class Downsampler {
  private Downsampler() {}

  /**
   * The mean.
   *
   * @param from the beginning of the new column, in milliseconds since 1970
   * @param to the end of the new column
   * @param columns at least one, in time order
   * @param most the approximate maximum of spans of the new column
   */
  static HeatColumn of(long from, long to, List<HeatColumn> columns, int most) {
    Map<String, List<Weighed>> byTable = new TreeMap<>();
    List<RegionEvent> marks = new ArrayList<>();
    Map<String, Long> before = new HashMap<>();
    long millis = 0;
    for (HeatColumn column : columns) {
      for (RegionEvent mark : column.marks()) {
        // The keys of another layout are other bytes, which cannot be averaged with these.
        if (mark.kind() == RegionEvent.Kind.GENERATION && byTable.remove(mark.table()) != null) {
          before.put(mark.table(), millis);
        }
      }
      for (TableHeat strip : column.strips()) {
        byTable
            .computeIfAbsent(strip.table(), name -> new ArrayList<>())
            .add(new Weighed(strip, column.millis()));
      }
      marks.addAll(column.marks());
      millis += column.millis();
    }
    List<TableHeat> strips = new ArrayList<>();
    for (Map.Entry<String, List<Weighed>> table : byTable.entrySet()) {
      strips.add(
          strip(
              table.getKey(), table.getValue(), millis - before.getOrDefault(table.getKey(), 0L)));
    }
    return new HeatColumn(from, to, SpanMerger.of(strips, most), marks);
  }

  /** A strip and its duration. */
  private record Weighed(TableHeat strip, long millis) {}

  private static TableHeat strip(String table, List<Weighed> strips, long millis) {
    Axis axis = Axis.union(strips.stream().map(Weighed::strip).toList());
    float[][] values = new float[Measure.COUNT][axis.size()];
    String[] regions = new String[axis.size()];
    String[] servers = new String[axis.size()];
    byte[] flags = new byte[axis.size()];
    Arrays.fill(regions, "");
    Arrays.fill(servers, "");
    for (int c = 0; c < strips.size(); c++) {
      TableHeat strip = strips.get(c).strip();
      float weight = (float) strips.get(c).millis() / millis;
      boolean last = c == strips.size() - 1;
      axis.lay(
          strip,
          (at, span, share) -> {
            for (int m = 0; m < Measure.COUNT; m++) {
              values[m][at] += strip.value(m, span) * share * weight;
            }
            flags[at] |= strip.flags(span);
            if (share < 1) {
              flags[at] |= TableHeat.SHARED;
            }
            if (last) {
              regions[at] = share < 1 ? "" : strip.region(span);
              servers[at] = strip.server(span);
            }
          });
    }
    return new TableHeat(table, axis.starts(), values, regions, servers, flags);
  }
}
