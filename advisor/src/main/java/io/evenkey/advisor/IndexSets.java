/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor;

import io.evenkey.advisor.candidate.Candidate;
import io.evenkey.advisor.evaluate.Evaluation;
import io.evenkey.advisor.evaluate.ParsedColumns;
import io.evenkey.advisor.evaluate.QueryFigures;
import io.evenkey.advisor.evaluate.SampledQuery;
import io.evenkey.advisor.query.Query;
import io.evenkey.advisor.query.Workload;
import io.evenkey.layout.Layout;
import io.evenkey.layout.field.ValueException;
import io.evenkey.protocol.index.EntryLimit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the indexes that pay for a table.
 *
 * <p>For each query, the layouts that were measured are ranked as if it were the only one; those
 * that the table can have as an index are tried. One index after the other is added: the one that
 * raises the score most, until none raises it by its {@link Score#INDEX margin} and makes a query
 * {@value #CHEAPER} times cheaper. An index serves a query that has conditions on its fields only;
 * each row that the query returns is then read by its key. Not thread-safe.
 */
final class IndexSets {
  /** The factor by which an index has to make a query cheaper. */
  static final double CHEAPER = 5;

  /** Layouts that are tried as an index for one query. */
  private static final int TRIED = 3;

  private final Score score;
  private final Workload workload;
  private final ParsedColumns columns;
  private final List<SampledQuery> asked;
  private final List<List<Layout>> wanted;
  private final List<SampledQuery> askedByIndex;
  private final Map<Layout, Optional<Evaluation>> entries = new HashMap<>();

  private IndexSets(
      Score score,
      Workload workload,
      ParsedColumns columns,
      List<SampledQuery> asked,
      List<List<Layout>> wanted) {
    this.score = score;
    this.workload = workload;
    this.columns = columns;
    this.asked = asked;
    this.wanted = wanted;
    this.askedByIndex = asked.stream().map(IndexSets::byIndex).toList();
  }

  private static SampledQuery byIndex(SampledQuery asked) {
    Query query = asked.query();
    int limit = query.limit() == 0 ? 0 : EntryLimit.of(query.limit());
    return new SampledQuery(
        new Query(query.text(), query.conditions(), query.order(), limit, query.weight()),
        asked.instances());
  }

  /**
   * Sets of the layouts that were measured.
   *
   * @param evaluations with the costs of each query by each layout
   */
  static IndexSets of(
      Score score,
      Workload workload,
      ParsedColumns columns,
      List<SampledQuery> asked,
      List<Evaluation> evaluations) {
    List<List<Layout>> wanted = new ArrayList<>();
    for (int q = 0; q < workload.queries().size(); q++) {
      wanted.add(
          WantedIndexes.of(score, workload.queries().get(q), q, evaluations, columns.sample()));
    }
    return new IndexSets(score, workload, columns, asked, wanted);
  }

  /** The tables with the indexes that pay for each, the best first. */
  List<IndexedTable> ranked(List<Advice.Ranked> tables, List<QueryFigures> cheapest) {
    return tables.stream()
        .map(table -> of(table, cheapest))
        .sorted(Comparator.comparingDouble(set -> -set.score()))
        .toList();
  }

  /** A table with the indexes that pay. */
  IndexedTable of(Advice.Ranked table, List<QueryFigures> cheapest) {
    List<ProposedIndex> possible = possible(table);
    return set(table, paying(table, possible, cheapest), possible, cheapest);
  }

  private List<ProposedIndex> paying(
      Advice.Ranked table, List<ProposedIndex> possible, List<QueryFigures> cheapest) {
    List<ProposedIndex> indexes = new ArrayList<>();
    Optional<ProposedIndex> next = next(table, indexes, possible, cheapest);
    while (next.isPresent()) {
      indexes.add(next.get());
      next = next(table, indexes, possible, cheapest);
    }
    // One that was added early may not pay any more beside those that were added after it.
    Optional<ProposedIndex> needless = needless(table, indexes, cheapest);
    while (needless.isPresent()) {
      indexes.remove(needless.get());
      needless = needless(table, indexes, cheapest);
    }
    return indexes;
  }

  private Optional<ProposedIndex> needless(
      Advice.Ranked table, List<ProposedIndex> indexes, List<QueryFigures> cheapest) {
    double now = score(table, indexes, cheapest);
    return indexes.stream()
        .filter(
            index -> {
              List<ProposedIndex> others = new ArrayList<>(indexes);
              others.remove(index);
              return score(table, others, cheapest) >= now || !helps(table, others, index);
            })
        .findFirst();
  }

  private IndexedTable set(
      Advice.Ranked table,
      List<ProposedIndex> indexes,
      List<ProposedIndex> possible,
      List<QueryFigures> cheapest) {
    double now = score(table, indexes, cheapest);
    List<QueryAccess> accesses = new ArrayList<>();
    for (int q = 0; q < workload.queries().size(); q++) {
      accesses.add(access(table, indexes, q, declined(table, indexes, possible, q, cheapest, now)));
    }
    List<Share> shares = shares(table, indexes, cheapest);
    return new IndexedTable(
        table,
        now,
        error(table, indexes, cheapest),
        Score.reads(shares, workload),
        indexes,
        accesses);
  }

  /**
   * Returns the table with only the indexes that pay by the figures of these columns. Of the
   * indexes that were declined by other figures, one may pay now. It may be left without any.
   */
  IndexedTable measured(IndexedTable set, List<Advice.Ranked> tables, List<QueryFigures> cheapest) {
    Evaluation of = set.table().evaluation();
    Advice.Ranked table =
        tables.stream()
            .filter(known -> known.evaluation().equals(of))
            .findFirst()
            .orElse(set.table());
    List<ProposedIndex> possible = known(set);
    return set(table, paying(table, possible, cheapest), possible, cheapest);
  }

  /**
   * A table without indexes, by the figures of these columns.
   *
   * @param set the table with the indexes that it could have
   */
  IndexedTable without(IndexedTable set, Advice.Ranked table, List<QueryFigures> cheapest) {
    return set(table, List.of(), known(set), cheapest);
  }

  /** The indexes of a set, and those that it was declined, with the figures of these columns. */
  private List<ProposedIndex> known(IndexedTable set) {
    Map<Layout, ProposedIndex> known = new LinkedHashMap<>();
    set.indexes().forEach(index -> known.put(index.index().layout(), index));
    set.queries().stream()
        .map(QueryAccess::declined)
        .filter(Objects::nonNull)
        .map(declined -> Objects.requireNonNull(declined).index())
        .forEach(index -> known.put(index.index().layout(), index));
    List<ProposedIndex> measured = new ArrayList<>();
    for (ProposedIndex index : known.values()) {
      entries(index.evaluation().candidate().layout())
          .ifPresent(evaluation -> measured.add(new ProposedIndex(index.index(), evaluation)));
    }
    return measured;
  }

  private Optional<ProposedIndex> next(
      Advice.Ranked table,
      List<ProposedIndex> indexes,
      List<ProposedIndex> possible,
      List<QueryFigures> cheapest) {
    ProposedIndex next = null;
    double highest = score(table, indexes, cheapest);
    for (ProposedIndex index : possible) {
      double reached = score(table, plus(indexes, index), cheapest);
      if (reached > highest && helps(table, indexes, index)) {
        highest = reached;
        next = index;
      }
    }
    return Optional.ofNullable(next);
  }

  private static List<ProposedIndex> plus(List<ProposedIndex> indexes, ProposedIndex one) {
    List<ProposedIndex> all = new ArrayList<>(indexes);
    all.add(one);
    return all;
  }

  private List<ProposedIndex> possible(Advice.Ranked table) {
    Map<String, ProposedIndex> possible = new HashMap<>();
    List<ProposedIndex> all = new ArrayList<>();
    Layout layout = table.evaluation().candidate().layout();
    for (int q = 0; q < wanted.size(); q++) {
      int tried = 0;
      for (Layout index : wanted.get(q)) {
        ProposedIndex made = tried < TRIED ? proposed(layout, index) : null;
        if (made != null) {
          tried++;
          if (possible.putIfAbsent(made.index().layout().toString(), made) == null) {
            all.add(made);
          }
        }
      }
    }
    return all;
  }

  private @Nullable ProposedIndex proposed(Layout table, Layout index) {
    return ProposedIndex.fit(table, index)
        .flatMap(fitted -> entries(fitted.entries()).map(e -> new ProposedIndex(fitted.index(), e)))
        .orElse(null);
  }

  private Optional<Evaluation> entries(Layout layout) {
    return entries.computeIfAbsent(layout, this::measure);
  }

  private Optional<Evaluation> measure(Layout layout) {
    try {
      Candidate candidate = new Candidate(layout, List.of());
      return Optional.of(Evaluation.of(candidate, columns, workload, askedByIndex, score.costs()));
    } catch (ValueException e) {
      // Some record has no key under it.
      return Optional.empty();
    }
  }

  private boolean helps(Advice.Ranked table, List<ProposedIndex> now, ProposedIndex index) {
    for (int q = 0; q < workload.queries().size(); q++) {
      if (cost(index, q) * CHEAPER < cheapest(table, now, q)) {
        return true;
      }
    }
    return false;
  }

  private double cheapest(Advice.Ranked table, List<ProposedIndex> indexes, int query) {
    double cost = table.evaluation().queries().get(query).cost();
    for (ProposedIndex index : indexes) {
      cost = Math.min(cost, cost(index, query));
    }
    return cost;
  }

  private double cost(ProposedIndex index, int query) {
    if (!WantedIndexes.hasColumns(
        index.evaluation().candidate().layout(), workload.queries().get(query))) {
      return Double.POSITIVE_INFINITY;
    }
    QueryFigures entries = index.evaluation().queries().get(query);
    return entries.cost() + score.costs().fetching(entries.rowsReturned(), workload.servers());
  }

  private List<Share> shares(
      Advice.Ranked table, List<ProposedIndex> indexes, List<QueryFigures> cheapest) {
    List<Share> shares = new ArrayList<>();
    for (int q = 0; q < cheapest.size(); q++) {
      QueryFigures best = cheapest.get(q);
      QueryFigures own = table.evaluation().queries().get(q);
      Share share = Share.of(best, own);
      for (ProposedIndex index : indexes) {
        Share entries = Share.byIndex(best, index.evaluation().queries().get(q));
        share = cost(index, q) < own.cost() && entries.value() > share.value() ? entries : share;
      }
      shares.add(share);
    }
    return shares;
  }

  private double error(
      Advice.Ranked table, List<ProposedIndex> indexes, List<QueryFigures> cheapest) {
    return score.error(
        table.evaluation(),
        indexes.stream().map(ProposedIndex::evaluation).toList(),
        shares(table, indexes, cheapest),
        workload);
  }

  private double score(
      Advice.Ranked table, List<ProposedIndex> indexes, List<QueryFigures> cheapest) {
    return score.of(
        table.evaluation(),
        indexes.stream().map(ProposedIndex::evaluation).toList(),
        Score.reads(shares(table, indexes, cheapest), workload));
  }

  private QueryAccess access(
      Advice.Ranked table,
      List<ProposedIndex> indexes,
      int query,
      QueryAccess.@Nullable Declined declined) {
    QueryFigures own = table.evaluation().queries().get(query);
    ProposedIndex used = null;
    for (ProposedIndex index : indexes) {
      double least = used == null ? own.cost() : cost(used, query);
      used = cost(index, query) < least ? index : used;
    }
    QueryFigures entries = used == null ? null : used.evaluation().queries().get(query);
    return new QueryAccess(
        own,
        used,
        entries,
        entries == null ? 0 : entries.rowsReturned(),
        indexes.isEmpty()
            ? Naming.NOTHING
            : ClientChoice.of(table.evaluation().candidate().layout(), indexes)
                .naming(used, asked.get(query), own.instances().size()),
        cheapest(table, indexes, query),
        declined);
  }

  private QueryAccess.@Nullable Declined declined(
      Advice.Ranked table,
      List<ProposedIndex> indexes,
      List<ProposedIndex> possible,
      int query,
      List<QueryFigures> cheapest,
      double now) {
    double cost = cheapest(table, indexes, query);
    return possible.stream()
        .filter(index -> cost(index, query) * CHEAPER < cost)
        .map(
            index ->
                new QueryAccess.Declined(
                    index,
                    index.evaluation().queries().get(query).rowsRead()
                        / Math.max(1, table.evaluation().queries().get(query).rowsReturned()),
                    index.evaluation().queries().get(query).fanOut(),
                    score(table, plus(indexes, index), cheapest) + Score.INDEX - now,
                    Score.INDEX
                        + Math.hypot(
                            error(table, indexes, cheapest),
                            error(table, plus(indexes, index), cheapest))))
        .max(Comparator.comparingDouble(QueryAccess.Declined::gain))
        .orElse(null);
  }
}
