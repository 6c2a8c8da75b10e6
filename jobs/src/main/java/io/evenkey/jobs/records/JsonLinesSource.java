/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.BufferedReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One JSON object a line, UTF-8, plain, gzip or Zstandard. Every record names its own columns; a
 * {@code null} is none. Numbers, arrays and objects are taken as they are written. A record that
 * names a column twice is refused. Each cursor reads a file again.
 */
final class JsonLinesSource implements RecordSource {
  private final Input input;
  private final List<String> columns;
  private @Nullable Cursor opened;

  private JsonLinesSource(Input input, List<String> columns, @Nullable Cursor opened) {
    this.input = input;
    this.columns = columns;
    this.opened = opened;
  }

  /**
   * Reads the first line.
   *
   * @throws InputException if it is not a JSON object
   */
  static JsonLinesSource of(Input input) throws InputException {
    Cursor cursor = new Cursor(input);
    try {
      if (!cursor.next()) {
        throw InputException.file(input.name(), "empty file", "give at least one record");
      }
      List<String> columns = List.copyOf(cursor.columns);
      cursor.pushBack = true;
      if (input.isRepeatable()) {
        cursor.close();
        return new JsonLinesSource(input, columns, null);
      }
      return new JsonLinesSource(input, columns, cursor);
    } catch (InputException e) {
      cursor.close();
      throw e;
    }
  }

  @Override
  public String name() {
    return input.name();
  }

  /** The columns of the first record; others may have more. */
  @Override
  public List<String> columns() {
    return columns;
  }

  @Override
  public boolean hasFixedColumns() {
    return false;
  }

  @Override
  public boolean hasEmptyText() {
    return true;
  }

  @Override
  public RecordCursor open() throws InputException {
    Cursor first = opened;
    if (first != null) {
      opened = null;
      return first;
    }
    Cursor cursor = new Cursor(input);
    // The same numbers for the same columns, every time.
    columns.forEach(cursor::indexOf);
    return cursor;
  }

  private static final class Cursor implements RecordCursor {
    private static final JsonFactory JSON =
        JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(
                StreamReadConstraints.builder().maxStringLength(DelimitedText.LONGEST).build())
            .build();

    private static final int MOST_ZEROS = 400;

    private final Input input;
    private final BufferedReader reader;
    private final List<String> columns = new ArrayList<>();
    private final Map<String, Integer> indexes = new HashMap<>();
    private final List<@Nullable String> values = new ArrayList<>();
    private long line;
    private boolean pushBack;

    Cursor(Input input) throws InputException {
      this.input = input;
      try {
        reader = Utf8.reader(input.open());
      } catch (IOException e) {
        throw unreadable(e);
      }
    }

    private int indexOf(String column) {
      Integer index = indexes.get(column);
      if (index == null) {
        index = columns.size();
        indexes.put(column, index);
        columns.add(column);
        values.add(null);
      }
      return index;
    }

    @Override
    public boolean next() throws InputException {
      if (pushBack) {
        pushBack = false;
        return true;
      }
      String text;
      do {
        try {
          text = reader.readLine();
        } catch (IOException e) {
          throw unreadable(e);
        }
        line++;
        if (text == null) {
          return false;
        }
      } while (text.isBlank());
      values.replaceAll(value -> null);
      read(text);
      return true;
    }

    private void read(String text) throws InputException {
      try (JsonParser json = JSON.createParser(text)) {
        if (json.nextToken() != JsonToken.START_OBJECT) {
          throw InputException.record(input.name(), line, "not a JSON object", "one object a line");
        }
        while (json.nextToken() == JsonToken.FIELD_NAME) {
          String column = json.currentName();
          if (json.nextToken() != JsonToken.VALUE_NULL) {
            values.set(indexOf(column), value(text, json));
          }
        }
        if (json.nextToken() != null) {
          throw InputException.record(
              input.name(), line, "more than one JSON object", "one object a line");
        }
      } catch (JsonProcessingException e) {
        throw InputException.record(
            input.name(),
            line,
            LibraryWords.after("not JSON", e.getOriginalMessage()),
            "one object a line");
      } catch (InputException e) {
        throw e;
      } catch (IOException e) {
        throw unreadable(e);
      }
    }

    /** The current value as it is written in {@code text}; numbers without an exponent. */
    private static String value(String text, JsonParser json) throws IOException {
      if (json.currentToken().isStructStart()) {
        int start = (int) json.currentTokenLocation().getCharOffset();
        json.skipChildren();
        return text.substring(start, (int) json.currentLocation().getCharOffset());
      }
      String written = json.getText();
      if (!json.currentToken().isNumeric()) {
        return written;
      }
      BigDecimal number;
      try {
        number = new BigDecimal(written);
      } catch (NumberFormatException e) {
        // JSON has no largest exponent.
        return written;
      }
      // Only text has a negative zero. 1e999999999 is short as long as it is not written out.
      return number.signum() == 0 && written.startsWith("-")
              || Math.abs((long) number.scale()) > MOST_ZEROS
          ? written
          : number.toPlainString();
    }

    private InputException unreadable(IOException problem) {
      if (problem instanceof InputException known) {
        return known;
      }
      return InputException.file(
          input.name(),
          problem instanceof CharacterCodingException
              ? "not UTF-8, after line " + line
              : "cannot be read after line " + line + ": " + problem.getMessage(),
          "correct the file");
    }

    @Override
    public boolean has(int column) {
      return column < values.size() && values.get(column) != null;
    }

    @Override
    public String value(int column) {
      String value = column < values.size() ? values.get(column) : null;
      return value == null ? "" : value;
    }

    @Override
    public List<String> columns() {
      return columns;
    }

    @Override
    public long line() {
      return line;
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
