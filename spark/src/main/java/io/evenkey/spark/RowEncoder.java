/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import io.evenkey.client.cell.CellColumn;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.ValueException;
import io.evenkey.spark.TableColumns.CellField;
import io.evenkey.spark.TableColumns.KeyField;
import io.evenkey.spark.TableColumns.Source;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/** Makes HBase's rows of Spark's. Immutable. */
final class RowEncoder {
  private static final byte[] EMPTY = {};

  private final Layout layout;
  private final List<Source> sources;
  private final List<Target> targets;
  private final byte[] anyFamily;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Target(
      int ordinal, CellField field, CellColumn column, byte[] family, byte[] qualifier) {
    static Target of(int ordinal, CellField field) {
      CellColumn column = field.column();
      return new Target(ordinal, field, column, column.familyBytes(), column.qualifierBytes());
    }
  }

  /**
   * An encoder of the rows of a data frame.
   *
   * @param columns the columns of the data frame in their order
   * @param anyFamily a family of the table
   */
  RowEncoder(String line, TableColumns columns, String anyFamily) {
    this.layout = Layout.parse(line);
    this.sources = columns.sources();
    this.targets =
        columns.cells().stream().map(cell -> Target.of(sources.indexOf(cell), cell)).toList();
    this.anyFamily = Bytes.toBytes(anyFamily);
  }

  /**
   * Checks that each row with these columns has one place in the table.
   *
   * @throws IllegalArgumentException if a field of the key is none of the columns, or the layout
   *     chooses buckets at random
   */
  static void check(StoredTable stored, TableColumns columns) {
    if (stored.layout().spread().isRandom()) {
      throw new EvenkeyArgumentException(
          "write to a table whose layout chooses the bucket of a row at random: table="
              + stored.name()
              + " layout="
              + stored.layout()
              + "; a task that Spark runs again would put its rows into other buckets as well:"
              + " import the records instead");
    }
    List<String> names = columns.keyFields().stream().map(KeyField::name).toList();
    for (Field field : stored.layout().fields()) {
      if (!names.contains(field.name())) {
        throw new EvenkeyArgumentException(
            "field of the key is no column of the data frame: column="
                + field.name()
                + " table="
                + stored.name()
                + "; add it: each row needs its whole key");
      }
    }
  }

  /**
   * The logical key of a row.
   *
   * @throws IllegalArgumentException if the row has none; names the column and the row
   */
  byte[] logicalKey(InternalRow row) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (int i = 0; i < sources.size(); i++) {
      if (sources.get(i) instanceof KeyField field) {
        values.put(field.name(), keyValue(row, i, field));
      }
    }
    try {
      return layout.logicalKey(Values.of(values));
    } catch (ValueException e) {
      throw refused(row, e.field(), String.valueOf(e.getMessage()), e);
    }
  }

  private @Nullable Object keyValue(InternalRow row, int ordinal, KeyField field) {
    if (row.isNullAt(ordinal)) {
      if (!layout.key().allowsNull()) {
        throw refused(row, field.name(), "null in a field of the key", null);
      }
      return null;
    }
    try {
      return field.kind().toKey(row.get(ordinal, field.type()));
    } catch (ArithmeticException e) {
      throw refused(row, field.name(), String.valueOf(e.getMessage()), e);
    }
  }

  /** The values of the columns of HBase's, in their order; null where there is no cell. */
  byte[][] cells(InternalRow row) {
    byte[][] cells = new byte[targets.size()][];
    for (int i = 0; i < cells.length; i++) {
      Target target = targets.get(i);
      if (!row.isNullAt(target.ordinal)) {
        Object value = row.get(target.ordinal, target.field.type());
        cells[i] = CellValues.toCell(target.column.type(), value);
      }
    }
    return cells;
  }

  /**
   * Adds cells to a put; an empty one if there are none, since HBase has no row without a cell.
   *
   * @param cells as {@link #cells} gives them
   */
  Put put(Put put, byte[][] cells) {
    for (int i = 0; i < cells.length; i++) {
      byte[] value = cells[i];
      if (value != null) {
        put.addColumn(targets.get(i).family, targets.get(i).qualifier, value);
      }
    }
    return put.isEmpty() ? put.addColumn(anyFamily, EMPTY, EMPTY) : put;
  }

  /**
   * The failure of a row that cannot have an entry in an index.
   *
   * @param problem names the index
   */
  IllegalArgumentException withoutEntry(InternalRow row, Exception problem) {
    return new EvenkeyArgumentException(
        "row that cannot have its entry in an index: row="
            + shown(row)
            + " problem=\""
            + problem.getMessage()
            + "\"; nothing is written: correct it, or filter it out",
        problem);
  }

  private IllegalArgumentException refused(
      InternalRow row, String column, String problem, @Nullable Exception cause) {
    return new EvenkeyArgumentException(
        "row that has no key: column="
            + column
            + " row="
            + shown(row)
            + " problem="
            + problem
            + "; nothing of this row is written: correct it, or filter it out",
        cause);
  }

  private Map<String, Object> shown(InternalRow row) {
    Map<String, Object> shown = new LinkedHashMap<>();
    for (int i = 0; i < sources.size(); i++) {
      if (sources.get(i) instanceof KeyField field) {
        shown.put(
            field.name(), row.isNullAt(i) ? "null" : readable(row.get(i, field.type()), field));
      }
    }
    return shown;
  }

  private Object readable(Object value, KeyField field) {
    try {
      Field of = layout.fields().get(field.index());
      return of.type().display(of.convert(field.kind().toKey(value)));
    } catch (ValueException | ArithmeticException e) {
      return value;
    }
  }
}
