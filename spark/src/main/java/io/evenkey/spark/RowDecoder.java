/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import io.evenkey.client.cell.CellColumn;
import io.evenkey.client.internal.metrics.ForeignRows;
import io.evenkey.client.internal.row.LogicalResults;
import io.evenkey.layout.Layout;
import io.evenkey.layout.RowReader;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.text.RowException;
import io.evenkey.spark.TableColumns.CellField;
import io.evenkey.spark.TableColumns.KeyField;
import io.evenkey.spark.TableColumns.Source;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.jspecify.annotations.Nullable;

/** Makes Spark's rows of HBase's. Not thread-safe. */
final class RowDecoder {
  private final Layout layout;
  private final ForeignRows foreign;
  private final RowReader keys;
  private final @Nullable Object[] key;
  private final List<Reading> readings = new ArrayList<>();

  /** The values of a column. */
  @FunctionalInterface
  private interface Reading {
    @Nullable Object of(Result row);
  }

  RowDecoder(String line, TableColumns columns) {
    this.layout = Layout.parse(line);
    this.foreign = LogicalResults.of(layout).foreign();
    // Rows are logical keys by now.
    this.keys = layout.plain().reader();
    this.key = new Object[layout.fields().size()];
    for (Source source : columns.sources()) {
      readings.add(source instanceof KeyField field ? ofKey(field) : ofCell((CellField) source));
    }
  }

  private Reading ofKey(KeyField field) {
    return row -> {
      Object value = key[field.index()];
      try {
        return value == null ? null : field.kind().toSpark(value, field.type());
      } catch (ArithmeticException e) {
        throw refused(row, field, e);
      }
    };
  }

  private Reading ofCell(CellField field) {
    CellColumn column = field.column();
    byte[] family = column.familyBytes();
    byte[] qualifier = column.qualifierBytes();
    return row -> {
      byte[] bytes = row.getValue(family, qualifier);
      try {
        return bytes == null ? null : CellValues.toSpark(column.type(), bytes, field.type());
      } catch (IllegalArgumentException | ArithmeticException e) {
        throw refused(row, field, e);
      }
    };
  }

  private IllegalArgumentException refused(Result row, Source source, RuntimeException reason) {
    return new EvenkeyArgumentException(
        "value that is not of its column's type: column="
            + source.name()
            + " type="
            + source.type().sql()
            + " row="
            + layout.labelLogical(row.getRow())
            + " reason="
            + reason.getMessage()
            + "; name the type that the table has: a decimal's digits in the schema, a column's in"
            + " the option columns",
        reason);
  }

  /**
   * The row; null if its key is none of the layout's, whichever columns are wanted.
   *
   * @throws IllegalArgumentException if a value cannot be of the type of its column
   */
  @Nullable InternalRow row(Result result) {
    byte[] logical = result.getRow();
    try {
      keys.open(logical);
      for (int i = 0; i < key.length; i++) {
        key[i] = keys.get(i);
      }
    } catch (RowException e) {
      foreign.met(logical, e);
      return null;
    }
    @Nullable Object[] values = new Object[readings.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = readings.get(i).of(result);
    }
    return new GenericInternalRow(values);
  }
}
