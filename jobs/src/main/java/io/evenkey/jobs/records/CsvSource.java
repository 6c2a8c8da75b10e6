/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Delimited text (RFC 4180, UTF-8, header row), plain, gzip or Zstandard. Read strictly: every
 * record has the columns of the header, no more and no less. Each cursor reads a file again.
 */
public final class CsvSource implements RecordSource {
  private final Input input;
  private final char separator;
  private final List<String> columns;

  /** A stream's, which cannot be opened again: behind its header. */
  private @Nullable Cursor opened;

  private CsvSource(Input input, char separator, List<String> columns, @Nullable Cursor opened) {
    this.input = input;
    this.separator = separator;
    this.columns = columns;
    this.opened = opened;
  }

  /**
   * Opens a CSV file and reads its header.
   *
   * @throws InputException if there is no such file, or its header is not valid
   */
  public static CsvSource of(Path file) throws InputException {
    return of(Input.file(file), ',');
  }

  /**
   * Reads the header of delimited text.
   *
   * @throws InputException if its header is not valid
   */
  public static CsvSource of(Input input, char separator) throws InputException {
    Cursor cursor = new Cursor(input, separator);
    try {
      List<String> columns = header(input, cursor);
      cursor.expected = columns;
      if (input.isRepeatable()) {
        cursor.close();
        return new CsvSource(input, separator, columns, null);
      }
      return new CsvSource(input, separator, columns, cursor);
    } catch (InputException e) {
      cursor.close();
      throw e;
    }
  }

  private static List<String> header(Input input, Cursor cursor) throws InputException {
    if (!cursor.advance()) {
      throw InputException.file(
          input.name(), "empty file", "give a header row and at least one record");
    }
    List<String> columns = new ArrayList<>(cursor.record.getFields());
    checkHeader(input.name(), columns);
    return List.copyOf(columns);
  }

  private static void checkHeader(String file, List<String> columns) throws InputException {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < columns.size(); i++) {
      String name = columns.get(i);
      if (name.isBlank()) {
        throw InputException.line(
            file, 1, "column " + (i + 1) + " has no name", "name it in the header row");
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
  public RecordCursor open() throws InputException {
    Cursor first = opened;
    if (first != null) {
      opened = null;
      return first;
    }
    Cursor cursor = new Cursor(input, separator);
    cursor.expected = columns;
    try {
      cursor.advance();
      return cursor;
    } catch (InputException e) {
      cursor.close();
      throw e;
    }
  }

  private static final class Cursor implements RecordCursor {
    private final Input input;
    private final CsvReader<CsvRecord> reader;
    private final Iterator<CsvRecord> records;
    private List<String> expected = List.of();

    @SuppressWarnings("NullAway.Init") // there is one once next() has said so
    private CsvRecord record;

    Cursor(Input input, char separator) throws InputException {
      this.input = input;
      try {
        Reader text = Utf8.reader(input.open());
        // Field counts are checked here, where the missing column can be named.
        reader =
            CsvReader.builder()
                .fieldSeparator(separator)
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .allowUnclosedQuote(false)
                .ofCsvRecord(text);
        records = reader.iterator();
      } catch (IOException e) {
        throw unreadable(e);
      }
    }

    boolean advance() throws InputException {
      try {
        if (!records.hasNext()) {
          return false;
        }
        record = records.next();
        return true;
      } catch (UncheckedIOException e) {
        throw unreadable(Objects.requireNonNull(e.getCause()));
      } catch (CsvParseException e) {
        throw unreadable(e.getCause() instanceof IOException io ? io : new IOException(e));
      }
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
      Throwable cause = problem.getCause() == null ? problem : problem.getCause();
      return InputException.file(
          input.name(), "not CSV: " + cause.getMessage(), "correct the file");
    }

    @Override
    public boolean next() throws InputException {
      if (!advance()) {
        return false;
      }
      int found = record.getFieldCount();
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
      return true;
    }

    @Override
    public String value(int column) {
      return record.getField(column);
    }

    @Override
    public List<String> columns() {
      return expected;
    }

    @Override
    public long line() {
      return record.getStartingLineNumber();
    }

    @Override
    public void close() throws InputException {
      try {
        reader.close();
      } catch (IOException e) {
        throw unreadable(e);
      }
    }
  }
}
