/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.evenkey.layout.Layout;
import io.evenkey.layout.scatter.Scatter;
import io.evenkey.layout.scatter.Where;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ranges that a condition reads, as JSON. Immutable.
 *
 * @param fanOut the number of ranges
 * @param ranges the ranges, or the first of them
 * @param steps of the salt whose buckets are read; left out if the salt has no steps
 * @param ordered whether the rows of a range are in logical order
 * @param filters the conditions that the ranges do not express
 */
@JsonNaming(SnakeCaseStrategy.class)
public record ScatterJson(
    int fanOut,
    List<KeyRangeJson> ranges,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<StepJson> steps,
    boolean ordered,
    List<String> filters) {
  /** Copies the lists. */
  public ScatterJson {
    ranges = List.copyOf(ranges);
    filters = List.copyOf(filters);
  }

  /**
   * The ranges of a condition.
   *
   * @param most how many ranges are listed
   */
  public static ScatterJson of(Layout layout, Where where, Scatter scatter, int most) {
    return new ScatterJson(
        scatter.fanOut(),
        scatter.ranges().stream().limit(most).map(KeyRangeJson::of).toList(),
        layout.steps().isNone()
            ? null
            : scatter.steps().stream().map(step -> StepJson.of(layout.steps(), step)).toList(),
        scatter.ordered(),
        where.residual(scatter.exact()));
  }
}
