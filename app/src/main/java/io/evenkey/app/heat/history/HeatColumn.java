package io.evenkey.app.heat.history;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the key space took during a while. Immutable.
 *
 * @param from when the while began, in milliseconds since 1970
 * @param to when it ended
 * @param strips one a table, by name
 * @param marks what happened in it
 */
record HeatColumn(long from, long to, List<TableHeat> strips, List<RegionEvent> marks) {
  /** More of what happened in one while is not remembered. */
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
