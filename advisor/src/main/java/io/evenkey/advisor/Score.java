/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor;

import io.evenkey.advisor.evaluate.CostModel;
import io.evenkey.advisor.evaluate.Evaluation;
import io.evenkey.advisor.query.Workload;
import io.evenkey.layout.Layout;
import io.evenkey.layout.spread.Prefix;
import java.util.Arrays;
import java.util.List;

/**
 * The score of a table and its indexes: {@code 100 · (w · 1/skew + (1 − w) · Σ weight · best
 * cost/cost)}, less {@value #COMPLICATION} points for each degree of {@link #degrees complication}
 * of the table's layout, and of those of indexes beyond a salt, and {@value #INDEX} for each index.
 * A query that reads by an index has 80 % of what its entries would give it: the rows are read
 * besides. Of a layout under which a key alone does not give the row, 95 % of the formula.
 * Immutable; thread-safe.
 *
 * @param writeWeight the weight {@code w} of even writes against cheap reads, from 0 to 1
 * @param costs the costs of reading
 */
record Score(double writeWeight, CostModel costs) {
  /** What a layout has to be better by for each degree that it is more complicated. */
  static final double COMPLICATION = 2;

  /** What an index has to raise the score by. */
  static final double INDEX = 3;

  private static final double FREE = 0.95;

  /** Of the share of a query that reads by an index, for the rows that it reads besides. */
  private static final double BY_INDEX = 0.8;

  /** The score of a table whose reads have this share of what they could have. */
  double of(Evaluation table, double reads) {
    return of(table, List.of(), reads);
  }

  /** The score of a table with indexes. */
  double of(Evaluation table, List<Evaluation> indexes, double reads) {
    Layout layout = table.candidate().layout();
    double skews = table.writes().mean();
    int degrees = degrees(layout);
    for (Evaluation index : indexes) {
      skews += index.writes().mean();
      // A salt is what is expected of an index.
      degrees += Math.max(0, degrees(index.candidate().layout()) - 1);
    }
    double writes = (1 + indexes.size()) / skews;
    double drawback = layout.spread().isFree() ? FREE : 1;
    return 100 * drawback * (writeWeight * writes + (1 - writeWeight) * reads)
        - COMPLICATION * degrees
        - INDEX * indexes.size();
  }

  /**
   * The share of what the reads could have: 1 if each query is as cheap as by the best layout for
   * it.
   */
  static double reads(double[] costs, double[] cheapest, Workload workload) {
    double[] shares = new double[costs.length];
    Arrays.setAll(shares, q -> share(cheapest[q], costs[q]));
    return reads(shares, workload);
  }

  /** The same, of the share of each query. */
  static double reads(double[] shares, Workload workload) {
    double reads = shares.length == 0 ? 1 : 0;
    for (int q = 0; q < shares.length; q++) {
      reads += shares[q] * workload.queries().get(q).weight() / workload.weight();
    }
    return reads;
  }

  /** The share of a query that reads the entries of an index at a cost, and their rows. */
  static double shareByIndex(double cheapest, double entries) {
    return BY_INDEX * share(cheapest, entries);
  }

  /** The share of a query's cost that is needed. */
  static double share(double cheapest, double cost) {
    return cost == 0 ? 1 : Math.min(1, cheapest / cost);
  }

  /**
   * How complicated a layout is: 0 without a spread, or with a salt of one bucket, which a table
   * has only so that it may have indexes; 1 for a salt of more; 2 for a salt of several buckets for
   * an entity, or of slices; 3 where rows have no order or no place of their own, by a hash, a
   * reversal or chance.
   */
  static int degrees(Layout layout) {
    Prefix prefix = layout.spread().prefix();
    if (prefix != null && prefix.count() == 1) {
      return 0;
    }
    return switch (Family.of(layout)) {
      case PROMOTION -> 0;
      case SALT -> 1;
      case AFFINE -> layout.toString().contains("; over=") ? 2 : 1;
      case SLICES -> 2;
      case HASH, REVERSAL, RANDOM -> 3;
    };
  }
}
