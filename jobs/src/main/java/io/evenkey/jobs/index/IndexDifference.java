/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.client.internal.remedy.Remedy;

/**
 * A row and an index that do not fit each other.
 *
 * @param label the key of the row, or of the entry if it is stale, a phantom or unreadable, in
 *     words
 */
public record IndexDifference(Kind kind, String label) {
  /** Kinds of differences. */
  public enum Kind {
    /** A row that has to have an entry has none: readers of the index do not see it. */
    MISSING(
        "rows have no entry: readers of the index miss them",
        Remedy.REPAIR + " adds their entries"),
    /**
     * The settled entry of a row has other values in its covered columns: readers take them for the
     * row's. Those of other entries are not read, so they may differ.
     */
    COVERED(
        "settled entries have other covered values than their rows: reads that do not fetch the"
            + " rows return them",
        Remedy.REPAIR + " makes readers fetch the rows"),
    /** A row has values that the index cannot hold. */
    UNFIT(
        "rows have values that the index cannot hold: readers of it miss them",
        "write them again with values that fit, or delete them if the index is not append-only"),
    /**
     * As {@link #MISSING} or {@link #COVERED}, but the row has cells with labels or rights of their
     * own. An entry that a repair writes would not have them.
     */
    SECURED(
        "rows have cells with their own labels or rights, and no correct entry: readers of the"
            + " index miss them, or get wrong covered values",
        "write them again, which gives their entries the same, and repeat the command"),
    /** An entry has no row, or one with other values. Readers do not see it. */
    STALE("entries have no row: readers skip them", Remedy.REPAIR + ", or a sweep, removes them"),
    /** A settled entry has no row: readers take it for one. */
    PHANTOM(
        "settled entries have no row: reads that do not fetch the rows return them as rows",
        Remedy.REPAIR + " removes them"),
    /** A row of the index's table is no entry. */
    UNREADABLE(
        "rows of the index's table are not entries: readers skip them",
        "drop the index, and add it again, to be rid of them");

    private final String meaning;
    private final String remedy;

    Kind(String meaning, String remedy) {
      this.meaning = meaning;
      this.remedy = remedy;
    }

    /** The effect of several of them on readers: a sentence without its end. */
    public String meaning() {
      return meaning;
    }

    /** The remedy. */
    public String remedy() {
      return remedy;
    }
  }
}
