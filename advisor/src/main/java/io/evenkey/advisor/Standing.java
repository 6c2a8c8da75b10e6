/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor;

import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * How good a proposal is, and how complicated. A more complicated one is better only if its score,
 * of which the margin for its complication is taken off already, is higher by more than the
 * sample's error. Immutable.
 *
 * @param score the score
 * @param error the score's error; that of a difference is the root of the sum of both squares
 * @param margin the points taken off for complication
 */
record Standing(double score, double error, double margin) {
  /** The best of proposals, of which there is one at least; of equal ones the first. */
  static <T> T best(List<T> proposals, Function<T, Standing> standing) {
    return proposals.stream()
        .sorted(
            Comparator.<T>comparingDouble(one -> standing.apply(one).margin)
                .thenComparingDouble(one -> -Math.round(10 * standing.apply(one).score)))
        .reduce((a, b) -> standing.apply(b).isBetterThan(standing.apply(a)) ? b : a)
        .orElseThrow();
  }

  /** Whether it is better than a simpler one, or than one as simple that was preferred. */
  private boolean isBetterThan(Standing simpler) {
    return margin > simpler.margin && score > simpler.score + errorOfDifference(simpler);
  }

  /** The error of the difference of two scores. */
  double errorOfDifference(Standing other) {
    return Math.hypot(error, other.error);
  }
}
