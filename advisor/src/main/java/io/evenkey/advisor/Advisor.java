/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor;

import io.evenkey.advisor.candidate.Candidate;
import io.evenkey.advisor.candidate.Candidates;
import io.evenkey.advisor.evaluate.CostModel;
import io.evenkey.advisor.evaluate.Evaluation;
import io.evenkey.advisor.evaluate.ParsedColumns;
import io.evenkey.advisor.evaluate.QueryFigures;
import io.evenkey.advisor.evaluate.SampledQuery;
import io.evenkey.advisor.query.Workload;
import io.evenkey.advisor.sample.Column;
import io.evenkey.advisor.sample.Sample;
import io.evenkey.layout.Layout;
import io.evenkey.layout.field.ValueException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Ranks layouts by what they do with a sample. Every candidate is evaluated on a few thousand
 * records; the most promising are then measured on all of them.
 *
 * <p><b>Score.</b> {@code 100 · (w · 1/skew + (1 − w) · Σ weight · best cost/cost)}: {@code w} is
 * the weight of writes, {@code skew} the mean over windows of the busiest server's share over the
 * mean share, and the sum runs over the queries, with the cost of each under the layout and under
 * the best layout for it. A layout that loses rows has half of that, one under which a key alone
 * does not give the row has 95 %. Immutable; thread-safe.
 *
 * @param writeWeight the weight of even writes against cheap reads, from 0 to 1
 * @param costs the costs of reading
 * @param seed of what is picked at random
 */
public record Advisor(double writeWeight, CostModel costs, long seed) {
  /** Scores that differ by less are taken for the same: two samples of the data differ by that. */
  public static final double INDISTINGUISHABLE = 1;

  private static final int FIRST_LOOK = 4_000;
  private static final int FINALISTS = 24;
  private static final int RANKED = 10;
  private static final double HEAVY = 0.2;
  private static final double ONE_TABLE_IS_NOT_ENOUGH = 20;

  /** Checks the weight. */
  public Advisor {
    if (!(writeWeight >= 0 && writeWeight <= 1)) {
      throw new IllegalArgumentException(
          "weight of writes out of range: " + writeWeight + "; expected 0 to 1");
    }
  }

  /** Writes and reads count the same. */
  public static Advisor usual() {
    return new Advisor(0.5, CostModel.USUAL, 20261121L);
  }

  /**
   * Ranks layouts.
   *
   * @param progress is called with the number of layouts measured, of how many
   * @throws IllegalArgumentException if no layout can hold the records
   */
  public Advice advise(Sample given, Workload workload, BiConsumer<Integer, Integer> progress) {
    Sample sample = given.numbered();
    Collection<Candidate> candidates = Candidates.of(sample, workload);
    Sample first = sample.thinned(FIRST_LOOK);
    List<Evaluation> looked = measure(candidates, first, workload, progress);
    if (looked.isEmpty()) {
      throw new IllegalArgumentException(
          "no layout can hold the records: columns="
              + sample.columns().stream().map(Column::name).toList());
    }
    List<Candidate> finalists =
        ranked(looked, workload).stream()
            .limit(FINALISTS)
            .map(ranked -> ranked.evaluation().candidate())
            .collect(Collectors.toCollection(ArrayList::new));
    // Of each way to spread at least the best, so that they can be compared.
    for (Advice.Ranked best : families(ranked(looked, workload)).values()) {
      if (!finalists.contains(best.evaluation().candidate())) {
        finalists.add(best.evaluation().candidate());
      }
    }
    List<Evaluation> measured =
        first.size() == sample.size()
            ? looked.stream().filter(e -> finalists.contains(e.candidate())).toList()
            : measure(finalists, sample, workload, progress);
    List<Advice.Ranked> ranked = ranked(measured, workload);
    long keys =
        looked.stream().mapToLong(Evaluation::keyEvaluations).sum()
            + (first.size() == sample.size()
                ? 0
                : measured.stream().mapToLong(Evaluation::keyEvaluations).sum());
    Advice.Ranked winner = ranked.get(0);
    Advice.Ranked baseline = baseline(winner, measured, sample, workload);
    return new Advice(
        given,
        workload,
        ranked.subList(0, Math.min(RANKED, ranked.size())),
        baseline,
        families(ranked),
        candidates.size(),
        candidates.size() - looked.size(),
        looked.size() - measured.size(),
        keys,
        seed,
        remarks(winner, ranked, sample));
  }

  private static Map<Family, Advice.Ranked> families(List<Advice.Ranked> ranked) {
    Map<Family, Advice.Ranked> best = new EnumMap<>(Family.class);
    for (Advice.Ranked one : ranked) {
      best.putIfAbsent(Family.of(one.evaluation().candidate().layout()), one);
    }
    return best;
  }

  private List<Evaluation> measure(
      Collection<Candidate> candidates,
      Sample sample,
      Workload workload,
      BiConsumer<Integer, Integer> progress) {
    List<SampledQuery> asked = Evaluation.asked(workload, sample, seed);
    ParsedColumns columns = new ParsedColumns(sample);
    int[] done = {0};
    return candidates.parallelStream()
        .map(
            candidate -> {
              Evaluation evaluation = evaluate(candidate, columns, workload, asked);
              synchronized (done) {
                progress.accept(++done[0], candidates.size());
              }
              return evaluation;
            })
        .filter(Objects::nonNull)
        .map(Objects::requireNonNull)
        .toList();
  }

  private @Nullable Evaluation evaluate(
      Candidate candidate, ParsedColumns columns, Workload workload, List<SampledQuery> asked) {
    try {
      return Evaluation.of(candidate, columns, workload, asked, costs);
    } catch (ValueException e) {
      // Some record has no key under it.
      return null;
    }
  }

  private List<Advice.Ranked> ranked(List<Evaluation> evaluations, Workload workload) {
    double[] best = new double[workload.queries().size()];
    for (int q = 0; q < best.length; q++) {
      int query = q;
      best[q] =
          evaluations.stream().mapToDouble(e -> e.queries().get(query).cost()).min().orElse(0);
    }
    List<Advice.Ranked> ranked = new ArrayList<>();
    for (Evaluation evaluation : evaluations) {
      double reads = reads(evaluation, best, workload);
      ranked.add(
          new Advice.Ranked(evaluation, score(evaluation, reads), reads, warnings(evaluation)));
    }
    // Of the same score the simplest, so that the answer does not depend on chance.
    ranked.sort(
        Comparator.<Advice.Ranked>comparingDouble(r -> -Math.round(10 * r.score()))
            .thenComparingInt(r -> r.line().length())
            .thenComparing(Advice.Ranked::line));
    return ranked;
  }

  private static double reads(Evaluation evaluation, double[] best, Workload workload) {
    double reads = best.length == 0 ? 1 : 0;
    for (int q = 0; q < best.length; q++) {
      double cost = evaluation.queries().get(q).cost();
      double share = workload.queries().get(q).weight() / workload.weight();
      reads += share * (cost == 0 ? 1 : best[q] / cost);
    }
    return reads;
  }

  private double score(Evaluation evaluation, double reads) {
    double writes = 1 / evaluation.writes().mean();
    return 100
        * drawback(evaluation.candidate())
        * (writeWeight * writes + (1 - writeWeight) * reads);
  }

  // The figures do not show this: under a free salt a key alone does not give the row.
  private static double drawback(Candidate candidate) {
    return candidate.layout().spread().isFree() ? 0.95 : 1;
  }

  private static List<String> warnings(Evaluation evaluation) {
    List<String> warnings = new ArrayList<>(evaluation.candidate().notes());
    Layout layout = evaluation.candidate().layout();
    warnings.addAll(layout.warnings());
    if (evaluation.keyBytes() > 100) {
      warnings.add(
          String.format(
              Locale.ROOT,
              "keys of %.0f bytes on average: each cell carries its key",
              evaluation.keyBytes()));
    }
    return warnings;
  }

  /** The winner's key without its spread. */
  private Advice.Ranked baseline(
      Advice.Ranked winner, List<Evaluation> measured, Sample sample, Workload workload) {
    Layout plain = winner.evaluation().candidate().layout().plain();
    Evaluation evaluation =
        measured.stream()
            .filter(e -> e.candidate().layout().equals(plain))
            .findFirst()
            .orElseGet(
                () ->
                    Evaluation.of(
                        new Candidate(plain, winner.evaluation().candidate().notes()),
                        new ParsedColumns(sample),
                        workload,
                        Evaluation.asked(workload, sample, seed),
                        costs));
    List<Evaluation> both = new ArrayList<>(measured);
    both.add(evaluation);
    return ranked(both, workload).stream()
        .filter(r -> r.evaluation().equals(evaluation))
        .findFirst()
        .orElse(winner);
  }

  private static List<String> remarks(
      Advice.Ranked winner, List<Advice.Ranked> ranked, Sample sample) {
    List<String> remarks = new ArrayList<>();
    if (!sample.isWhole()) {
      remarks.add(
          String.format(
              Locale.ROOT,
              "measured on every %.0f-th of %,d records: shares and amplifications are right to"
                  + " about %.1f %%; keys that collide only in the others are not seen",
              sample.every(),
              sample.records(),
              100 / Math.sqrt(sample.size())));
    }
    List<QueryFigures> queries = winner.evaluation().queries();
    for (int q = 0; q < queries.size(); q++) {
      QueryFigures figures = queries.get(q);
      int query = q;
      if (figures.readAmplification() < ONE_TABLE_IS_NOT_ENOUGH) {
        continue;
      }
      ranked.stream()
          .min(Comparator.comparingDouble(r -> r.evaluation().queries().get(query).cost()))
          .filter(best -> best.evaluation().queries().get(query).cost() * 5 < figures.cost())
          .ifPresent(
              best ->
                  remarks.add(
                      String.format(
                          Locale.ROOT,
                          "one key does not serve all: \"%s\" reads %.0f rows for each it returns;"
                              + " a second table under %s makes that %.1f, for every row written"
                              + " twice",
                          figures.query().text(),
                          figures.readAmplification(),
                          best.line(),
                          best.evaluation().queries().get(query).readAmplification())));
    }
    winner.evaluation().candidate().layout().fields().stream()
        .findFirst()
        .map(field -> sample.column(field.name()))
        .filter(column -> column.largestShare() > HEAVY)
        .ifPresent(
            column ->
                remarks.add(
                    String.format(
                        Locale.ROOT,
                        "one %s has %.0f %% of all records: no salt by %s alone can part them",
                        column.name(),
                        100 * column.largestShare(),
                        column.name())));
    return remarks;
  }
}
