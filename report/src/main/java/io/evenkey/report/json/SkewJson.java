/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import io.evenkey.advisor.evaluate.WriteFigures;
import java.util.Arrays;

/**
 * How uneven a load is over servers, as JSON: the busiest server's share over the mean share, by
 * windows of time. 1 is even, the number of servers is one server.
 *
 * @param mean over all windows
 * @param p99 99 in 100 windows have at most this
 * @param max of the worst window
 */
public record SkewJson(double mean, double p99, double max) {
  /** Returns the skew of measured writes. */
  public static SkewJson of(WriteFigures writes) {
    return new SkewJson(writes.mean(), writes.p99(), writes.max());
  }

  /** Returns the skew of several windows. */
  public static SkewJson of(double[] windows) {
    if (windows.length == 0) {
      return of(1);
    }
    double[] sorted = windows.clone();
    Arrays.sort(sorted);
    int p99 = (int) Math.ceil(0.99 * sorted.length) - 1;
    return new SkewJson(
        Arrays.stream(sorted).average().orElse(1), sorted[p99], sorted[sorted.length - 1]);
  }

  /** Returns the skew of one window, such as the time between two readings of counters. */
  public static SkewJson of(double skew) {
    return new SkewJson(skew, skew, skew);
  }
}
