/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.index.model;

import java.util.EnumSet;
import java.util.Set;

/**
 * The rules of the two protocols. A search with all rules finds no lost row and no phantom; for
 * each rule, a search without it finds one.
 */
enum Rule {
  // Both protocols.
  /** The entry is written before the row. */
  ENTRY_FIRST,
  /**
   * Each write has a column of its own in the index, named by a number that is never used again.
   */
  FRESH_NONCE,
  /** A row of a batch is written only if its own entry was acknowledged. */
  OWN_ENTRY_ACKNOWLEDGED,
  /** A reader compares the row's values with the entry's. */
  VALUES_COMPARED,
  /** A reader returns a row once. */
  RETURNED_ONCE,

  // Events.
  /** A put has all columns that the index takes from the row. */
  WHOLE_RECORD,
  /** A delete leaves the entry. */
  DELETE_LEAVES_ENTRY,
  /** The client learns the epoch before it writes the entry. */
  EPOCH_BEFORE_ENTRY,
  /** A client whose epoch is over writes another entry before it sends the row again. */
  ANOTHER_ENTRY,
  /** The server refuses a put of an epoch that is over. */
  EPOCH_CHECKED,
  /** The sweep begins an epoch after it has collected the entries. */
  COLLECTED_FIRST,
  /** The sweep asks the region that has the row, not only the first region. */
  ALL_REGIONS_ANSWER,
  /** The sweep looks at the row again in the new epoch. */
  SWEEP_LOOKS_AGAIN,
  /** A region that takes an epoch waits for puts that passed the check before. */
  EPOCH_DRAINS,
  /** A region that opens reads the epoch in the table's descriptor. */
  EPOCH_AT_OPEN,
  /** The next generation of a migrated table has the epoch. */
  EPOCH_CARRIED,

  // Mutable rows.
  /** The row is changed only if its guard is the one that was read. */
  GUARD_CHECKED,
  /** Each change gives the row a guard that it never had. */
  FRESH_GUARD,
  /**
   * A client whose change is refused learns from the row's entry, not from its guard, whether the
   * change was done before: a cleaner replaces the guard, and a change of other columns does.
   */
  ENTRY_TELLS,
  /** The row is read before its entry is written, and is not read again. */
  READ_BEFORE_ENTRY,
  /** A delete leaves a fresh guard in the row. */
  MARKER_AT_DELETE,
  /** The old entry is removed only after the row has changed. */
  REMOVED_LAST,
  /** The cleaner leaves an entry that the row matches. */
  MATCH_STAYS,
  /** An entry whose base is the row's guard is removed only after the guard has been replaced. */
  BUMP_BEFORE_CLEANING,
  /** Each attempt of the cleaner to replace a guard has a guard of its own. */
  FRESH_BUMP,
  /** A migration copies the guard. */
  GUARD_COPIED,
  /** A change's timestamps are later than the guard's that was read, deletes included. */
  STAMPED,

  // Rows that are there before the index.
  /** Filling waits until no write of a client without the index can happen. */
  FILL_WAITS,
  /** No client removes or marks entries while some clients may not know the index. */
  JOINING_REMOVES_NOTHING,

  // Reads of covered columns without the row.
  /** The mark of the entry of the row is killed before the row is changed. */
  KILLED_FIRST,
  /** A kill wins over a mark, in whatever order they arrive. */
  KILL_WINS,
  /** The index keeps tombstones as long as a request may be late. */
  TOMBSTONES_KEPT;

  static Set<Rule> all() {
    return EnumSet.allOf(Rule.class);
  }

  Set<Rule> others() {
    return EnumSet.complementOf(EnumSet.of(this));
  }
}
