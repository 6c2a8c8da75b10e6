/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index.model;

/**
 * A request to one row of the table or of the index, packed into a long. It is executed at once, as
 * HBase executes every mutation of one row.
 */
final class Request {
  /** The kinds of requests. */
  enum Kind {
    NONE,
    /** A put of an epoch. */
    PUT,
    /** A put of an epoch if the columns that it leaves are those that were read. */
    CHECK,
    DELETE,
    /** A change of other columns. */
    TOUCH,
    /** A put of a client that does not know the index. */
    PUT_IGNORANT,
    PUT_ENTRY,
    REMOVE_ENTRY,
    /** Says of an entry that its row was seen. */
    SETTLE
  }

  private static final Kind[] KINDS = Kind.values();

  // The places of the fields, of four bits each.
  private static final int ROW = 4;
  private static final int COLUMNS = 8;
  private static final int ENTRY = 12;
  private static final int KEY = 16;
  private static final int READ = 20;
  private static final int EPOCH = 24;

  private Request() {}

  @SuppressWarnings("EnumOrdinal") // never kept
  private static long of(Kind kind, int row) {
    return kind.ordinal() | (long) row << ROW;
  }

  /** A write of a row. */
  static long row(Kind kind, int row, int columns, int entry, int epoch) {
    return of(kind, row)
        | (long) columns << COLUMNS
        | (long) entry << ENTRY
        | (long) epoch << EPOCH;
  }

  /** A put of a row that has some columns as they were read. */
  static long check(int row, int columns, int entry, int epoch, int read) {
    return row(Kind.CHECK, row, columns, entry, epoch) | (long) read << READ;
  }

  static long entry(Kind kind, int row, int entry, int key) {
    return of(kind, row) | (long) entry << ENTRY | (long) key << KEY;
  }

  /**
   * Settles an entry.
   *
   * @param again whether of the index that was dropped and added again
   */
  static long settle(int row, int key, int again) {
    return entry(Kind.SETTLE, row, again, key);
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

  static int read(long request) {
    return field(request, READ);
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
      case CHECK ->
          "if row is as read, %s: put %s in %s, entry %d, epoch %d"
              .formatted(
                  Columns.text(read(request)),
                  Columns.text(columns(request)),
                  row,
                  entry(request),
                  epoch(request));
      case DELETE -> "delete %s of %s".formatted(Columns.text(columns(request)), row);
      case TOUCH -> "change other columns of " + row;
      case PUT_IGNORANT ->
          "put %s in %s without an entry".formatted(Columns.text(columns(request)), row);
      case PUT_ENTRY -> "put " + entry + Columns.keyText(key(request));
      case REMOVE_ENTRY -> "remove " + entry + Columns.keyText(key(request));
      case SETTLE -> "settle the entry of " + row + " at " + Columns.keyText(key(request));
    };
  }
}
