/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index.model;

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
  /** A delete, or a change of a row, leaves the entry of what the row had before. */
  OLD_ENTRY_STAYS,
  /** The client learns the epoch before it reads the row, and writes the entry. */
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

  // Events.
  /** A put has all columns that the index takes from the row. */
  WHOLE_RECORD,

  // Append-only rows.
  /** An entry is settled after its row was seen. */
  ROW_SEEN,
  /** No row is deleted. */
  ROWS_STAY,

  // Mutable rows.
  /** A put of some columns is made only if the row has the others as the client has read them. */
  KEPT_CHECKED,
  /** The row is read before its entry is written, and is not read again. */
  READ_BEFORE_ENTRY,
  /** No other put of the row's columns is made between the check of a put and the put. */
  ONE_PUT_AT_A_TIME,
  /** A put has later timestamps than the columns of the row. */
  LATER_THAN_THE_ROW,

  // An index that is dropped, and may be added again.
  /**
   * All regions refuse the version by which the index is read before a client leaves out entries.
   */
  CLOSED_FIRST,
  /** A reader has answers by the version by which it reads, for all entries that it has read. */
  READ_CONFIRMED,
  /** An index that is added again is another one. */
  SINCE_COMPARED,
  /** A settled entry says of which index it is. */
  SETTLED_SINCE,

  // Rows that are there before the index.
  /** Filling waits until no write of a client without the index can happen. */
  FILL_WAITS;

  static Set<Rule> all() {
    return EnumSet.allOf(Rule.class);
  }

  Set<Rule> others() {
    return EnumSet.complementOf(EnumSet.of(this));
  }
}
