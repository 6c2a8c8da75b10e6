/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import java.util.List;

/**
 * The result of a verification of an index.
 *
 * @param rows rows that were read
 * @param entries entries that were read; 0 if only rows were looked for
 * @param missing differences by which readers of the index miss rows
 * @param stale entries without a row, which readers do not see
 * @param added entries that were added for missing ones
 * @param removed stale entries that were removed
 * @param differences the first of them
 */
public record IndexReport(
    long rows,
    long entries,
    long missing,
    long stale,
    long added,
    long removed,
    List<IndexDifference> differences) {
  /** Copies the list. */
  public IndexReport {
    differences = List.copyOf(differences);
  }

  /** Whether each row has its entry now. */
  public boolean isComplete() {
    return missing == added;
  }
}
