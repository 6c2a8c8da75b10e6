/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The table and the indexes through which a query can be read, as JSON. Immutable.
 *
 * @param chosen the name of the one that is read
 */
public record ReadChoiceJson(String chosen, String reason, List<ReadCandidate> plans) {
  /** Copies the list. */
  public ReadChoiceJson {
    plans = List.copyOf(plans);
  }

  /**
   * A table or an index.
   *
   * @param index whether it is an index
   */
  public record ReadCandidate(
      String name, boolean index, String verdict, @JsonUnwrapped @Nullable Figures figures) {}

  /**
   * What a candidate would read.
   *
   * @param fixed its leading fields with given values
   * @param bounded its leading fields with a range of values
   * @param cost as a share of a read of the whole table
   */
  @JsonNaming(SnakeCaseStrategy.class)
  public record Figures(
      List<String> fixed,
      List<String> bounded,
      List<String> tested,
      int ranges,
      boolean ordered,
      boolean rowReads,
      double cost) {
    /** Copies the lists. */
    public Figures {
      fixed = List.copyOf(fixed);
      bounded = List.copyOf(bounded);
      tested = List.copyOf(tested);
    }
  }
}
