/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.evenkey.advisor.Advice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a job of the advice as JSON. Immutable.
 *
 * @param plainWriteSkew of the advised key without a spread
 * @param indexes commands that add the indexes that pay
 * @param ranked the best layouts, the advised one first
 * @param table the table whose rows were sampled; left out for records of a file
 * @param migration the layout for its migration; left out if there is none
 */
@JsonNaming(SnakeCaseStrategy.class)
public record AdviceSummaryJson(
    String layout,
    SkewJson writeSkew,
    SkewJson plainWriteSkew,
    List<String> indexes,
    List<AdviceJson.QueryPath> queries,
    List<String> unserved,
    int considered,
    List<RankedLayout> ranked,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String table,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String migration) {
  private static final int RANKED = 5;

  /** Copies the lists. */
  public AdviceSummaryJson {
    indexes = List.copyOf(indexes);
    queries = List.copyOf(queries);
    unserved = List.copyOf(unserved);
    ranked = List.copyOf(ranked);
  }

  /** A layout and its score, from 0 to 100. */
  public record RankedLayout(String layout, double score) {}

  /** Advice for records. */
  public static AdviceSummaryJson of(Advice advice) {
    return new AdviceSummaryJson(
        advice.winner().line(),
        SkewJson.of(advice.winner().evaluation().writes()),
        SkewJson.of(advice.baseline().evaluation().writes()),
        advice.proposed().indexes().stream()
            .map(index -> DescribedIndex.addition("TABLE", index.index()))
            .toList(),
        advice.proposed().queries().stream().map(AdviceJson.QueryPath::of).toList(),
        advice.unserved(),
        advice.considered(),
        advice.ranked().stream()
            .limit(RANKED)
            .map(one -> new RankedLayout(one.line(), one.score()))
            .toList(),
        null,
        null);
  }

  /** Returns this advice for a table, with the layout to migrate it to if that is another one. */
  public AdviceSummaryJson on(String sampled, @Nullable String next) {
    return new AdviceSummaryJson(
        layout,
        writeSkew,
        plainWriteSkew,
        indexes,
        queries,
        unserved,
        considered,
        ranked,
        sampled,
        next);
  }
}
