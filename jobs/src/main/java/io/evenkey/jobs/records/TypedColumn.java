/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import io.evenkey.client.cell.CellType;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A column of a file that has a schema.
 *
 * @param name as the schema has it
 * @param type of cells for its values
 * @param text the value of a record as {@link CellType#encode} and fields of keys read it
 * @param number the value of a record as a field that is a whole number reads it: of times, the
 *     number that the file has
 * @param problem why the column cannot be read, or null if it can
 * @param <V> the library's record
 */
record TypedColumn<V>(
    String name, CellType type, Reading<V> text, Reading<V> number, @Nullable String problem) {
  /** A value out of a record. */
  @FunctionalInterface
  interface Reading<V> {
    /**
     * The value, or null if the record has none.
     *
     * @throws IOException if it is not what the schema says
     */
    @Nullable String of(V record) throws IOException;
  }

  static <V> TypedColumn<V> of(String name, CellType type, Reading<V> text) {
    return new TypedColumn<>(name, type, text, text, null);
  }

  /** A time, whose text is of type string in cells. */
  static <V> TypedColumn<V> time(String name, Reading<V> text, Reading<V> number) {
    return new TypedColumn<>(name, CellType.STRING, text, number, null);
  }

  /** A column that has no value for any record. */
  static <V> TypedColumn<V> unreadable(String name, String problem) {
    return new TypedColumn<>(name, CellType.STRING, record -> null, record -> null, problem);
  }
}
