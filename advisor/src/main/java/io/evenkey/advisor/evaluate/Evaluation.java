/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.evaluate;

import io.evenkey.advisor.candidate.Candidate;
import io.evenkey.advisor.query.Query;
import io.evenkey.advisor.query.QueryCondition;
import io.evenkey.advisor.query.Workload;
import io.evenkey.advisor.sample.Sample;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.scatter.Scatter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The measured effects of a candidate on a sample. Immutable.
 *
 * @param candidate the candidate
 * @param writes where the writes go
 * @param slices the same moment by moment, of a salt with slices of a time; else null
 * @param queries the cost of each query, in the order of the workload
 * @param keyBytes bytes of a row, the mean
 * @param keyEvaluations the number of keys that were made for it
 */
public record Evaluation(
    Candidate candidate,
    WriteFigures writes,
    @Nullable SliceFigures slices,
    List<QueryFigures> queries,
    double keyBytes,
    long keyEvaluations) {
  private static final double SPLIT_AT_BYTES = 10.0 * (1L << 30);
  private static final int FEW = 2;
  private static final int MANY = 1_000;

  /** Copies the list. */
  public Evaluation {
    queries = List.copyOf(queries);
  }

  /** The queries of a workload with values of the sample: the same for all candidates. */
  public static List<SampledQuery> asked(Workload workload, Sample all, long seed) {
    Sample sample = all.thinned(Replay.SORTED);
    List<SampledQuery> asked = new ArrayList<>();
    for (Query query : workload.queries()) {
      asked.add(SampledQuery.of(query, sample, seed + asked.size()));
    }
    return asked;
  }

  /**
   * Measures a candidate.
   *
   * @throws io.evenkey.layout.field.ValueException if a record has no key under its layout
   */
  public static Evaluation of(
      Candidate candidate,
      ParsedColumns columns,
      Workload workload,
      List<SampledQuery> asked,
      CostModel costs) {
    Sample sample = columns.sample();
    Replay replay = new Replay(candidate.layout(), columns, workload.servers());
    double scale = Math.max(1, workload.rows() / Math.max(1, sample.records()));
    List<QueryFigures> queries = new ArrayList<>();
    for (SampledQuery of : asked) {
      queries.add(query(candidate.layout(), of, replay, sample, scale, costs));
    }
    return new Evaluation(
        candidate, replay.writes(), replay.slices(), queries, replay.keyBytes(), sample.size());
  }

  /**
   * Seconds of writing at the peak rate until the fastest growing region has 10 GB, at which HBase
   * splits it by default; of keys and values as they are, before compression.
   */
  public double secondsToFirstSplit(Workload workload) {
    double bytesPerSecond =
        workload.writesPerSecond() * (keyBytes + workload.valueBytes()) * writes.growingShare();
    return SPLIT_AT_BYTES / bytesPerSecond;
  }

  private static QueryFigures query(
      Layout layout,
      SampledQuery asked,
      Replay replay,
      Sample sample,
      double scale,
      CostModel costs) {
    Query query = asked.query();
    Direction direction = Direction.of(layout, query, sample);
    double fanOut = 0;
    double read = 0;
    double returned = 0;
    double servers = 0;
    double cost = 0;
    int tried = 0;
    List<Double> each = new ArrayList<>();
    List<Double> costOfEach = new ArrayList<>();
    for (SampledQuery.Instance instance : asked.instances()) {
      // A query that opens thousands of ranges does so whatever its values are.
      if (tried >= FEW && fanOut > MANY * tried) {
        break;
      }
      tried++;
      Scatter scatter = scatter(layout, instance);
      BitSet touched = new BitSet();
      long found = 0;
      long portions = 0;
      for (KeyRange range : scatter.ranges()) {
        found += replay.rowsIn(range);
      }
      long wanted = query.limit() > 0 ? Math.min(query.limit(), instance.rows()) : instance.rows();
      boolean stops =
          query.limit() > 0
              && scatter.ordered()
              && direction != Direction.NONE
              && found == instance.rows();
      List<KeyRange> opened =
          OpenedRanges.of(
              layout,
              scatter.ranges(),
              stops ? query.limit() : 0,
              direction == Direction.BACKWARDS);
      int fans = opened.size();
      long portion = portion(query.limit(), fans);
      for (KeyRange range : opened) {
        portions += Math.min(portion, replay.rowsIn(range));
        replay.touch(range, touched);
      }
      double rows = stops ? (double) portions : (double) found;
      each.add(rows);
      fanOut += fans;
      read += rows;
      returned += (double) wanted;
      servers += touched.cardinality();
      // Rows that are read in vain grow with the table, those that are wanted do not.
      double atSize = stops ? rows : wanted + (rows - wanted) * scale;
      double one =
          costs.cost(
              new CostModel.Read(
                  fans,
                  touched.cardinality(),
                  atSize,
                  stops ? query.limit() : 0,
                  direction == Direction.BACKWARDS));
      costOfEach.add(one);
      cost += one;
    }
    int n = Math.max(1, tried);
    return new QueryFigures(
        query,
        fanOut / n,
        read / n,
        returned / n,
        servers / n,
        direction == Direction.BACKWARDS,
        each,
        costOfEach,
        cost / n);
  }

  // The rows that are requested of each of k ranges: its share, and three standard deviations.
  private static long portion(int limit, int ranges) {
    double mean = (double) limit / Math.max(1, ranges);
    return ranges <= 1 ? limit : Math.min(limit, (long) Math.ceil(mean + 3 * Math.sqrt(mean)));
  }

  /** The condition of an instance on the fields of a layout; null if it says nothing of them. */
  public static @Nullable String where(Layout layout, SampledQuery.Instance instance) {
    List<String> texts = new ArrayList<>();
    for (Field field : layout.fields()) {
      String text = instance.conditions().get(field.name());
      if (text != null && !text.isEmpty()) {
        texts.add(text);
      }
    }
    return texts.isEmpty() ? null : String.join(" and ", texts);
  }

  /** Whether a query's limit can end the reading early: its order is the layout's. */
  public static boolean hasOrder(Layout layout, Query query, Sample sample) {
    return Direction.of(layout, query, sample) != Direction.NONE;
  }

  private static Scatter scatter(Layout layout, SampledQuery.Instance instance) {
    String where = where(layout, instance);
    return where == null ? layout.scatter(KeyRange.all()) : layout.scatter(layout.where(where));
  }

  /** The match of a layout's order with a query's. */
  private enum Direction {
    FORWARDS,
    BACKWARDS,
    NONE;

    static Direction of(Layout layout, Query query, Sample sample) {
      if (query.order() == Query.Order.ANY) {
        return FORWARDS;
      }
      List<String> fixed =
          query.conditions().stream()
              .filter(c -> c.operator() == QueryCondition.Operator.EQUAL)
              .map(QueryCondition::column)
              .toList();
      for (Field field : layout.fields()) {
        if (fixed.contains(field.name())) {
          continue;
        }
        if (!sample.column(field.name()).isTime()) {
          return NONE;
        }
        boolean newest = query.order() == Query.Order.NEWEST_FIRST;
        return field.descending() == newest ? FORWARDS : BACKWARDS;
      }
      return FORWARDS;
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Evaluation that
        && Objects.equals(candidate.layout(), that.candidate.layout());
  }

  @Override
  public int hashCode() {
    return candidate.layout().hashCode();
  }
}
