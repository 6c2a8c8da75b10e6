/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import io.evenkey.client.cell.CellType;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.layout.message.FailureMessage;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Records of a file that has a schema, which gives the columns and their types. A value that is
 * null is none, and empty text is a value. Each cursor reads a file again.
 *
 * @param <V> the record of the format's library
 */
final class TypedSource<V> implements RecordSource {
  private final Input input;
  private final TypedRecords.Opener<V> opener;
  private final List<TypedColumn<V>> columns;
  private final List<String> names;

  /** A stream's, which cannot be opened again. */
  private @Nullable TypedRecords<V> opened;

  private TypedSource(
      Input input,
      TypedRecords.Opener<V> opener,
      List<TypedColumn<V>> columns,
      @Nullable TypedRecords<V> opened) {
    this.input = input;
    this.opener = opener;
    this.columns = columns;
    this.names = columns.stream().map(TypedColumn::name).toList();
    this.opened = opened;
  }

  /**
   * Reads the schema of an input.
   *
   * @throws InputException if it is not of the opener's format
   */
  static <V> TypedSource<V> of(Input input, TypedRecords.Opener<V> opener) throws InputException {
    TypedRecords<V> records = opener.open(input, null);
    List<TypedColumn<V>> columns = List.copyOf(records.columns());
    if (!input.isRepeatable()) {
      return new TypedSource<>(input, opener, columns, records);
    }
    try {
      records.close();
    } catch (IOException e) {
      throw unreadable(input, 0, e);
    }
    return new TypedSource<>(input, opener, columns, null);
  }

  private static InputException unreadable(Input input, long record, Exception e) {
    return e instanceof InputException known
        ? known
        : InputException.file(
            input.name(),
            LibraryWords.after("cannot be read after record " + record, e.getMessage()),
            "the file is damaged or not complete; write it again");
  }

  @Override
  public String name() {
    return input.name();
  }

  @Override
  public List<String> columns() {
    return names;
  }

  @Override
  public CellType type(String column) throws InputException {
    TypedColumn<V> found = columns.get(column(column));
    String problem = found.problem();
    if (problem != null) {
      throw InputException.file(
          input.name() + " column=" + column,
          problem,
          "write it as columns of single values, or " + Remedy.NAME_COLUMNS + " to load");
    }
    return found.type();
  }

  @Override
  public boolean hasEmptyText() {
    return true;
  }

  @Override
  public RecordCursor open() throws InputException {
    return cursor(null);
  }

  @Override
  public RecordCursor open(Set<String> wanted) throws InputException {
    return cursor(wanted);
  }

  private RecordCursor cursor(@Nullable Set<String> wanted) throws InputException {
    TypedRecords<V> first = opened;
    opened = null;
    return new Cursor(first == null ? opener.open(input, wanted) : first, wanted);
  }

  private final class Cursor implements RecordCursor {
    private final TypedRecords<V> records;
    private final List<TypedColumn<V>> read;
    private final @Nullable Set<String> wanted;
    private final @Nullable String[] values = new @Nullable String[columns.size()];
    private @Nullable V current;
    private long number;

    Cursor(TypedRecords<V> records, @Nullable Set<String> wanted) {
      this.records = records;
      this.read = records.columns();
      this.wanted = wanted;
    }

    @Override
    public boolean next() throws InputException {
      V record;
      try {
        record = records.next();
      } catch (IOException | RuntimeException e) {
        throw unreadable(input, number, e);
      }
      current = record;
      Arrays.fill(values, null);
      if (record == null) {
        return false;
      }
      number++;
      for (int i = 0; i < values.length; i++) {
        TypedColumn<V> column = read.get(i);
        if (wanted == null || wanted.contains(column.name())) {
          values[i] = read(column, column.text(), record);
        }
      }
      return true;
    }

    private @Nullable String read(TypedColumn<V> column, TypedColumn.Reading<V> reading, V record)
        throws InputException {
      try {
        return reading.of(record);
      } catch (IOException | RuntimeException e) {
        throw InputException.value(TypedSource.this, this, column.name(), FailureMessage.reason(e));
      }
    }

    @Override
    public boolean has(int column) {
      return column < values.length && values[column] != null;
    }

    @Override
    public String value(int column) {
      return Objects.requireNonNullElse(values[column], "");
    }

    @Override
    public String number(int column) {
      V record = current;
      try {
        String number = record == null ? null : read.get(column).number().of(record);
        return Objects.requireNonNullElse(number, "");
      } catch (IOException e) {
        // It was read as text before.
        throw new IllegalStateException(e);
      }
    }

    @Override
    public List<String> columns() {
      return names;
    }

    @Override
    public long line() {
      return number;
    }

    @Override
    public void close() throws InputException {
      try {
        records.close();
      } catch (IOException | RuntimeException e) {
        throw unreadable(input, number, e);
      }
    }
  }
}
