/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.heat.history;

import java.time.Duration;
import java.util.List;

/**
 * The duration and number of columns of one age.
 *
 * @param millis the duration of a column in milliseconds
 * @param keep the number of columns to keep
 */
record Layer(long millis, int keep) {
  /**
   * The usual layers over columns of {@code base}: for a minute an hour of minutes, eight hours of
   * 2 minutes, a day of 6, a week of 30, and five weeks of 4 hours. Each layer covers all of its
   * time up to now, and so does not depend on the others.
   */
  static List<Layer> of(Duration base) {
    long millis = base.toMillis();
    return List.of(
        new Layer(millis, 60),
        new Layer(2 * millis, 240),
        new Layer(6 * millis, 240),
        new Layer(30 * millis, 336),
        new Layer(240 * millis, 210));
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
