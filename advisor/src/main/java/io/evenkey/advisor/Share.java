/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor;

import io.evenkey.advisor.evaluate.QueryFigures;
import io.evenkey.advisor.evaluate.SampleError;

/**
 * The part of a query's cost that is needed: that of the best layout for it, over the cost that it
 * has. Immutable.
 *
 * @param value from 0 to 1, which is as cheap as by the best layout
 * @param error its standard error, of a ratio over the same instances
 */
record Share(double value, double error) {
  /** The factor of the share of a query by an index, for the rows that it also reads. */
  private static final double BY_INDEX = 0.8;

  static Share of(QueryFigures best, QueryFigures figures) {
    return new Share(
        of(best.cost(), figures.cost()), SampleError.ofRatio(best.costs(), figures.costs()));
  }

  /** The share of a query that reads the entries of an index, and their rows. */
  static Share byIndex(QueryFigures best, QueryFigures entries) {
    Share share = of(best, entries);
    return new Share(BY_INDEX * share.value, BY_INDEX * share.error);
  }

  static double of(double best, double cost) {
    return cost == 0 ? 1 : Math.min(1, best / cost);
  }
}
