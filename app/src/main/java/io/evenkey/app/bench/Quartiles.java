package io.evenkey.app.bench;

import java.util.Arrays;

/**
 * Figures of several rounds.
 *
 * @param median half of them are below
 * @param low a quarter of them are below
 * @param high a quarter of them are above
 */
public record Quartiles(double median, double low, double high) {
  /** Of at least one figure. */
  static Quartiles of(double[] figures) {
    double[] sorted = figures.clone();
    Arrays.sort(sorted);
    return new Quartiles(at(sorted, 0.5), at(sorted, 0.25), at(sorted, 0.75));
  }

  /** Of each figure over its counterpart in the same round. */
  static Quartiles ofRatios(double[] figures, double[] counterparts) {
    double[] ratios = new double[figures.length];
    Arrays.setAll(ratios, i -> figures[i] / counterparts[i]);
    return of(ratios);
  }

  // Between two figures, in proportion.
  private static double at(double[] sorted, double share) {
    double place = share * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }
}
