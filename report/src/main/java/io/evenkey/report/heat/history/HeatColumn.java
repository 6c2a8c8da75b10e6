/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The load of the key space during an interval. Immutable.
 *
 * @param from the beginning of the interval, in milliseconds since 1970
 * @param to the end of the interval
 * @param strips one strip per table, by name
 * @param marks the region events of the interval
 */
record HeatColumn(long from, long to, List<TableHeat> strips, List<RegionEvent> marks) {
  /** The most region events that are kept of one interval. */
  static final int MOST_MARKS = 200;

  HeatColumn {
    strips = List.copyOf(strips);
    marks =
        marks.size() > MOST_MARKS ? List.copyOf(marks.subList(0, MOST_MARKS)) : List.copyOf(marks);
  }

  @Nullable TableHeat strip(String table) {
    for (TableHeat strip : strips) {
      if (strip.table().equals(table)) {
        return strip;
      }
    }
    return null;
  }

  int size() {
    return strips.stream().mapToInt(TableHeat::size).sum();
  }

  long millis() {
    return to - from;
  }
}
