/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

/** The decision of a table's rules on a request. */
enum Outcome {
  ALLOWED,
  /** Allowed, and the row gets a mark. */
  MARKED,
  FENCED,
  CLOSED,
  LAYOUT,
  UNSTAMPED,
  /** The request names no layout, and its row is none of the table's layout. */
  FOREIGN,
  /** The request names no layout, and changes a column of an index without the entry. */
  INDEXED,
  TURN,
  MIGRATING,
  /** The table has the entries of an index, and the write is not made as one of an entry. */
  ENTRIES,
  /** The region server does not know, or does not understand, the table's state. */
  UNREADABLE;

  boolean allowed() {
    return this == ALLOWED || this == MARKED;
  }
}
