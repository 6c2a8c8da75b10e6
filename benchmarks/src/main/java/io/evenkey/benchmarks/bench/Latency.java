/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import java.util.Arrays;

/**
 * The time that single calls take.
 *
 * @param p50Millis half of them take no longer
 * @param p99Millis 99 of 100 take no longer
 */
public record Latency(double p50Millis, double p99Millis) {
  /** The times of at least one call. */
  static Latency of(long[] nanos) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return new Latency(at(sorted, 0.5), at(sorted, 0.99));
  }

  private static double at(long[] sorted, double share) {
    return sorted[(int) Math.ceil(share * sorted.length) - 1] / 1e6;
  }
}
