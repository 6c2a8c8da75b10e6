/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import io.evenkey.client.internal.remedy.Remedy;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Delimited text in UTF-8, plain, gzip or Zstandard, in any {@link Dialect}. Read strictly: every
 * record has the columns of the header, no more and no less. A first line as Excel's {@code sep=;}
 * names the separator and is no header. Each cursor reads a file again.
 */
public final class CsvSource implements RecordSource {
  private static final char[] OTHER_SEPARATORS = {';', '\t', '|'};

  /** A number or a date: the name of hardly any column. */
  private static final Pattern VALUE =
      Pattern.compile(
          "-?[0-9]*[.,]?[0-9]+|[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].*)?|[0-9]{1,2}[./][0-9]{1,2}[./].*");

  private final Input input;
  private final Dialect dialect;
  private final List<String> columns;

  /** A stream's, which cannot be opened again: at its first record. */
  private @Nullable Cursor opened;

  private CsvSource(Input input, Dialect dialect, List<String> columns, @Nullable Cursor opened) {
    this.input = input;
    this.dialect = dialect;
    this.columns = columns;
    this.opened = opened;
  }

  /**
   * Opens a CSV file and reads its header.
   *
   * @throws InputException if there is no such file, or its header is not valid
   */
  public static CsvSource of(Path file) throws InputException {
    return of(Input.file(file), Dialect.CSV);
  }

  /**
   * Reads the header of delimited text.
   *
   * @throws InputException if its header is not valid
   */
  public static CsvSource of(Input input, Dialect dialect) throws InputException {
    Cursor cursor = new Cursor(input, dialect);
    try {
      List<String> columns = header(input, dialect, cursor);
      cursor.expected = columns;
      if (input.isRepeatable()) {
        cursor.close();
        return new CsvSource(input, dialect, columns, null);
      }
      return new CsvSource(input, dialect, columns, cursor);
    } catch (InputException e) {
      cursor.close();
      throw e;
    }
  }

  /**
   * The dialect of CSV: with commas, or where the header has none, with the separator that parts
   * the header and the first record into the same number of values.
   */
  static Dialect dialect(Input input) throws InputException {
    if (!input.isRepeatable() || widths(input, Dialect.CSV).get(0) != 1) {
      return Dialect.CSV;
    }
    for (char separator : OTHER_SEPARATORS) {
      Dialect other = Dialect.CSV.separatedBy(separator);
      List<Integer> widths = widths(input, other);
      if (widths.get(0) > 1 && widths.get(0).equals(widths.get(1))) {
        return other;
      }
    }
    return Dialect.CSV;
  }

  /** The number of values of the first two lines; 0 for a line that cannot be read so. */
  private static List<Integer> widths(Input input, Dialect dialect) throws InputException {
    List<Integer> widths = new ArrayList<>();
    try (Cursor cursor = new Cursor(input, dialect)) {
      for (int line = 0; line < 2; line++) {
        widths.add(cursor.advance() ? cursor.record.fields().size() : 0);
      }
    } catch (InputException e) {
      // The read of the whole input says what is wrong.
      while (widths.size() < 2) {
        widths.add(0);
      }
    }
    return widths;
  }

  private static List<String> header(Input input, Dialect dialect, Cursor cursor)
      throws InputException {
    if (!dialect.header().isEmpty()) {
      return dialect.header();
    }
    if (!cursor.advance()) {
      throw InputException.file(
          input.name(), "empty file", "give a header row and at least one record");
    }
    if (dialect.numbered()) {
      // The first record is one of the data.
      cursor.pushedBack = true;
      List<String> numbers = new ArrayList<>();
      for (int i = 1; i <= cursor.record.fields().size(); i++) {
        numbers.add("c" + i);
      }
      return List.copyOf(numbers);
    }
    checkHeader(input.name(), cursor.record.fields());
    return List.copyOf(cursor.record.fields());
  }

  private static void checkHeader(String file, List<String> columns) throws InputException {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < columns.size(); i++) {
      String name = columns.get(i);
      if (name.isBlank()) {
        throw InputException.line(
            file, 1, "column " + (i + 1) + " has no name", "name it in the header row");
      }
      if (!name.equals(name.strip())) {
        throw InputException.line(
            file,
            1,
            "blanks around the name of a column: column='" + name + "'",
            "remove them, or " + Remedy.TRIM);
      }
      if (!seen.add(name)) {
        throw InputException.line(
            file, 1, "column '" + name + "' stands twice", "give each its own name");
      }
    }
  }

  @Override
  public String name() {
    return input.name();
  }

  @Override
  public List<String> columns() {
    return columns;
  }

  @Override
  public boolean hasDoubtfulHeader() {
    return dialect.header().isEmpty()
        && !dialect.numbered()
        && columns.stream().anyMatch(name -> VALUE.matcher(name).matches());
  }

  @Override
  public boolean hasEmptyText() {
    return dialect.nullText() != null;
  }

  @Override
  public RecordCursor open() throws InputException {
    Cursor first = opened;
    if (first != null) {
      opened = null;
      return first;
    }
    Cursor cursor = new Cursor(input, dialect);
    cursor.expected = columns;
    try {
      if (dialect.header().isEmpty() && !dialect.numbered()) {
        cursor.advance();
      }
      return cursor;
    } catch (InputException e) {
      cursor.close();
      throw e;
    }
  }

  private static final class Cursor implements RecordCursor {
    private static final Pattern LINE = Pattern.compile("\\bline (\\d+)");

    private final Input input;
    private final DelimitedText text;
    private List<String> expected = List.of();
    private boolean pushedBack;
    private DelimitedText.Line record = new DelimitedText.Line(List.of(), 0);

    Cursor(Input input, Dialect dialect) throws InputException {
      this.input = input;
      try {
        text = DelimitedText.of(dialect, Utf8.reader(input.open()));
      } catch (IOException e) {
        throw unreadable(e);
      }
    }

    boolean advance() throws InputException {
      if (pushedBack) {
        pushedBack = false;
        return true;
      }
      try {
        DelimitedText.Line next = text.next();
        if (next == null) {
          return false;
        }
        record = next;
        return true;
      } catch (IOException e) {
        throw unreadable(e);
      }
    }

    /** The library's message, which is spread over several exceptions. */
    private static String reason(Throwable problem) {
      Throwable cause = problem.getCause();
      String own = String.valueOf(problem.getMessage());
      if (cause == null) {
        return own;
      }
      // An exception without a message of its own has its cause's.
      return own.contains(String.valueOf(cause.getMessage()))
          ? reason(cause)
          : own + ": " + reason(cause);
    }

    private InputException unreadable(IOException problem) {
      if (problem instanceof InputException known) {
        return known;
      }
      if (problem instanceof CharacterCodingException) {
        try {
          return input.isRepeatable()
              ? Utf8.complaint(input)
              : InputException.file(input.name(), "not UTF-8", "give UTF-8");
        } catch (IOException e) {
          return InputException.file(input.name(), "cannot be read", "try again");
        }
      }
      String reason = reason(problem);
      Matcher line = LINE.matcher(reason);
      return line.find()
          ? InputException.line(
              input.name(),
              Long.parseLong(line.group(1)),
              "not CSV: " + reason,
              "correct the record")
          : InputException.file(input.name(), "not CSV: " + reason, "correct the file");
    }

    @Override
    public boolean next() throws InputException {
      if (!advance()) {
        return false;
      }
      int found = record.fields().size();
      if (found != expected.size()) {
        String problem = "record of " + found + " fields, the header has " + expected.size();
        throw InputException.record(
            input.name(),
            line(),
            found < expected.size()
                ? problem + " (column " + expected.get(found) + " is missing)"
                : problem,
            "a value with a comma, a quote or a line break goes between double quotes");
      }
      if (found > 1 && record.fields().equals(expected)) {
        throw InputException.record(
            input.name(),
            line(),
            "the header again, as in files that were joined",
            "remove the line");
      }
      return true;
    }

    @Override
    public String value(int column) {
      return record.fields().get(column);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // NONE is no text
    public boolean has(int column) {
      return record.fields().get(column) != DelimitedText.NONE;
    }

    @Override
    public List<String> columns() {
      return expected;
    }

    @Override
    public long line() {
      return record.line();
    }

    @Override
    public void close() throws InputException {
      try {
        text.close();
      } catch (IOException e) {
        throw unreadable(e);
      }
    }
  }
}
