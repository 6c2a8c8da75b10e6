/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.index.model;

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

  /** The columns after a write. */
  static int after(int columns, int write) {
    int first = (write & 3) == KEPT ? columns & 3 : write & 3;
    int second = write >> 2 == KEPT ? columns >> 2 : write >> 2;
    return of(first, second);
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
