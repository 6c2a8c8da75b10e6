/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.plan;

import io.evenkey.layout.failure.EvenkeyArgumentException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What a table's plan prefers where HBase's settings trade one property for another, such as data
 * block encoding.
 */
public enum OptimizationGoal {
  /** Gets and short scans cost region servers little time. */
  READS,

  /** Files and the block cache hold more rows. */
  STORAGE;

  /**
   * Returns the goal of a name, in upper or lower case.
   *
   * @throws IllegalArgumentException if no goal has this name; lists all
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
