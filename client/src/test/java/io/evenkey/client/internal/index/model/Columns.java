/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index.model;

/**
 * The two columns of a row that an index takes its key from, in four bits: for each column {@link
 * #NONE}, one of two values, or {@link #KEPT} in a write that leaves the column alone.
 */
final class Columns {
  static final int NONE = 0;
  static final int KEPT = 3;

  /** A row without either column. */
  static final int ABSENT = 0;

  /** The number of index keys of a row. */
  static final int KEYS = 4;

  /** The key of a row that has no entry. */
  static final int NO_KEY = -1;

  private static final String[] NAMES = {"-", "a", "b", "kept"};

  private Columns() {}

  static int of(int first, int second) {
    return first | second << 2;
  }

  /** One of the two columns, the first or the second. */
  static int one(int columns, int column) {
    return columns >> 2 * column & 3;
  }

  /** The same columns with another value of one. */
  static int with(int columns, int column, int value) {
    return columns & ~(3 << 2 * column) | value << 2 * column;
  }

  /** The columns after a write. */
  static int after(int columns, int write) {
    int after = columns;
    for (int column = 0; column < 2; column++) {
      if (one(write, column) != KEPT) {
        after = with(after, column, one(write, column));
      }
    }
    return after;
  }

  /** Whether two rows have the same in the columns that a write leaves. */
  static boolean keptAlike(int write, int one, int other) {
    boolean alike = true;
    for (int column = 0; column < 2; column++) {
      alike &= one(write, column) != KEPT || one(one, column) == one(other, column);
    }
    return alike;
  }

  /** The key in the index, which a row has if it has both columns. */
  static int key(int columns) {
    int first = columns & 3;
    int second = columns >> 2;
    return first == NONE || second == NONE || first == KEPT || second == KEPT
        ? NO_KEY
        : first - 1 + 2 * (second - 1);
  }

  static String text(int columns) {
    return NAMES[columns & 3] + "." + NAMES[columns >> 2];
  }

  static String keyText(int key) {
    return key == NO_KEY ? "no key" : NAMES[(key & 1) + 1] + "." + NAMES[(key >> 1) + 1];
  }
}
