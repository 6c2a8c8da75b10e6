/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import java.util.List;

/**
 * The result of a verification of an index.
 *
 * @param rows rows that were read
 * @param entries entries that were read; 0 if only rows were looked for
 * @param missing differences by which readers of the index miss rows, or take other covered values
 *     for theirs
 * @param stale entries without a row
 * @param phantoms of these, settled ones that are still there: readers take them for rows
 * @param added entries that were written for missing ones, and for those with other covered values
 * @param removed stale entries that were removed
 * @param settled entries that were settled, which readers take for their rows from now on
 * @param differences the first of them
 */
public record IndexReport(
    long rows,
    long entries,
    long missing,
    long stale,
    long phantoms,
    long added,
    long removed,
    long settled,
    List<IndexDifference> differences) {
  /** Copies the list. */
  public IndexReport {
    differences = List.copyOf(differences);
  }

  /** Whether each row has its entry now, and readers see no row that is not there. */
  public boolean isComplete() {
    return missing == added && phantoms == 0;
  }
}
