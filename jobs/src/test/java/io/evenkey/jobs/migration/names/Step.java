/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.names;

import java.util.EnumMap;
import java.util.Map;

/** The position of a run of the migration. */
enum Step {
  /** Not begun. */
  IDLE,
  /** Reads the registry, and takes the next turn. */
  TAKE,
  /** Takes the next turn, before the next generation gets another name. */
  RENEW,
  /** Disables the target. */
  RENEW_DISABLE,
  /** Takes the target's snapshot. */
  RENEW_SNAPSHOT,
  /** Clones the target under a new name. */
  RENEW_CLONE,
  /** Stores the target's new name. */
  RENEW_STORE,
  /** Drops the target. */
  RENEW_DROP,
  /** Copies the row. */
  COPY,
  /** Takes the snapshot from which changes count. */
  SNAPSHOT,
  /** Compares and repairs the row, whether it changed or not. */
  COMPARE,
  /** Takes that snapshot too late. */
  LATE_SNAPSHOT,
  /** Repairs the row if it changed. */
  PASS,
  /** Says in the registry that clients have to wait. */
  ANNOUNCE,
  /** Repairs the row if it changed, while clients write. */
  EARLY_LAST_PASS,
  /** Disables the source. */
  LEAVE_DISABLE,
  /** Takes the source's snapshot. */
  LEAVE_SNAPSHOT,
  /** Clones the source under a new name. */
  LEAVE_CLONE,
  /** Repairs the row if it changed, from the clone. */
  LAST_PASS,
  /** Says in the registry that the target is in use. */
  SWITCH,
  /** Drops the source. */
  LEAVE_DROP,
  /** After a failure: takes the next turn. */
  GO_ON,
  /** Disables the source. */
  GO_ON_DISABLE,
  /** Takes the source's snapshot. */
  GO_ON_SNAPSHOT,
  /** Clones the source under a new name. */
  GO_ON_CLONE,
  /** Says in the registry that the source goes on under the new name. */
  GO_ON_STORE,
  /** Drops the source. */
  GO_ON_DROP,
  /** Waits for the answer to a repair. */
  WAIT,
  /** At its end, or dead. */
  OVER;

  private static final Step[] ALL = values();
  private static final Map<Step, Integer> CODES = new EnumMap<>(Step.class);

  static {
    for (Step step : ALL) {
      CODES.put(step, CODES.size());
    }
  }

  /** As a state has it. */
  int code() {
    return CODES.getOrDefault(this, 0);
  }

  static Step of(int code) {
    return ALL[code];
  }
}
