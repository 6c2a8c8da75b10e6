package io.evenkey.app.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Several columns made one: the mean of each value over their time. Stateless. */
final class Average {
  private Average() {}

  /**
   * The mean.
   *
   * @param from when the new column begins, in milliseconds since 1970
   * @param to when it ends
   * @param columns at least one, in the order of time
   * @param most spans of the new column, about
   */
  static Column of(long from, long to, List<Column> columns, int most) {
    Map<String, List<Column>> byTable = new TreeMap<>();
    List<Mark> marks = new ArrayList<>();
    long millis = 0;
    for (Column column : columns) {
      column
          .strips()
          .forEach(s -> byTable.computeIfAbsent(s.table(), name -> new ArrayList<>()).add(column));
      marks.addAll(column.marks());
      millis += column.millis();
    }
    List<Strip> strips = new ArrayList<>();
    for (Map.Entry<String, List<Column>> table : byTable.entrySet()) {
      strips.add(strip(table.getKey(), table.getValue(), millis));
    }
    return new Column(from, to, Reduction.of(strips, most), marks);
  }

  private static Strip strip(String table, List<Column> columns, long millis) {
    List<Strip> strips = new ArrayList<>();
    columns.forEach(column -> strips.add(Objects.requireNonNull(column.strip(table))));
    Axis axis = Axis.union(strips);
    float[][] values = new float[Measure.COUNT][axis.size()];
    String[] regions = new String[axis.size()];
    String[] servers = new String[axis.size()];
    byte[] flags = new byte[axis.size()];
    Arrays.fill(regions, "");
    Arrays.fill(servers, "");
    for (int c = 0; c < strips.size(); c++) {
      Strip strip = strips.get(c);
      float weight = (float) columns.get(c).millis() / millis;
      boolean last = c == strips.size() - 1;
      axis.lay(
          strip,
          (at, span, share) -> {
            for (int m = 0; m < Measure.COUNT; m++) {
              values[m][at] += strip.value(m, span) * share * weight;
            }
            flags[at] |= strip.flags(span);
            if (share < 1) {
              flags[at] |= Strip.SHARED;
            }
            if (last) {
              regions[at] = share < 1 ? "" : strip.region(span);
              servers[at] = strip.server(span);
            }
          });
    }
    return new Strip(table, axis.starts(), values, regions, servers, flags);
  }
}
