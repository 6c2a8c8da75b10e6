/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;

/** The keys at which a table with too few regions would be split, as JSON. Immutable. */
@JsonNaming(SnakeCaseStrategy.class)
public record SplitPreviewJson(
    int regionsBefore, int regionsAfter, int servers, List<SplitKeyJson> splits) {
  /** Copies the list. */
  public SplitPreviewJson {
    splits = List.copyOf(splits);
  }
}
