/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.export;

import io.evenkey.client.cell.CellColumn;
import io.evenkey.client.cell.CellType;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.query.Row;
import io.evenkey.jobs.query.RowColumn;
import io.evenkey.jobs.query.ValueType;
import io.evenkey.jobs.records.CellName;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.message.FailureMessage;
import io.evenkey.layout.message.Quoted;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;

/**
 * Rows as a file has them: with names and texts that an import reads as equal cells. A cell of
 * which there are none is refused. Not thread-safe.
 *
 * <p>A column is called by its qualifier, if the table has one family and an import takes this name
 * for the same column; otherwise by its whole {@link CellName}. Values are text, or hexadecimal
 * digits under a name that says so. Columns that were asked for have the names and types that were
 * given.
 */
final class FileRows {
  private static final int SHOWN = 60;

  private final FileFormat format;
  private final boolean oneFamily;
  private final List<RowColumn> fields;
  private final Set<String> fieldNames;
  private final Map<String, CellColumn> asked = new LinkedHashMap<>();
  private final Map<String, String> names = new HashMap<>();

  /**
   * Rows for a file.
   *
   * @param families the number of families of the table, or 0 if that is not known
   * @param fields the fields of the key
   * @param named the columns that were asked for; all if there are none
   * @throws IOException if two columns have one name, or one has a name that the format cannot have
   */
  FileRows(FileFormat format, int families, List<RowColumn> fields, List<CellColumn> named)
      throws IOException {
    this.format = format;
    this.oneFamily = families == 1;
    this.fields = fields;
    this.fieldNames = fields.stream().map(RowColumn::name).collect(Collectors.toSet());
    for (CellColumn column : named) {
      if (asked.put(name(column), column) != null || fieldNames.contains(name(column))) {
        throw new EvenkeyException(
            FailureMessage.of("two columns of one name")
                .with("column", name(column))
                .remedy("give each its own"));
      }
    }
    for (RowColumn column : known()) {
      check(column.name());
    }
  }

  /** The columns that are known before the first row. */
  List<RowColumn> known() {
    List<RowColumn> known = new ArrayList<>(fields);
    asked.forEach((name, column) -> known.add(new RowColumn(name, ValueType.of(column.type()))));
    return known;
  }

  private void check(String name) throws IOException {
    boolean hasHeader = format.isDelimited();
    if (hasHeader && !name.equals(name.strip())) {
      throw new EvenkeyException(
          FailureMessage.of(
                  "blanks around the name of a column, which " + format.format() + " cannot have")
              .with("column", Quoted.literal(name))
              .remedy("write ndjson or parquet"));
    }
  }

  /** A name that was given is kept; one that was not tells the type, if the format does not. */
  String name(CellColumn column) {
    if (!column.name().equals(column.family() + ":" + column.qualifier())) {
      return column.name();
    }
    boolean isTold = format.hasCells(column.type());
    return new CellName(
            column.familyBytes(), column.qualifierBytes(), isTold ? null : column.type())
        .text();
  }

  /**
   * A row for the file.
   *
   * @throws IOException if an import of the file would not give the row's cells
   */
  Row row(Row row) throws IOException {
    List<Row.Entry> entries = new ArrayList<>();
    for (Row.Entry entry : row.entries().subList(0, row.fields())) {
      if (fieldNames.contains(entry.name())) {
        if (entry.value() == null && format.isDelimited() && format.nullText() == null) {
          throw refused(
              row, entry.name(), "field without a value", "", Remedy.NAME_NULL.toString());
        }
        entries.add(entry);
      }
    }
    if (asked.isEmpty()) {
      for (Cell cell : row.cells()) {
        // An import writes such a cell by itself for a record without a value.
        boolean isMark = cell.getQualifierLength() == 0 && cell.getValueLength() == 0;
        if (!(isMark && oneFamily && row.cells().size() == 1)) {
          entries.add(entry(row, cell));
        }
      }
    } else {
      for (Map.Entry<String, CellColumn> column : asked.entrySet()) {
        for (Cell cell : row.cells()) {
          if (CellUtil.matchingColumn(
              cell, column.getValue().familyBytes(), column.getValue().qualifierBytes())) {
            entries.add(entry(row, column.getKey(), column.getValue().type(), cell));
          }
        }
      }
    }
    return new Row(entries, fields.size(), row.timestamp(), List.of());
  }

  private Row.Entry entry(Row row, Cell cell) throws IOException {
    byte[] value = CellUtil.cloneValue(cell);
    CellType type = isText(value) ? CellType.STRING : CellType.BYTES;
    CellName whole =
        new CellName(
            CellUtil.cloneFamily(cell),
            CellUtil.cloneQualifier(cell),
            type == CellType.STRING ? null : type);
    String text = whole.text();
    String name = names.get(text);
    if (name == null) {
      String plain = CellName.text(whole.qualifier());
      name = oneFamily && whole.isPlain() && !fieldNames.contains(plain) ? plain : text;
      if (fieldNames.contains(name)) {
        name = whole.escaped();
      }
      if (fieldNames.contains(name)) {
        throw refused(
            row,
            name,
            "column with the name of a field",
            shown(cell),
            Remedy.NAME_COLUMNS + " and this one otherwise");
      }
      names.put(text, name);
    }
    return entry(row, name, type, cell);
  }

  /** Zero bytes are in numbers, hardly ever in text. */
  private static boolean isText(byte[] value) {
    for (byte b : value) {
      if (b == 0) {
        return false;
      }
    }
    try {
      CellType.STRING.decode(value);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private Row.Entry entry(Row row, String name, CellType type, Cell cell) throws IOException {
    byte[] value = CellUtil.cloneValue(cell);
    Object decoded;
    try {
      decoded = type.decode(value);
    } catch (IllegalArgumentException e) {
      throw refused(row, name, "value that is not of type " + type, shown(cell), asBytes(name));
    }
    String text = decoded.toString();
    if (type != CellType.STRING && !Arrays.equals(type.encode(text), value)) {
      throw refused(
          row,
          name,
          "value with other bytes than " + text + " of type " + type,
          shown(cell),
          asBytes(name));
    }
    if (text.isEmpty() && format.isDelimited() && format.nullText() == null) {
      throw refused(
          row,
          name,
          "empty value, which " + format.format() + " does not tell from none",
          "",
          Remedy.NAME_NULL + ", here and in the import; or write ndjson, parquet or avro");
    }
    // JSON's numbers have no exponent when they are read as text.
    boolean isExponent = decoded instanceof BigDecimal && text.contains("E");
    return new Row.Entry(name, isExponent ? text : decoded, text, text, ValueType.of(type));
  }

  private static String asBytes(String name) {
    return "read it as bytes: column=" + name + ":bytes";
  }

  private static String shown(Cell cell) {
    return "0x" + ByteText.hex(CellUtil.cloneValue(cell));
  }

  /** The refusal of a cell: of which row and column, with its value. */
  static IOException refused(Row row, String name, String problem, String value, String remedy) {
    String shown = value.length() > SHOWN ? value.substring(0, SHOWN) + "…" : value;
    return new EvenkeyException(
        FailureMessage.of(problem)
            .with("row", row.key())
            .with("column", Quoted.name(name))
            .with("value", value.startsWith("0x") ? shown : Quoted.literal(shown))
            .remedy(remedy));
  }
}
