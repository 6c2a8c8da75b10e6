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
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.field.ValueException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Ranks layouts by what they do with a sample. Every candidate is evaluated on a few thousand
 * records; the most promising are then measured on all of them.
 *
 * <p><b>Score.</b> {@code 100 · (w · 1/skew + (1 − w) · Σ weight · best cost/cost)}: {@code w} is
 * the weight of writes, {@code skew} the mean over windows of the busiest server's share over the
 * mean share, and the sum runs over the queries, with the cost of each under the layout and under
 * the best layout for it. A more complicated layout has to be better by 2 points for each degree,
 * and an index has to raise the score by 3; both in addition to the {@link Score#error error} of
 * the sample. A layout under which a key alone does not give the row has 95 % of the formula.
 * Immutable; thread-safe.
 *
 * @param writeWeight the weight of even writes against cheap reads, from 0 to 1
 * @param costs the costs of reading
 * @param seed of what is picked at random
 */
public record Advisor(double writeWeight, CostModel costs, long seed) {
  private static final int FIRST_LOOK = 4_000;
  private static final int FINALISTS = 24;
  private static final int RANKED = 10;

  /** Tables with indexes that are measured on all records. */
  private static final int SETS = 8;

  private static final double HEAVY = 0.2;

  /** Writes that are less even are warned of. */
  private static final double UNEVEN = 1.5;

  /** Checks the weight. */
  public Advisor {
    if (!(writeWeight >= 0 && writeWeight <= 1)) {
      throw new EvenkeyArgumentException(
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
    Map<String, String> refusals = new ConcurrentHashMap<>();
    List<Evaluation> looked = measure(candidates, first, workload, progress, refusals);
    if (looked.isEmpty()) {
      throw new EvenkeyArgumentException(
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
    // And the best for each query, by which the cost of the others is judged.
    for (Evaluation cheapest : cheapestOfEach(looked, workload)) {
      if (!finalists.contains(cheapest.candidate())) {
        finalists.add(cheapest.candidate());
      }
    }
    List<Evaluation> measured =
        first.size() == sample.size()
            ? looked.stream().filter(e -> finalists.contains(e.candidate())).toList()
            : measure(finalists, sample, workload, progress, refusals);
    List<Advice.Ranked> ranked = ranked(measured, workload);
    long keys =
        looked.stream().mapToLong(Evaluation::keyEvaluations).sum()
            + (first.size() == sample.size()
                ? 0
                : measured.stream().mapToLong(Evaluation::keyEvaluations).sum());
    IndexedTable proposed = proposed(ranked, looked, first, measured, sample, workload);
    Advice.Ranked winner = proposed.table();
    Advice.Ranked baseline = baseline(winner, measured, sample, workload);
    return new Advice(
        given,
        workload,
        proposed,
        first(winner, ranked),
        baseline,
        families(ranked),
        candidates.size(),
        candidates.size() - looked.size(),
        looked.size() - measured.size(),
        keys,
        seed,
        Unserved.of(proposed.queries()),
        remarks(winner, sample, refusals));
  }

  /** The winner, and then the best of the others: a simpler table may win with a lower score. */
  private static List<Advice.Ranked> first(Advice.Ranked winner, List<Advice.Ranked> ranked) {
    return Stream.concat(
            Stream.of(winner), ranked.stream().filter(one -> !one.line().equals(winner.line())))
        .limit(RANKED)
        .toList();
  }

  /** The table and the indexes that pay, found by the first look and measured on all records. */
  private IndexedTable proposed(
      List<Advice.Ranked> ranked,
      List<Evaluation> looked,
      Sample first,
      List<Evaluation> measured,
      Sample sample,
      Workload workload) {
    IndexSets small = sets(looked, first, workload);
    List<QueryFigures> cheapest = cheapest(looked, workload);
    List<Advice.Ranked> tables =
        ranked(looked, workload).stream()
            .filter(table -> measured.contains(table.evaluation()))
            .toList();
    List<IndexedTable> sets =
        new ArrayList<>(small.ranked(tables, cheapest).subList(0, Math.min(SETS, tables.size())));
    // The best table without indexes too, whose own indexes the first look may not have tried.
    Advice.Ranked best = Standing.best(ranked, Advice.Ranked::standing);
    IndexedTable ofBest =
        tables.stream()
            .filter(table -> table.evaluation().equals(best.evaluation()))
            .findFirst()
            .map(table -> small.of(table, cheapest))
            .orElseThrow();
    sets.add(0, ofBest);
    IndexSets whole = sets(measured, sample, workload);
    List<QueryFigures> all = cheapest(measured, workload);
    IndexedTable alone = whole.without(ofBest, best, all);
    List<IndexedTable> compared = new ArrayList<>(List.of(alone));
    sets.stream()
        .map(set -> whole.measured(set, ranked, all))
        .filter(set -> !set.indexes().isEmpty())
        .forEach(compared::add);
    return Standing.best(compared, IndexedTable::standing);
  }

  private IndexSets sets(List<Evaluation> evaluations, Sample sample, Workload workload) {
    return IndexSets.of(
        score(),
        workload,
        new ParsedColumns(sample),
        Evaluation.asked(workload, sample, seed),
        evaluations);
  }

  private Score score() {
    return new Score(writeWeight, costs);
  }

  private static List<Evaluation> cheapestOfEach(List<Evaluation> looked, Workload workload) {
    List<Evaluation> cheapest = new ArrayList<>();
    for (int q = 0; q < workload.queries().size(); q++) {
      int query = q;
      looked.stream()
          .filter(e -> !e.candidate().layout().spread().isRandom())
          .min(
              Comparator.<Evaluation>comparingDouble(e -> e.queries().get(query).cost())
                  .thenComparing(e -> e.candidate().layout().toString()))
          .ifPresent(cheapest::add);
    }
    return cheapest;
  }

  private static List<QueryFigures> cheapest(List<Evaluation> evaluations, Workload workload) {
    List<QueryFigures> cheapest = new ArrayList<>();
    for (int q = 0; q < workload.queries().size(); q++) {
      int query = q;
      evaluations.stream()
          .map(e -> e.queries().get(query))
          .min(Comparator.comparingDouble(QueryFigures::cost))
          .ifPresent(cheapest::add);
    }
    return cheapest;
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
      BiConsumer<Integer, Integer> progress,
      Map<String, String> refusals) {
    List<SampledQuery> asked = Evaluation.asked(workload, sample, seed);
    ParsedColumns columns = new ParsedColumns(sample);
    int[] done = {0};
    return candidates.parallelStream()
        .map(
            candidate -> {
              Evaluation evaluation = evaluate(candidate, columns, workload, asked, refusals);
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
      Candidate candidate,
      ParsedColumns columns,
      Workload workload,
      List<SampledQuery> asked,
      Map<String, String> refusals) {
    try {
      return Evaluation.of(candidate, columns, workload, asked, costs);
    } catch (ValueException e) {
      // Some record has no key under it.
      if (candidate.layout().isPlain()) {
        refusals.put(candidate.layout().toString(), String.valueOf(e.getMessage()));
      }
      return null;
    }
  }

  private List<Advice.Ranked> ranked(List<Evaluation> evaluations, Workload workload) {
    List<QueryFigures> cheapest = cheapest(evaluations, workload);
    List<Advice.Ranked> ranked = new ArrayList<>();
    evaluations.forEach(e -> ranked.add(ranked(e, score(), cheapest, workload)));
    // Of the same score the simplest, so that the answer does not depend on chance.
    ranked.sort(
        Comparator.<Advice.Ranked>comparingDouble(r -> -Math.round(10 * r.score()))
            .thenComparingInt(r -> r.line().length())
            .thenComparing(Advice.Ranked::line));
    return ranked;
  }

  static Advice.Ranked ranked(
      Evaluation evaluation, Score score, List<QueryFigures> cheapest, Workload workload) {
    List<Share> shares = new ArrayList<>();
    for (int q = 0; q < cheapest.size(); q++) {
      shares.add(Share.of(cheapest.get(q), evaluation.queries().get(q)));
    }
    double reads = Score.reads(shares, workload);
    return new Advice.Ranked(
        evaluation,
        score.of(evaluation, reads),
        score.error(evaluation, List.of(), shares, workload),
        reads,
        warnings(evaluation));
  }

  private static List<String> warnings(Evaluation evaluation) {
    List<String> warnings = new ArrayList<>();
    double skew = evaluation.writes().mean();
    if (skew > UNEVEN && !evaluation.writes().byChance()) {
      warnings.add(
          String.format(
              Locale.ROOT, "the busiest server takes %.1f times its share of the writes", skew));
    }
    warnings.addAll(evaluation.candidate().layout().warningsIfMeasured());
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
      Advice.Ranked winner, Sample sample, Map<String, String> refusals) {
    List<String> remarks = new ArrayList<>(sample.warnings());
    new TreeMap<>(refusals)
        .entrySet().stream()
            .findFirst()
            .map(refused -> "no key '" + refused.getKey() + "': " + refused.getValue())
            .ifPresent(remarks::add);
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
    if (winner.evaluation().writes().byChance()) {
      remarks.add(
          String.format(
              Locale.ROOT,
              "of %,d record%s chance decides where they go: measure some thousands",
              sample.records(),
              sample.records() == 1 ? "" : "s"));
      return remarks;
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
                        "one %s has %.0f %% of all records: no salt by %s alone can spread them",
                        column.name(),
                        100 * column.largestShare(),
                        column.name())));
    return remarks;
  }
}
