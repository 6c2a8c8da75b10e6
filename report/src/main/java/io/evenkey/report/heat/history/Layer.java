/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import java.time.Duration;
import java.util.List;

/**
 * The duration, the number and the largest size of columns of one age.
 *
 * @param millis the duration of a column in milliseconds
 * @param keep the number of columns to keep
 * @param mostSpans the approximate maximum of spans of a column
 */
record Layer(long millis, int keep, int mostSpans) {
  /**
   * The usual layers over columns of {@code base}: for a minute six hours of minutes, four days of
   * 10 minutes, and five weeks of hours. Each layer covers all of its time up to now, and so does
   * not depend on the others. Older columns have fewer spans: all layers together hold at most 3.3
   * million.
   */
  static List<Layer> of(Duration base) {
    long millis = base.toMillis();
    return List.of(
        new Layer(millis, 6 * 60, 3_072),
        new Layer(10 * millis, 4 * 24 * 6, 2_048),
        new Layer(60 * millis, 5 * 7 * 24, 1_200));
  }

  /** The beginning of the column that contains a moment. */
  long floor(long at) {
    return Math.floorDiv(at, millis) * millis;
  }

  /** The time for which its columns are kept. */
  Duration horizon() {
    return Duration.ofMillis(millis * keep);
  }
}
