/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

/** Follows the work on an index. Its methods are called by one thread at a time. */
public interface IndexListener {
  /** Ignores all. */
  IndexListener NONE =
      new IndexListener() {
        @Override
        public void begins(Phase phase) {}

        @Override
        public void progress(double share, long rows) {}
      };

  /** A phase of the work. */
  enum Phase {
    /** The index's table is created; clients do not know the index yet. */
    CREATE,
    /** All region servers begin to refuse clients that do not know the index. */
    JOIN,
    /** Rows from before the index get their entries. */
    FILL,
    /** Each row is looked for in the index. */
    COMPARE_ROWS,
    /** The row of each entry is looked for. */
    COMPARE_ENTRIES,
    /** Entries without rows are removed. */
    SWEEP,
    /** Clients stop to read and to write the index; its table is deleted. */
    DROP
  }

  /** A phase begins. */
  void begins(Phase phase);

  /**
   * The present phase is so far.
   *
   * @param share of the regions, 0 to 1
   * @param rows rows or entries that were read
   */
  void progress(double share, long rows);
}
