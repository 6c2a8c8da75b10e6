/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import java.util.List;

/** Goes through records one by one. Not thread-safe. */
public interface RecordCursor extends AutoCloseable {
  /**
   * Moves to the next record, or says that there is none.
   *
   * @throws InputException if what comes next is not a record; if it {@linkplain
   *     InputException#isOfOneRecord is of one record}, this can go on behind it
   */
  boolean next() throws InputException;

  /** The text of the current record in a column, counted from 0. */
  String value(int column);

  /**
   * Returns a {@link #value} that is a whole number; for a time in a file with a schema, the file's
   * number.
   */
  default String number(int column) {
    return value(column);
  }

  /** Whether the current record has a value in a column; one of a CSV file has in every column. */
  default boolean has(int column) {
    return true;
  }

  /**
   * The columns that records had up to now, in the order in which they were met first; those of the
   * source, unless its records name their own.
   */
  List<String> columns();

  /** The line at which the current record begins, or its number, counted from 1. */
  long line();

  @Override
  void close() throws InputException;
}
