/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.evenkey.advisor.Advice;
import io.evenkey.advisor.GrowthPlan;
import io.evenkey.advisor.IndexedTable;
import io.evenkey.advisor.Naming;
import io.evenkey.advisor.ProposedIndex;
import io.evenkey.advisor.QueryAccess;
import io.evenkey.advisor.evaluate.Evaluation;
import io.evenkey.advisor.evaluate.QueryFigures;
import io.evenkey.advisor.evaluate.SliceFigures;
import io.evenkey.advisor.query.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Layouts for records and queries, with their figures, as JSON. Immutable.
 *
 * @param sampled the number of records that were measured
 * @param candidates the best first; the first one is advised, and has the indexes of {@code
 *     proposed}
 * @param baseline the advised key without a spread
 * @param considered the number of layouts that were considered
 * @param refused the number of those that could not hold the records
 * @param pruned the number of those that were left out after a part of the records was read
 * @param growth left out unless asked for
 * @param validation predicted and counted figures by layout; left out unless asked for
 */
@JsonNaming(SnakeCaseStrategy.class)
public record AdviceJson(
    long records,
    long sampled,
    List<AdvisedLayout> candidates,
    AdvisedTable proposed,
    AdvisedLayout baseline,
    int considered,
    int refused,
    int pruned,
    long keyEvaluations,
    List<String> unserved,
    List<String> remarks,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable PlannedGrowth growth,
    @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable Map<String, List<ValidatedFigure>> validation,
    double seconds) {
  /** Copies the lists. */
  public AdviceJson {
    candidates = List.copyOf(candidates);
    unserved = List.copyOf(unserved);
    remarks = List.copyOf(remarks);
  }

  /**
   * A layout.
   *
   * @param score from 0 to 100
   * @param scoreError 19 of 20 samples have a score that is off by less
   * @param indexes the names of the indexes that the figures of its queries are with
   * @param parallelism the number of servers that write at once, in effect
   * @param slices left out if the layout has no slices of a time
   */
  @JsonNaming(SnakeCaseStrategy.class)
  public record AdvisedLayout(
      String layout,
      double score,
      double scoreError,
      List<String> indexes,
      SkewJson writeSkew,
      double parallelism,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable TimeSlices slices,
      List<QueryRead> queries,
      double keyBytes,
      double secondsToFirstSplit,
      List<String> warnings) {
    /** Copies the lists. */
    public AdvisedLayout {
      indexes = List.copyOf(indexes);
      queries = List.copyOf(queries);
      warnings = List.copyOf(warnings);
    }

    private static AdvisedLayout of(Advice.Ranked ranked, Workload workload) {
      Evaluation evaluation = ranked.evaluation();
      SliceFigures slices = evaluation.slices();
      double rowBytes = evaluation.keyBytes() + workload.valueBytes();
      return new AdvisedLayout(
          ranked.line(),
          ranked.score(),
          ranked.error(),
          List.of(),
          SkewJson.of(evaluation.writes()),
          evaluation.writes().parallelism(),
          slices == null ? null : TimeSlices.of(slices, workload.writesPerSecond()),
          evaluation.queries().stream().map(read -> QueryRead.of(read, rowBytes)).toList(),
          evaluation.keyBytes(),
          evaluation.secondsToFirstSplit(workload),
          Stream.concat(ranked.notes().stream(), ranked.warnings().stream()).toList());
    }

    private AdvisedLayout with(IndexedTable set, Workload workload) {
      double rowBytes = keyBytes + workload.valueBytes();
      return new AdvisedLayout(
          layout,
          set.score(),
          set.error(),
          set.indexes().stream().map(index -> index.index().name()).toList(),
          writeSkew,
          parallelism,
          slices,
          set.queries().stream().map(access -> QueryRead.of(access, rowBytes)).toList(),
          keyBytes,
          secondsToFirstSplit,
          warnings);
    }
  }

  /**
   * The slices of a layout whose prefix holds for a slice of time.
   *
   * @param buckets of a slice
   * @param writesPerBucket writes a second in each bucket of a slice, while it lasts
   */
  @JsonNaming(SnakeCaseStrategy.class)
  public record TimeSlices(int buckets, double writesPerBucket, List<WindowSkew> windowSkew) {
    /** Copies the list. */
    public TimeSlices {
      windowSkew = List.copyOf(windowSkew);
    }

    private static TimeSlices of(SliceFigures slices, double writesPerSecond) {
      return new TimeSlices(
          slices.buckets(),
          slices.writesPerBucket(writesPerSecond),
          slices.windows().stream()
              .map(window -> new WindowSkew(window.seconds(), window.mean(), window.max()))
              .toList());
    }
  }

  /** The skew in windows of some seconds. */
  public record WindowSkew(int seconds, double mean, double max) {}

  /**
   * How a layout reads a query.
   *
   * @param fanOut the number of ranges that are opened
   * @param readAmplification rows or entries read for each row returned
   * @param backwards whether ranges are read in reverse
   */
  @JsonNaming(SnakeCaseStrategy.class)
  public record QueryRead(
      String query,
      double fanOut,
      double readAmplification,
      double rowsRead,
      double rowsReturned,
      double bytesReadPerRow,
      double servers,
      double costMs,
      boolean backwards) {
    private static QueryRead of(QueryFigures figures, double rowBytes) {
      return new QueryRead(
          figures.query().text(),
          figures.fanOut(),
          figures.readAmplification(),
          figures.rowsRead(),
          figures.rowsReturned(),
          figures.readAmplification() * rowBytes,
          figures.servers(),
          figures.cost(),
          figures.backwards());
    }

    private static QueryRead of(QueryAccess access, double rowBytes) {
      QueryFigures entries = access.entries();
      QueryFigures read = entries == null ? access.table() : entries;
      return new QueryRead(
          access.table().query().text(),
          read.fanOut(),
          access.readAmplification(),
          read.rowsRead(),
          access.table().rowsReturned(),
          access.readAmplification() * rowBytes,
          read.servers(),
          access.cost(),
          read.backwards());
    }
  }

  /**
   * The table that is advised, with the indexes that pay.
   *
   * @param writesPerRow rows and entries written for each row
   * @param entryBytes bytes of the keys of entries for each row
   */
  @JsonNaming(SnakeCaseStrategy.class)
  public record AdvisedTable(
      String layout,
      double score,
      double scoreError,
      List<AdvisedIndex> indexes,
      int writesPerRow,
      double entryBytes,
      List<QueryPath> queries) {
    /** Copies the lists. */
    public AdvisedTable {
      indexes = List.copyOf(indexes);
      queries = List.copyOf(queries);
    }

    private static AdvisedTable of(IndexedTable set) {
      return new AdvisedTable(
          set.table().line(),
          set.score(),
          set.error(),
          set.indexes().stream().map(AdvisedIndex::of).toList(),
          set.writesPerRow(),
          set.entryBytes(),
          set.queries().stream().map(QueryPath::of).toList());
    }
  }

  /**
   * An index.
   *
   * @param from the columns that its fields come from
   */
  @JsonNaming(SnakeCaseStrategy.class)
  public record AdvisedIndex(
      String index, String layout, List<String> from, double keyBytes, SkewJson writeSkew) {
    /** Copies the list. */
    public AdvisedIndex {
      from = List.copyOf(from);
    }

    private static AdvisedIndex of(ProposedIndex index) {
      return new AdvisedIndex(
          index.index().name(),
          index.index().layout().toString(),
          index.index().columns().stream().map(Object::toString).toList(),
          index.evaluation().keyBytes(),
          SkewJson.of(index.evaluation().writes()));
    }
  }

  /**
   * How a query reads the advised table.
   *
   * @param by {@code table} or the name of an index
   * @param call what the application adds to its call; empty if the client chooses by itself
   */
  @JsonNaming(SnakeCaseStrategy.class)
  public record QueryPath(
      String query,
      String by,
      boolean chosenByClient,
      String call,
      double readAmplification,
      double rowsFetched,
      double costMs,
      double costByTableMs) {
    static QueryPath of(QueryAccess access) {
      ProposedIndex index = access.index();
      return new QueryPath(
          access.table().query().text(),
          index == null ? "table" : index.index().name(),
          access.naming() == Naming.NOTHING,
          access.call("TABLE"),
          access.readAmplification(),
          access.rowsFetched(),
          access.cost(),
          access.table().cost());
    }
  }

  /**
   * Steps of the salt for a load that grows.
   *
   * @param factor the growth in a year
   * @param layout null if the advised layout cannot have steps
   * @param complete whether the width of the salt is enough for all of them
   */
  public record PlannedGrowth(
      double factor, @Nullable String layout, boolean complete, List<StepJson> steps) {
    /** Copies the list. */
    public PlannedGrowth {
      steps = List.copyOf(steps);
    }

    /** A plan. */
    public static PlannedGrowth of(double factor, @Nullable GrowthPlan plan) {
      return plan == null
          ? new PlannedGrowth(factor, null, false, List.of())
          : new PlannedGrowth(
              factor,
              plan.layout().toString(),
              plan.complete(),
              StepJson.all(plan.layout().steps()));
    }
  }

  /**
   * A figure of a layout.
   *
   * @param counted as HBase has counted it
   * @param error as a share of what was counted
   */
  public record ValidatedFigure(String what, double predicted, double counted, double error) {}

  /**
   * Advice.
   *
   * @param growth null unless asked for
   * @param validation null unless asked for
   */
  public static AdviceJson of(
      Advice advice,
      @Nullable PlannedGrowth growth,
      @Nullable Map<String, List<ValidatedFigure>> validation,
      double seconds) {
    Workload workload = advice.workload();
    List<AdvisedLayout> candidates = new ArrayList<>();
    if (!advice.proposed().indexes().isEmpty()) {
      candidates.add(AdvisedLayout.of(advice.winner(), workload).with(advice.proposed(), workload));
    }
    advice.withoutIndexes().forEach(one -> candidates.add(AdvisedLayout.of(one, workload)));
    return new AdviceJson(
        advice.sample().records(),
        advice.sample().size(),
        candidates,
        AdvisedTable.of(advice.proposed()),
        AdvisedLayout.of(advice.baseline(), workload),
        advice.considered(),
        advice.refused(),
        advice.pruned(),
        advice.keyEvaluations(),
        advice.unserved(),
        advice.remarks(),
        growth,
        validation,
        seconds);
  }
}
