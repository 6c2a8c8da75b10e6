/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.counters;

import java.util.Arrays;

/** Skew: the largest share of a load divided by the mean share. 1 is perfect. */
public final class Skew {
  private Skew() {}

  /** The skew of a load over regions or servers; 1 without load. */
  public static double of(long[] load) {
    long total = Arrays.stream(load).sum();
    long busiest = Arrays.stream(load).max().orElse(0);
    return total == 0 ? 1 : (double) busiest * load.length / total;
  }
}
