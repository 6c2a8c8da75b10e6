/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor;

import io.evenkey.advisor.evaluate.Evaluation;
import io.evenkey.advisor.query.Workload;
import io.evenkey.advisor.sample.Sample;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Layouts, best first. Immutable.
 *
 * @param sample the records that the candidates were measured on
 * @param workload the queries and the load
 * @param proposed the table that is advised, with the indexes that pay
 * @param ranked tables without indexes, with their figures: the one that is advised, then the best
 *     of the others
 * @param baseline the winner's key without a spread, with its figures
 * @param families the best of each way to spread, among those that were measured
 * @param considered the number of layouts that were considered
 * @param refused the number of those that could not hold the data
 * @param pruned the number of those that were left out after a part of the sample was read
 * @param keyEvaluations the number of keys that were made in all
 * @param seed the seed by which the values of queries were chosen
 * @param unserved sentences on queries that the proposed table and its indexes do not serve
 * @param remarks sentences for the reader of a report
 */
public record Advice(
    Sample sample,
    Workload workload,
    IndexedTable proposed,
    List<Ranked> ranked,
    Ranked baseline,
    Map<Family, Ranked> families,
    int considered,
    int refused,
    int pruned,
    long keyEvaluations,
    long seed,
    List<String> unserved,
    List<String> remarks) {
  /** Copies the lists. */
  public Advice {
    ranked = List.copyOf(ranked);
    unserved = List.copyOf(unserved);
    remarks = List.copyOf(remarks);
    families = Map.copyOf(families);
  }

  /**
   * A layout and its score.
   *
   * @param evaluation its figures
   * @param score from 0 to 100, which is as even as can be and as cheap for every query as the best
   *     layout for that query; weights of writes and reads are the advisor's
   * @param error the sample's error of the score: 19 of 20 samples are off by less
   * @param reads the part of it that is of the reads, from 0 to 1: 1 is every query as cheap as
   *     under the best layout for it
   * @param warnings the drawbacks of the layout; {@link #notes} has what was done about the data
   */
  public record Ranked(
      Evaluation evaluation, double score, double error, double reads, List<String> warnings) {
    /** Copies the list. */
    public Ranked {
      warnings = List.copyOf(warnings);
    }

    Standing standing() {
      return new Standing(score, error, Score.margin(evaluation, List.of()));
    }

    /** The changes that let the key hold the records. */
    public List<String> notes() {
      return evaluation.candidate().notes();
    }

    /** The layout line. */
    public String line() {
      return evaluation.candidate().layout().toString();
    }
  }

  /** The table that is advised: the best one, or the one that is best with its indexes. */
  public Ranked winner() {
    return proposed.table();
  }

  /** The ranked tables by their scores without indexes, the best first. */
  public List<Ranked> withoutIndexes() {
    return proposed.indexes().isEmpty()
        ? ranked
        : ranked.stream()
            .sorted(Comparator.comparingDouble(one -> -Math.round(10 * one.score())))
            .toList();
  }

  /** Layouts of which the sample cannot tell whether they are worse than the winner. */
  public List<Ranked> asGood() {
    return proposed.indexes().isEmpty()
        ? ranked.stream()
            .filter(
                other ->
                    !other.equals(winner())
                        && winner().score() - other.score()
                            <= winner().standing().errorOfDifference(other.standing()))
            .toList()
        : List.of();
  }
}
