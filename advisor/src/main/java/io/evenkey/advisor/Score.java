/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor;

import io.evenkey.advisor.evaluate.CostModel;
import io.evenkey.advisor.evaluate.Evaluation;
import io.evenkey.advisor.query.Workload;
import io.evenkey.layout.Layout;
import java.util.List;

/**
 * The score of a table and its indexes: {@code 100 · (w · 1/skew + (1 − w) · Σ weight · best
 * cost/cost)}, less {@value #COMPLICATION} points for each degree of {@link #degrees complication}
 * of the table's layout, and of those of indexes beyond a salt, and {@value #INDEX} for each index.
 * A query that reads by an index has 80 % of what its entries would give it, because it reads the
 * rows too. Of a layout under which a key alone does not give the row, 95 % of the formula.
 * Immutable; thread-safe.
 *
 * @param writeWeight the weight {@code w} of even writes against cheap reads, from 0 to 1
 * @param costs the costs of reading
 */
record Score(double writeWeight, CostModel costs) {
  /** The gain that justifies each degree of a more complicated layout. */
  static final double COMPLICATION = 2;

  /** The gain in score that justifies an index. */
  static final double INDEX = 3;

  private static final double FREE = 0.95;

  /** 19 of 20 samples are off by less than so many standard errors: of a normal distribution. */
  private static final double SURE = 1.96;

  /** The score of a table whose reads have this share of what they could have. */
  double of(Evaluation table, double reads) {
    return of(table, List.of(), reads);
  }

  /** The score of a table with indexes. */
  double of(Evaluation table, List<Evaluation> indexes, double reads) {
    Layout layout = table.candidate().layout();
    double skews = table.writes().mean();
    for (Evaluation index : indexes) {
      skews += index.writes().mean();
    }
    double writes = (1 + indexes.size()) / skews;
    double drawback = layout.spread().isRandom() ? FREE : 1;
    return 100 * drawback * (writeWeight * writes + (1 - writeWeight) * reads)
        - margin(table, indexes);
  }

  /** The share of what the reads could have: 1 if each is as cheap as by the best layout for it. */
  static double reads(List<Share> shares, Workload workload) {
    double reads = shares.isEmpty() ? 1 : 0;
    for (int q = 0; q < shares.size(); q++) {
      reads += shares.get(q).value() * workload.queries().get(q).weight() / workload.weight();
    }
    return reads;
  }

  /**
   * The error of a score, in points: 19 of 20 samples of the same kind of records are off by less.
   *
   * <p>The score is a function of means: of the skews over windows, and of the costs over instances
   * of each query. With the standard error {@code u(x)} of each, that of the score is the root of
   * {@code Σ (∂score/∂x · u(x))²}, the law of propagation of uncertainty (JCGM 100:2008, 5.1.2).
   * For {@code k} tables with the skews {@code s}, the writes have {@code ∂/∂s = −100 · w · k /
   * (Σs)²}; for a query of the weight {@code g}, {@code ∂/∂share = 100 · (1 − w) · g}.
   */
  double error(Evaluation table, List<Evaluation> indexes, List<Share> shares, Workload workload) {
    double skews = table.writes().mean();
    double squares = Math.pow(table.writes().error(), 2);
    for (Evaluation index : indexes) {
      skews += index.writes().mean();
      squares += Math.pow(index.writes().error(), 2);
    }
    double writes = writeWeight * (1 + indexes.size()) / (skews * skews) * Math.sqrt(squares);
    double reads = 0;
    for (int q = 0; q < shares.size(); q++) {
      double weight = workload.queries().get(q).weight() / workload.weight();
      reads += Math.pow((1 - writeWeight) * weight * shares.get(q).error(), 2);
    }
    return SURE * 100 * Math.hypot(writes, Math.sqrt(reads));
  }

  /** The points that are taken off for the complication of a table and its indexes. */
  static double margin(Evaluation table, List<Evaluation> indexes) {
    int degrees = degrees(table.candidate().layout());
    for (Evaluation index : indexes) {
      // A salt is what is expected of an index.
      degrees += Math.max(0, degrees(index.candidate().layout()) - 1);
    }
    return COMPLICATION * degrees + INDEX * indexes.size();
  }

  /**
   * How complicated a layout is: 0 without a spread; 1 for a salt; 2 for a salt of several buckets
   * for an entity, of slices or in digits; 3 where rows have no order or no place of their own, by
   * a hash, a reversal or chance.
   */
  static int degrees(Layout layout) {
    return switch (Family.of(layout)) {
      case PROMOTION -> 0;
      // A prefix in digits is read by people, and longer than a byte.
      case SALT -> layout.toString().contains("; as=digits") ? 2 : 1;
      case AFFINE -> layout.toString().contains("; over=") ? 2 : 1;
      case SLICES -> 2;
      case HASH, REVERSAL, RANDOM -> 3;
    };
  }
}
