/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.index.model;

/**
 * A request to one row of the table or of the index, packed into a long. It is executed at once, as
 * HBase executes every mutation of one row.
 */
final class Request {
  /** The kinds of requests. */
  enum Kind {
    NONE,
    /** A put of an event, of an epoch. */
    PUT,
    /** A delete of an event. */
    DELETE,
    /** A put of a client that does not know the index. */
    PUT_IGNORANT,
    /** A change of the row if it has a guard; leaves a fresh one. */
    CHECK,
    /** A fresh guard if the row has a guard. */
    BUMP,
    PUT_ENTRY,
    REMOVE_ENTRY,
    MARK_ENTRY,
    KILL_ENTRY
  }

  private static final Kind[] KINDS = Kind.values();

  // The places of the fields, of four bits each.
  private static final int ROW = 4;
  private static final int COLUMNS = 8;
  private static final int ENTRY = 12;
  private static final int KEY = 16;
  private static final int GUARD = 20;
  private static final int FRESH = 24;
  private static final int EPOCH = 28;

  private Request() {}

  @SuppressWarnings("EnumOrdinal") // never kept
  private static long of(Kind kind, int row) {
    return kind.ordinal() | (long) row << ROW;
  }

  /** A put of an event, or of a client that does not know the index, or a delete of an event. */
  static long row(Kind kind, int row, int columns, int entry, int epoch) {
    return of(kind, row)
        | (long) columns << COLUMNS
        | (long) entry << ENTRY
        | (long) epoch << EPOCH;
  }

  /** A change of a row that has a guard. */
  static long check(int row, int columns, int entry, int guard, int fresh) {
    return row(Kind.CHECK, row, columns, entry, 0) | (long) guard << GUARD | (long) fresh << FRESH;
  }

  static long bump(int row, int guard, int fresh) {
    return of(Kind.BUMP, row) | (long) guard << GUARD | (long) fresh << FRESH;
  }

  static long putEntry(int row, int entry, int key, int base) {
    return entry(Kind.PUT_ENTRY, row, entry, key) | (long) base << GUARD;
  }

  static long entry(Kind kind, int row, int entry, int key) {
    return of(kind, row) | (long) entry << ENTRY | (long) key << KEY;
  }

  private static int field(long request, int place) {
    return (int) (request >> place) & 0xf;
  }

  static Kind kind(long request) {
    return KINDS[field(request, 0)];
  }

  static int row(long request) {
    return field(request, ROW);
  }

  static int columns(long request) {
    return field(request, COLUMNS);
  }

  static int entry(long request) {
    return field(request, ENTRY);
  }

  static int key(long request) {
    return field(request, KEY);
  }

  static int guard(long request) {
    return field(request, GUARD);
  }

  static int fresh(long request) {
    return field(request, FRESH);
  }

  static int epoch(long request) {
    return field(request, EPOCH);
  }

  static String text(long request) {
    String row = "row " + (row(request) + 1);
    String entry = "entry " + entry(request) + " of " + row + " at ";
    return switch (kind(request)) {
      case NONE -> "";
      case PUT ->
          "put %s in %s, entry %d, epoch %d"
              .formatted(Columns.text(columns(request)), row, entry(request), epoch(request));
      case DELETE -> "delete " + row;
      case PUT_IGNORANT ->
          "put %s in %s without an entry".formatted(Columns.text(columns(request)), row);
      case CHECK ->
          "if guard %d: put %s in %s, entry %d, guard %d"
              .formatted(
                  guard(request),
                  Columns.text(columns(request)),
                  row,
                  entry(request),
                  fresh(request));
      case BUMP -> "if guard %d: guard %d in %s".formatted(guard(request), fresh(request), row);
      case PUT_ENTRY -> "put " + entry + Columns.keyText(key(request)) + ", base " + guard(request);
      case REMOVE_ENTRY -> "remove " + entry + Columns.keyText(key(request));
      case MARK_ENTRY -> "mark " + entry + Columns.keyText(key(request));
      case KILL_ENTRY -> "kill the mark of " + entry + Columns.keyText(key(request));
    };
  }
}
