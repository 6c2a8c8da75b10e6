/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.evaluate;

import java.util.Arrays;
import java.util.List;

/**
 * Standard errors of figures that are means over a sample: other records of the same kind would
 * give other figures. The formulas are those of W. G. Cochran, <i>Sampling Techniques</i>, third
 * edition, 1977: the mean of a simple random sample (chapter 2), and a ratio of two means over the
 * same sample (chapter 6). The windows of a load, and the instances of a query, are taken for
 * independent of each other. Stateless.
 */
public final class SampleError {
  private SampleError() {}

  /**
   * The standard error of the mean: the standard deviation of the values, divided by the root of
   * their number.
   *
   * @return 0 for less than two values, of which nothing is known
   */
  static double ofMean(double[] values) {
    double mean = Arrays.stream(values).average().orElse(0);
    return ofDeviations(Arrays.stream(values).map(value -> value - mean).toArray());
  }

  /**
   * The standard error of the ratio of the means of two quantities, of which each part of a sample
   * has both. What they have in common does not count: a query that is dear for a frequent value is
   * dear under all layouts.
   *
   * @param over the values above the line
   * @param under those below it, in the same order; more than the others are left out
   */
  public static double ofRatio(List<Double> over, List<Double> under) {
    int n = Math.min(over.size(), under.size());
    double sumOver = over.stream().limit(n).mapToDouble(Double::doubleValue).sum();
    double sumUnder = under.stream().limit(n).mapToDouble(Double::doubleValue).sum();
    if (sumUnder == 0) {
      return 0;
    }
    double[] deviations = new double[n];
    Arrays.setAll(deviations, i -> over.get(i) - sumOver / sumUnder * under.get(i));
    return ofDeviations(deviations) * n / sumUnder;
  }

  private static double ofDeviations(double[] deviations) {
    int n = deviations.length;
    double squares = Arrays.stream(deviations).map(d -> d * d).sum();
    return n < 2 ? 0 : Math.sqrt(squares / (n - 1) / n);
  }
}
