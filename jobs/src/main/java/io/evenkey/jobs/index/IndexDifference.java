/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

/**
 * A row and an index that do not fit each other.
 *
 * @param label the key of the row, or of the entry if it is stale or unreadable, in words
 */
public record IndexDifference(Kind kind, String label) {
  /** Kinds of differences. */
  public enum Kind {
    /** A row that has to have an entry has none: readers of the index do not see it. */
    MISSING,
    /**
     * The settled entry of a row has other values in its covered columns: readers take them for the
     * row's. Those of other entries are not read, so they may differ.
     */
    COVERED,
    /** A row has values that the index cannot hold. */
    UNFIT,
    /** An entry has no row, or one with other values. Readers do not see it. */
    STALE,
    /** A settled entry has no row: readers take it for one. */
    PHANTOM,
    /** A row of the index's table is no entry. */
    UNREADABLE;

    /** Whether readers of the index miss a row, or take other values for its. */
    public boolean losesRows() {
      return this == MISSING || this == COVERED || this == UNFIT;
    }
  }
}
