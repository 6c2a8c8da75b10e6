package io.evenkey.app.input;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.EOFException;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.zip.ZipException;

/**
 * A CSV file (RFC 4180, comma, UTF-8, header row), plain, gzip or Zstandard. Read strictly: every
 * record has the columns of the header, no more and no less. Thread-safe; each cursor reads the
 * file anew.
 */
public final class CsvSource implements RecordSource {
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final Path file;
  private final List<String> columns;

  private CsvSource(Path file, List<String> columns) {
    this.file = file;
    this.columns = columns;
  }

  /**
   * Opens a file and reads its header.
   *
   * @throws InputException if there is no such file, or its header is no header
   */
  public static CsvSource of(Path file) throws InputException {
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw InputException.file(
          file.toString(),
          Files.isDirectory(file) ? "a directory, not a file" : "no such file, or not readable",
          "name a CSV file with a header row");
    }
    List<String> columns;
    try (Cursor header = new Cursor(file)) {
      if (!header.advance()) {
        throw InputException.file(
            file.toString(), "empty file", "give a header row and at least one record");
      }
      columns = new ArrayList<>(header.record.getFields());
    }
    if (columns.get(0).startsWith(String.valueOf(BYTE_ORDER_MARK))) {
      columns.set(0, columns.get(0).substring(1));
    }
    checkHeader(file, columns);
    return new CsvSource(file, List.copyOf(columns));
  }

  private static void checkHeader(Path file, List<String> columns) throws InputException {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < columns.size(); i++) {
      String name = columns.get(i);
      if (name.isBlank()) {
        throw InputException.line(
            file.toString(), 1, "column " + (i + 1) + " has no name", "name it in the header row");
      }
      if (!seen.add(name)) {
        throw InputException.line(
            file.toString(), 1, "column '" + name + "' stands twice", "give each its own name");
      }
    }
  }

  @Override
  public String name() {
    return file.toString();
  }

  @Override
  public List<String> columns() {
    return columns;
  }

  @Override
  public RecordCursor open() throws InputException {
    Cursor cursor = new Cursor(file);
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
    private final Path file;
    private final CsvReader<CsvRecord> reader;
    private final Iterator<CsvRecord> records;
    private List<String> expected = List.of();

    @SuppressWarnings("NullAway.Init") // there is one once next() has said so
    private CsvRecord record;

    Cursor(Path file) throws InputException {
      this.file = file;
      try {
        Reader text = Utf8.reader(Compression.open(file));
        // Field counts are checked here, where the missing column can be named.
        reader =
            CsvReader.builder()
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
      if (problem instanceof CharacterCodingException) {
        try {
          return Utf8.complaint(file);
        } catch (IOException e) {
          return InputException.file(file.toString(), "cannot be read", "try again");
        }
      }
      if (problem instanceof ZipException || problem instanceof EOFException) {
        return InputException.file(
            file.toString(), "compressed file is damaged or cut short", "copy it again");
      }
      Throwable cause = problem.getCause() == null ? problem : problem.getCause();
      return InputException.file(
          file.toString(), "not CSV: " + cause.getMessage(), "mend the file");
    }

    @Override
    public boolean next() throws InputException {
      if (!advance()) {
        return false;
      }
      int found = record.getFieldCount();
      if (found != expected.size()) {
        String problem = "record of " + found + " fields, the header has " + expected.size();
        throw InputException.line(
            file.toString(),
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
