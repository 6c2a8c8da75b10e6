/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.query;

import io.evenkey.layout.field.Field;
import io.evenkey.layout.message.Quoted;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.jspecify.annotations.Nullable;

/**
 * A row of a table as people see it: the fields of its key in their order, then its columns.
 * Immutable.
 *
 * @param entries by name, no two of the same
 * @param fields the number of entries, the first ones, that are fields of the key
 * @param timestamp of its newest cell
 * @param cells its cells as they are stored, in HBase's order
 */
public record Row(List<Entry> entries, int fields, long timestamp, List<Cell> cells) {
  /** Copies the lists. */
  public Row {
    entries = List.copyOf(entries);
    cells = List.copyOf(cells);
  }

  /** A row of which only the entries matter. */
  public Row(List<Entry> entries, long timestamp) {
    this(entries, 0, timestamp, List.of());
  }

  /** Its key in messages. */
  public String key() {
    return entries.subList(0, fields).stream()
        .map(entry -> entry.name() + "=" + Quoted.literal(entry.display()))
        .collect(Collectors.joining(","));
  }

  /**
   * A value.
   *
   * @param name of the field or column
   * @param value a string, number or boolean, or null
   * @param text the value as it is read again
   * @param display the value as people read it best
   * @param type what the text is, for formats with a schema
   */
  public record Entry(
      String name, @Nullable Object value, String text, String display, ValueType type) {
    /** A value that is text. */
    public Entry(String name, @Nullable Object value, String text, String display) {
      this(name, value, text, display, ValueType.TEXT);
    }

    /**
     * The value of a field of a key: what JSON has itself as it is, the rest as text that encodes
     * to the same bytes again.
     *
     * @param value null only where the layout allows that
     */
    public static Entry of(Field field, @Nullable Object value) {
      if (value == null) {
        return new Entry(field.name(), null, "", "", ValueType.of(field.type()));
      }
      String text = field.type().format(value);
      boolean hasJson = value instanceof Boolean || value instanceof Number && isFinite(value);
      return new Entry(
          field.name(),
          hasJson ? value : text,
          text,
          field.type().display(value),
          ValueType.of(field.type()));
    }

    private static boolean isFinite(Object number) {
      return !(number instanceof Double || number instanceof Float)
          || Double.isFinite(((Number) number).doubleValue());
    }
  }
}
