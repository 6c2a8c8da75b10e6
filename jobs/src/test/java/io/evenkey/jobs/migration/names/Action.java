/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.names;

/** A part of what a run does, which nothing can come between. */
enum Action {
  /** Copies the row. */
  COPY,
  /** Takes the next turn. */
  TAKE_TURN,
  /** Disables the target. */
  DISABLE_TARGET,
  /** Takes the target's snapshot. */
  SNAPSHOT_TARGET,
  /** Clones the target under a new name. */
  CLONE_TARGET,
  /** Stores the target's new name. */
  STORE_TARGET,
  /** Takes the snapshot from which changes count, unless this run has compared all rows. */
  SNAPSHOT,
  /** Compares and repairs the row, whether it changed or not, unless this run has before. */
  COMPARE,
  /** Takes that snapshot too late. */
  LATE_SNAPSHOT,
  /** Repairs the row if it changed. */
  PASS,
  /** Takes the snapshot from which changes count on the way back. */
  SNAPSHOT_BEFORE_SWITCH,
  /** Disables the source. */
  DISABLE_SOURCE,
  /** Takes the source's snapshot. */
  SNAPSHOT_SOURCE,
  /** Clones the source under a new name. */
  CLONE_SOURCE,
  /** Repairs the row if it changed, from the clone. */
  LAST_PASS,
  /** Says in the registry that the target is in use. */
  SWITCH,
  /** Enables the source again. */
  ENABLE_SOURCE,
  /** Says in the registry that the source goes on, under its new name if it has one. */
  STORE_SOURCE,
  /** Drops what the run has left. */
  DROP_LEFT,
  /** Stores the next stage. */
  STORE_STAGE
}
