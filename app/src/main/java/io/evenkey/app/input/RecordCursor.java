package io.evenkey.app.input;

/** Goes through records one by one. Not thread-safe. */
public interface RecordCursor extends AutoCloseable {
  /**
   * Moves to the next record, or says that there is none.
   *
   * @throws InputException if what comes next is not a record
   */
  boolean next() throws InputException;

  /** The text of the current record in a column, counted from 0. */
  String value(int column);

  /** The line at which the current record begins, or its number, counted from 1. */
  long line();

  @Override
  void close() throws InputException;
}
