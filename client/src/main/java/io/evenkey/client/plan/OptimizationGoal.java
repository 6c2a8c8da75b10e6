/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.plan;

import io.evenkey.layout.failure.EvenkeyArgumentException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The property of a table that its plan prefers where HBase's settings trade one for another. */
public enum OptimizationGoal {
  /** Gets and short scans take little time of the region servers. */
  READS,

  /** Files and the block cache hold more rows. */
  STORAGE;

  /**
   * The goal of a name, in upper or lower case.
   *
   * @throws IllegalArgumentException if there is none; names all
   */
  public static OptimizationGoal of(String name) {
    for (OptimizationGoal goal : values()) {
      if (goal.name().equalsIgnoreCase(name)) {
        return goal;
      }
    }
    throw new EvenkeyArgumentException(
        "unknown goal: optimize_for="
            + name
            + "; expected one of: "
            + Arrays.stream(values())
                .map(OptimizationGoal::toString)
                .collect(Collectors.joining(", ")));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
