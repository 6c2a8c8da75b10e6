package io.evenkey.app.heat.history;

import java.time.Duration;
import java.util.List;

/**
 * How long columns are at some age, and how many are kept.
 *
 * @param millis of a column
 * @param keep how many columns
 */
record Layer(long millis, int keep) {
  /**
   * The usual layers over columns of {@code base}: for a minute an hour of minutes, eight hours of
   * 2 minutes, a day of 6, a week of 30, and five weeks of 4 hours. Each holds all the time from
   * now on, so that every layer can be had whatever the others have lost.
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

  /** When the column that holds a moment begins. */
  long floor(long at) {
    return Math.floorDiv(at, millis) * millis;
  }

  /** How long its columns are worth keeping. */
  Duration horizon() {
    return Duration.ofMillis(millis * keep);
  }
}
