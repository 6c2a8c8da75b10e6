/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.model;

/** An operation of a client on a row. */
enum Operation {
  /** Reads the row. */
  READ,
  /** Puts a cell with the server's timestamp. */
  PUT,
  /** Puts a cell with an older timestamp of its own. */
  OLD_PUT,
  /** Puts a cell with the one timestamp that all of these have: the later replaces the earlier. */
  OVERWRITE,
  /** Leaves a tombstone with the old timestamp of the cell that was there before the migration. */
  OLD_DELETE,
  /** Counts: must be done once. */
  INCREMENT;

  boolean isWrite() {
    return this != READ;
  }

  /** Whether a search by the time of cells would not see it. */
  boolean isOld() {
    return this == OLD_PUT || this == OVERWRITE || this == OLD_DELETE;
  }
}
