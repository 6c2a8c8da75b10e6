/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.guard;

import java.time.Duration;

/** The operations that the guard allows on the rows of a physical table. */
public enum GuardMode {
  /** Reads and writes. */
  OPEN,
  /** Reads and writes; each row that is written gets a {@link ChangeMark}. */
  TRACKED,
  /**
   * Reads. Writes are refused for a moment, after which clients repeat them. If nothing else is set
   * within {@link #FENCE}, as after the death of the migration, the region goes on as {@link
   * #TRACKED}.
   */
  FENCED,
  /** Reads. Writes are refused until something else is set; clients repeat them. */
  READ_ONLY,
  /** Neither: the table is another generation, {@link GuardState#other()}. */
  CLOSED,
  /**
   * A step of the salt is taken. Reads and writes, but that writes of rows at or after the step are
   * refused; clients repeat them.
   */
  HELD,
  /** As {@link #HELD}, by the layout before the step or by the one with it. */
  SHARED;

  /** The time for which a region refuses writes after it has read {@link #FENCED}. */
  public static final Duration FENCE = Duration.ofSeconds(10);

  /** Whether clients may read. */
  public boolean reads() {
    return this != CLOSED;
  }

  /** Whether clients may write. */
  public boolean writes() {
    return this == OPEN || this == TRACKED || isOfStep();
  }

  /** Whether a step of the table's salt is being taken. */
  public boolean isOfStep() {
    return this == HELD || this == SHARED;
  }

  /** Whether compactions keep tombstones, which a migration still has to compare. */
  public boolean keepsTombstones() {
    return this != OPEN && !isOfStep();
  }
}
