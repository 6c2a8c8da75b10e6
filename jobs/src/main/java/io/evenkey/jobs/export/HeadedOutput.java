/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.export;

import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.query.Row;
import io.evenkey.jobs.query.RowColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A format whose columns are written before the rows. They are those that are known at the
 * beginning and those of the first {@value #SEEN} rows; a column that first comes later has no
 * place any more, and is refused, not left out.
 */
abstract class HeadedOutput implements RowOutput {
  /** The number of rows that are read for the columns. */
  private static final int SEEN = 10_000;

  private final Map<String, RowColumn> columns = new LinkedHashMap<>();
  private final Map<String, Integer> indexes = new HashMap<>();
  private List<Row> first = new ArrayList<>();
  private boolean headWritten;

  HeadedOutput(List<RowColumn> known) {
    known.forEach(column -> columns.put(column.name(), column));
  }

  /** Writes the columns. */
  abstract void writeHead(List<RowColumn> columns) throws IOException;

  /**
   * Writes a row.
   *
   * @param row the whole row, for messages
   * @param values by column; null where the row has none
   */
  abstract void writeRow(Row row, Row.@Nullable Entry[] values) throws IOException;

  /** Writes the end, and closes the output. */
  abstract void end() throws IOException;

  @Override
  public final void write(Row row) throws IOException {
    if (headWritten) {
      writeNow(row);
      return;
    }
    for (Row.Entry entry : row.entries()) {
      columns.computeIfAbsent(entry.name(), name -> new RowColumn(name, entry.type()));
    }
    first.add(row);
    if (first.size() == SEEN) {
      writeFirst();
    }
  }

  private void writeFirst() throws IOException {
    headWritten = true;
    for (String name : columns.keySet()) {
      indexes.put(name, indexes.size());
    }
    writeHead(List.copyOf(columns.values()));
    for (Row row : first) {
      writeNow(row);
    }
    first = List.of();
  }

  private void writeNow(Row row) throws IOException {
    Row.@Nullable Entry[] values = new Row.@Nullable Entry[indexes.size()];
    for (Row.Entry entry : row.entries()) {
      Integer index = indexes.get(entry.name());
      if (index == null) {
        throw FileRows.refused(
            row,
            entry.name(),
            "column that is not in the header, since no row among the first " + SEEN + " has it",
            entry.text(),
            Remedy.NAME_COLUMNS + ", or write ndjson");
      }
      values[index] = entry;
    }
    writeRow(row, values);
  }

  /**
   * The value of an entry, of its column's type.
   *
   * @throws IOException if the stored bytes are of another
   */
  static @Nullable Object value(Row row, RowColumn column, Row.@Nullable Entry entry)
      throws IOException {
    if (entry == null || entry.value() == null) {
      return null;
    }
    try {
      return column.type().parse(entry.text());
    } catch (IllegalArgumentException e) {
      throw FileRows.refused(
          row,
          column.name(),
          "value that is not of type " + column.type(),
          entry.text(),
          Remedy.NAME_COLUMNS + ", this one with its own type or as bytes");
    }
  }

  @Override
  public final void close() throws IOException {
    try {
      if (!headWritten) {
        writeFirst();
      }
    } finally {
      end();
    }
  }
}
