/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.query;

import io.evenkey.layout.field.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of a table as people see it: the fields of its key in their order, then its columns.
 * Immutable.
 *
 * @param entries by name, no two of the same
 * @param timestamp of its newest cell
 */
public record Row(List<Entry> entries, long timestamp) {
  /** Copies the list. */
  public Row {
    entries = List.copyOf(entries);
  }

  /**
   * A value.
   *
   * @param name of the field or column
   * @param value a string, number or boolean, or null
   * @param text the value as it is read again
   * @param display the value as people read it best
   */
  public record Entry(String name, @Nullable Object value, String text, String display) {
    /**
     * The value of a field of a key: what JSON has itself as it is, the rest as text that encodes
     * to the same bytes again.
     *
     * @param value null only where the layout allows that
     */
    public static Entry of(Field field, @Nullable Object value) {
      if (value == null) {
        return new Entry(field.name(), null, "", "");
      }
      String text = field.type().format(value);
      boolean hasJson = value instanceof Boolean || value instanceof Number && isFinite(value);
      return new Entry(field.name(), hasJson ? value : text, text, field.type().display(value));
    }

    private static boolean isFinite(Object number) {
      return !(number instanceof Double || number instanceof Float)
          || Double.isFinite(((Number) number).doubleValue());
    }
  }
}
