package io.evenkey.app.history;

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
record Column(long from, long to, List<Strip> strips, List<Mark> marks) {
  /** More of what happened in one while is not remembered. */
  static final int MOST_MARKS = 200;

  Column {
    strips = List.copyOf(strips);
    marks =
        marks.size() > MOST_MARKS ? List.copyOf(marks.subList(0, MOST_MARKS)) : List.copyOf(marks);
  }

  @Nullable Strip strip(String table) {
    for (Strip strip : strips) {
      if (strip.table().equals(table)) {
        return strip;
      }
    }
    return null;
  }

  int size() {
    return strips.stream().mapToInt(Strip::size).sum();
  }

  long millis() {
    return to - from;
  }
}
