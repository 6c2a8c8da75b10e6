/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.export;

import io.evenkey.client.cell.CellColumn;
import io.evenkey.jobs.query.Row;
import io.evenkey.jobs.query.Rows;
import io.evenkey.jobs.records.Format;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.jspecify.annotations.Nullable;

/**
 * Rows as JSON objects: those that an export in JSON lines writes, and an import reads again. Not
 * thread-safe.
 */
public final class RowObjects {
  private final FileRows all;
  private final List<CellColumn> columns;
  private final Map<String, String> named = new HashMap<>();

  private RowObjects(FileRows all, FileRows asked, List<CellColumn> columns) {
    this.all = all;
    this.columns = List.copyOf(columns);
    columns.forEach(column -> named.put(column.name(), asked.name(column)));
  }

  /**
   * The objects of rows.
   *
   * @param families the number of families of the table, or 0 if that is not known
   * @param columns the columns that were asked for; all if there are none
   * @throws IOException if two columns have one name
   */
  public static RowObjects of(int families, Rows rows, List<CellColumn> columns)
      throws IOException {
    FileFormat format = FileFormat.of(Format.NDJSON);
    return new RowObjects(
        new FileRows(format, families, rows.fields(), List.of()),
        new FileRows(format, families, rows.fields(), columns),
        columns);
  }

  /**
   * A row's object: each field and column with a value that JSON has, or its text.
   *
   * @throws IOException if a column has the name of a field
   */
  public Map<String, @Nullable Object> of(Row row) throws IOException {
    return columns.isEmpty() ? object(all.row(row)) : asked(row);
  }

  /**
   * As {@link #of}, with the other columns too.
   *
   * @throws IOException if a column has the name of a field
   */
  public Map<String, @Nullable Object> whole(Row row) throws IOException {
    List<Cell> others =
        row.cells().stream()
            .filter(cell -> columns.stream().noneMatch(column -> isOf(cell, column)))
            .toList();
    Map<String, @Nullable Object> object =
        object(all.row(new Row(row.entries(), row.fields(), row.timestamp(), others)));
    object.putAll(asked(row));
    return object;
  }

  private static boolean isOf(Cell cell, CellColumn column) {
    return CellUtil.matchingColumn(cell, column.familyBytes(), column.qualifierBytes());
  }

  // A value that is not of the type that was asked for is shown, where a file would refuse it.
  private Map<String, @Nullable Object> asked(Row row) {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    row.entries()
        .forEach(
            entry -> object.put(named.getOrDefault(entry.name(), entry.name()), entry.value()));
    return object;
  }

  static Map<String, @Nullable Object> object(Row row) {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    row.entries().forEach(entry -> object.put(entry.name(), entry.value()));
    return object;
  }
}
