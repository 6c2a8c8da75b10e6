/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.query;

import io.evenkey.client.cell.CellColumn;
import io.evenkey.client.cell.CellType;
import io.evenkey.jobs.records.CellName;
import io.evenkey.layout.Values;
import io.evenkey.layout.field.Field;
import io.evenkey.protocol.index.ColumnName;
import io.evenkey.protocol.index.IndexColumn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * The presentation of a table's rows. A column without a name is called by its qualifier; by family
 * and qualifier where that is the name of something else. A column that an index has as a field is
 * shown once: as the field, unless it was asked for. Not thread-safe.
 */
final class RowShape {
  private final List<Field> fields;
  private final List<IndexColumn> indexed;
  private final List<CellColumn> columns;
  private final Map<String, CellColumn> met = new HashMap<>();
  private final Set<String> taken = new HashSet<>();

  private RowShape(List<Field> fields, List<IndexColumn> indexed, List<CellColumn> columns) {
    this.fields = fields;
    this.indexed = indexed;
    this.columns = columns;
    fields.forEach(field -> taken.add(field.name()));
  }

  /**
   * The shape of rows.
   *
   * @param fields the fields that they have values of
   * @param indexed those of them that are taken from columns
   * @param columns the columns to show; all if there are none
   */
  static RowShape of(List<Field> fields, List<IndexColumn> indexed, List<CellColumn> columns) {
    Set<String> asked =
        indexed.stream()
            .filter(field -> columns.stream().anyMatch(column -> isOf(field, column)))
            .map(IndexColumn::field)
            .collect(Collectors.toSet());
    List<Field> shown = fields.stream().filter(field -> !asked.contains(field.name())).toList();
    return new RowShape(shown, indexed, columns);
  }

  private static boolean isOf(IndexColumn field, CellColumn column) {
    return field.column().family().equals(column.family())
        && field.column().qualifier().equals(column.qualifier());
  }

  /** The fields of the key, but those that are columns of the table. */
  List<RowColumn> known() {
    Set<String> taken = indexed.stream().map(IndexColumn::field).collect(Collectors.toSet());
    return fields.stream()
        .filter(field -> !taken.contains(field.name()))
        .map(field -> new RowColumn(field.name(), ValueType.of(field.type())))
        .toList();
  }

  Row row(Values key, Result result) {
    List<Row.Entry> entries = new ArrayList<>();
    for (Field field : fields) {
      entries.add(Row.Entry.of(field, key.get(field.name())));
    }
    if (columns.isEmpty()) {
      for (Cell cell : result.rawCells()) {
        // One without a name and value only keeps a row from being empty.
        boolean isMark = cell.getQualifierLength() == 0 && cell.getValueLength() == 0;
        if (!isMark && !isField(cell)) {
          add(entries, column(cell), CellUtil.cloneValue(cell));
        }
      }
    } else {
      for (CellColumn column : columns) {
        add(entries, column, result.getValue(column.familyBytes(), column.qualifierBytes()));
      }
    }
    long newest = 0;
    for (Cell cell : result.rawCells()) {
      newest = Math.max(newest, cell.getTimestamp());
    }
    return new Row(entries, fields.size(), newest, List.of(result.rawCells()));
  }

  private boolean isField(Cell cell) {
    for (IndexColumn field : indexed) {
      ColumnName column = field.column();
      if (CellUtil.matchingColumn(cell, column.familyBytes(), column.qualifierBytes())) {
        return true;
      }
    }
    return false;
  }

  private static void add(List<Row.Entry> entries, CellColumn column, byte @Nullable [] bytes) {
    Object value = column.shown(bytes);
    if (value != null) {
      entries.add(
          new Row.Entry(
              column.name(),
              value,
              value.toString(),
              value.toString(),
              ValueType.of(column.type())));
    }
  }

  private CellColumn column(Cell cell) {
    String family = CellName.text(CellUtil.cloneFamily(cell));
    String qualifier = CellName.text(CellUtil.cloneQualifier(cell));
    String whole = family + ":" + qualifier;
    CellColumn known = met.get(whole);
    if (known == null) {
      String name = taken.add(qualifier) ? qualifier : whole;
      known = new CellColumn(family, qualifier, name, CellType.STRING);
      met.put(whole, known);
    }
    return known;
  }
}
