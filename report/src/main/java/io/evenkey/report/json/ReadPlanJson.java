/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a query is read, as JSON. Immutable.
 *
 * @param index through which rows are read; left out if it is none
 * @param generation the table that is read; left out, as all that follows but the reason, if the
 *     layout has no order for the rows
 * @param ordered whether rows are returned in logical order
 */
public record ReadPlanJson(
    String table,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String index,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String generation,
    String layout,
    boolean ordered,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String gathering,
    String reason,
    @JsonUnwrapped @Nullable ReadExtent reach) {
  /**
   * The rows and regions that are read.
   *
   * @param limit null without one, or if the client drops rows
   * @param tested conditions that the client tests on each row
   */
  public record ReadExtent(
      @Nullable Long limit,
      List<String> tested,
      int regions,
      int servers,
      ReadChoiceJson choice,
      List<KeyRangeJson> ranges) {
    /** Copies the lists. */
    public ReadExtent {
      tested = List.copyOf(tested);
      ranges = List.copyOf(ranges);
    }
  }
}
