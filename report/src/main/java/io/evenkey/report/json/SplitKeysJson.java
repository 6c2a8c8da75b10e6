/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keys to split a table at, as JSON. Immutable.
 *
 * @param sample the rows that they are quantiles of; left out if they are not of a sample
 */
@JsonNaming(SnakeCaseStrategy.class)
public record SplitKeysJson(
    String algorithm,
    int regions,
    List<String> splitsHex,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable RowSampleJson sample) {
  /** Copies the list. */
  public SplitKeysJson {
    splitsHex = List.copyOf(splitsHex);
  }

  /**
   * A sample.
   *
   * @param error of the quantiles, as a share of the rows
   */
  public record RowSampleJson(long rows, double error) {}
}
