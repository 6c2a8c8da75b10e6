/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index.model;

import java.util.Locale;

/** An operation of a client on a row, by the columns that it leaves. */
enum Operation {
  PUT_A(Columns.of(1, 1)),
  PUT_B(Columns.of(2, 1)),
  /** One of the two columns of a composite key. */
  SET_FIRST(Columns.of(2, Columns.KEPT)),
  SET_SECOND(Columns.of(Columns.KEPT, 2)),
  /** A deletion of one of the two columns. */
  CLEAR_FIRST(Columns.of(Columns.NONE, Columns.KEPT)),
  DELETE(Columns.ABSENT),
  /** A change of other columns, by a client that sees what the row has. */
  TOUCH(Columns.of(Columns.KEPT, Columns.KEPT));

  private final int columns;
  private final String begins;

  Operation(int columns) {
    this.columns = columns;
    this.begins = "begins to " + name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  int columns() {
    return columns;
  }

  /** The first step of it, in words. */
  String begins() {
    return begins;
  }

  /** Whether it puts no indexed column. */
  boolean putsNothing() {
    return this == DELETE || this == CLEAR_FIRST || this == TOUCH;
  }

  /** Whether it leaves a column as it is. */
  boolean isPartial() {
    return (columns & 3) == Columns.KEPT || columns >> 2 == Columns.KEPT;
  }
}
