/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import java.util.Arrays;

/**
 * Figures of several rounds.
 *
 * @param median half of the figures are below
 * @param low a quarter of the figures are below
 * @param high a quarter of the figures are above
 */
record Quartiles(double median, double low, double high) {
  /** The quartiles of at least one figure. */
  static Quartiles of(double[] figures) {
    double[] sorted = figures.clone();
    Arrays.sort(sorted);
    return new Quartiles(at(sorted, 0.5), at(sorted, 0.25), at(sorted, 0.75));
  }

  /** The quartiles of each figure divided by its counterpart in the same round. */
  static Quartiles ofRatios(double[] figures, double[] counterparts) {
    double[] ratios = new double[figures.length];
    Arrays.setAll(ratios, i -> figures[i] / counterparts[i]);
    return of(ratios);
  }

  // Interpolated between two figures.
  private static double at(double[] sorted, double share) {
    double place = share * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }
}
