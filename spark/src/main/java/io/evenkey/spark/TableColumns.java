/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import io.evenkey.client.cell.CellColumn;
import io.evenkey.layout.Layout;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.field.Field;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The columns of a table as Spark sees them: each is a field of the key, or a column of HBase's.
 * Immutable; sent to tasks.
 *
 * <p>All of them may be null for Spark. A field of a key never is, but in keys of Phoenix; that it
 * may be lets a write say which row lacks it.
 *
 * @param sources the columns in the order of the schema
 */
record TableColumns(List<Source> sources) implements Serializable {
  /** The place of a column's values. */
  sealed interface Source extends Serializable {
    /** The name in Spark. */
    String name();

    /** The type in Spark. */
    DataType type();

    /** Returns this source with another type. */
    Source as(DataType type);
  }

  /**
   * A field of the key.
   *
   * @param index its position in {@link Layout#fields}
   */
  record KeyField(String name, int index, KeyType kind, DataType type) implements Source {
    @Override
    public Source as(DataType other) {
      return new KeyField(name, index, kind, other);
    }
  }

  /**
   * A column of HBase's.
   *
   * @param spelled as {@link CellColumn#parse} reads it
   */
  record CellField(String name, String spelled, DataType type) implements Source {
    CellColumn column() {
      return CellColumn.parse(spelled);
    }

    @Override
    public Source as(DataType other) {
      return new CellField(name, spelled, other);
    }
  }

  /** Copies the list. */
  TableColumns {
    sources = List.copyOf(sources);
  }

  /**
   * The columns of a table.
   *
   * @throws IllegalArgumentException if two have the same name
   */
  static TableColumns of(Layout layout, List<CellColumn> cells) {
    Map<String, Source> byName = new LinkedHashMap<>();
    List<Field> fields = layout.fields();
    for (int i = 0; i < fields.size(); i++) {
      KeyType kind = KeyType.of(fields.get(i).type());
      String name = fields.get(i).name();
      byName.put(name, new KeyField(name, i, kind, kind.dataType()));
    }
    for (CellColumn cell : cells) {
      Source source = new CellField(cell.name(), cell.toString(), CellValues.dataType(cell.type()));
      if (byName.put(cell.name(), source) != null) {
        throw new EvenkeyArgumentException(
            "two columns of one name: name="
                + cell.name()
                + " column="
                + cell
                + "; give it another: family:qualifier=name:type");
      }
    }
    return new TableColumns(List.copyOf(byName.values()));
  }

  /** The schema of Spark's. */
  StructType schema() {
    return new StructType(
        sources.stream()
            .map(source -> new StructField(source.name(), source.type(), true, Metadata.empty()))
            .toArray(StructField[]::new));
  }

  /**
   * Those columns that a schema names, in its order.
   *
   * @param schema of a user, who chooses the precision of decimals; or of a query
   * @throws IllegalArgumentException if the table does not have one of them, or has it with another
   *     type
   */
  TableColumns withSchema(StructType schema) {
    List<Source> chosen = new ArrayList<>();
    for (StructField field : schema.fields()) {
      chosen.add(chosen(field));
    }
    return new TableColumns(chosen);
  }

  private Source chosen(StructField field) {
    Source source = named(field.name());
    DataType type = field.dataType();
    boolean decimals = source.type() instanceof DecimalType && type instanceof DecimalType;
    if (!decimals && !source.type().equals(type)) {
      throw new EvenkeyArgumentException(
          "schema has another type for a column than the table: column="
              + field.name()
              + " schema="
              + type.sql()
              + " table="
              + source.type().sql()
              + "; read it with the table's type, and cast it");
    }
    return source.as(type);
  }

  private Source named(String name) {
    for (Source source : sources) {
      if (source.name().equals(name)) {
        return source;
      }
    }
    throw new EvenkeyArgumentException(
        "schema has a column that the table does not have: column="
            + name
            + " table="
            + String.join(",", sources.stream().map(Source::name).toList())
            + "; name it in the option columns, or leave it out");
  }

  /** The fields of the key among them. */
  List<KeyField> keyFields() {
    return sources.stream().filter(KeyField.class::isInstance).map(KeyField.class::cast).toList();
  }

  /** The columns of HBase's among them. */
  List<CellField> cells() {
    return sources.stream().filter(CellField.class::isInstance).map(CellField.class::cast).toList();
  }
}
