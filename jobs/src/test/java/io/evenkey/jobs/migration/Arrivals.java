/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.jobs.history.Found;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values that clients gave each row, one after the other, and how far a reader of another
 * cluster has seen them: no row may go back. Values that did not arrive may be skipped. Thread-safe
 * for one reader.
 */
final class Arrivals {
  /** The value of a row that is not there. */
  private static final String NONE = "none";

  private final Map<String, List<String>> given = new HashMap<>();
  private final Map<String, Integer> seen = new HashMap<>();
  private long decided;

  /**
   * Records that a row is given a value, before that is done.
   *
   * @param value null if the row is deleted
   * @return the number of values that the row was given before
   */
  synchronized int give(String row, @Nullable String value) {
    List<String> values = given.computeIfAbsent(row, first -> new ArrayList<>(List.of(NONE)));
    values.add(value == null ? NONE : value);
    return values.size() - 1;
  }

  /** Records that a value is there, or a later one. */
  synchronized void see(String row, int number) {
    seen.merge(row, number, Math::max);
  }

  /** Checks a read of all rows. */
  synchronized void check(List<Found> rows) {
    Map<String, String> found = new HashMap<>();
    for (Found row : rows) {
      assertThat(found.put(row.row(), row.value())).as("row twice: " + row.row()).isNull();
    }
    assertThat(given.keySet()).as("rows that were written").containsAll(found.keySet());
    given.forEach((row, values) -> check(row, values, found.getOrDefault(row, NONE)));
  }

  private void check(String row, List<String> values, String value) {
    int least = seen.getOrDefault(row, 0);
    // Of equal values, the first may be the one that is there.
    int later = values.subList(least, values.size()).indexOf(value);
    assertThat(later)
        .as("row=%s value=%s history=%s seen=%d", row, value, values, least)
        .isNotNegative();
    seen.put(row, least + later);
    decided += least + later > 0 ? 1 : 0;
  }

  /** The number of rows in reads that could have gone back. */
  synchronized long decided() {
    return decided;
  }
}
