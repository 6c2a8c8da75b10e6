/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.failure.FailureCode;
import io.evenkey.layout.message.FailureMessage;
import io.evenkey.layout.message.Suggestion;

/**
 * Input that cannot be used. The message is one line: what, where (file, line, column), what to do.
 */
public final class InputException extends EvenkeyException {
  private static final long serialVersionUID = 1L;

  private final long line;
  private final String column;
  private final String problem;

  private InputException(String message) {
    this(message, 0, "", message);
  }

  private InputException(String message, long line, String column, String problem) {
    super(FailureCode.INPUT, null, message, null);
    this.line = line;
    this.column = column;
    this.problem = problem;
  }

  /** Whether only one record is wrong, and those after it can still be read. */
  public boolean isOfOneRecord() {
    return line > 0;
  }

  /** The line at which the record begins that is wrong, or 0 if it is more than one record. */
  public long line() {
    return line;
  }

  /** The column of the value that is wrong, or empty. */
  public String column() {
    return column;
  }

  /** The error, without its place. */
  public String problem() {
    return problem;
  }

  /** A record that is none; those after it can still be read. */
  static InputException record(String file, long line, String problem, String remedy) {
    return new InputException(
        FailureMessage.of(problem).with("file", file).with("line", line).remedy(remedy),
        line,
        "",
        problem);
  }

  /** A file that cannot be used as a whole. */
  public static InputException file(String file, String problem, String remedy) {
    return new InputException(FailureMessage.of(problem).with("file", file).remedy(remedy));
  }

  /** A place in a file that cannot be used. */
  static InputException line(String file, long line, String problem, String remedy) {
    return new InputException(
        FailureMessage.of(problem).with("file", file).with("line", line).remedy(remedy));
  }

  /** A value that cannot be used, at the current record of {@code cursor}. */
  public static InputException value(
      RecordSource source, RecordCursor cursor, String column, String problem) {
    return new InputException(
        FailureMessage.of(problem)
            .with("file", source.name())
            .with("line", cursor.line())
            .with("column", column)
            .toString(),
        cursor.line(),
        column,
        problem);
  }

  /** A source without a single record. */
  public static InputException empty(RecordSource source) {
    return file(source.name(), "no records", "give at least one line after the header");
  }

  static InputException missingColumn(RecordSource source, String column) {
    return new InputException(
        FailureMessage.of("no such column" + Suggestion.hint(column, source.columns()))
            .with("file", source.name())
            .with("line", 1)
            .with("column", column)
            .remedy(
                "it has "
                    + (source.columns().isEmpty()
                        ? "no column"
                        : Suggestion.listed(source.columns()))));
  }
}
