package io.evenkey.server.guard;

/** What the rules of a table say to a request. */
enum Outcome {
  ALLOWED,
  /** Allowed, and the row gets a mark. */
  MARKED,
  FENCED,
  CLOSED,
  LAYOUT,
  UNSTAMPED,
  TURN,
  MIGRATING,
  /** The region server does not know, or does not understand, the table's state. */
  UNREADABLE;

  boolean allowed() {
    return this == ALLOWED || this == MARKED;
  }
}
