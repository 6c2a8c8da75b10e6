/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import io.evenkey.client.cell.CellType;
import java.util.List;
import java.util.Set;

/** Records that can be read from the first to the last, as often as needed. */
public interface RecordSource {
  /** Its name in messages: a file, or a description. */
  String name();

  /** The columns that every record has, no two of the same name. */
  List<String> columns();

  /**
   * Starts at the first record.
   *
   * @throws InputException if it cannot be read
   */
  RecordCursor open() throws InputException;

  /**
   * Starts at the first record, of which only some columns are asked for. A mistake in another
   * column is not met, if the format has columns apart.
   *
   * @throws InputException if it cannot be read
   */
  default RecordCursor open(Set<String> columns) throws InputException {
    return open();
  }

  /** Whether every record has these columns and no others. */
  default boolean hasFixedColumns() {
    return true;
  }

  /** Whether the names of the columns look like the values of a record. */
  default boolean hasDoubtfulHeader() {
    return false;
  }

  /**
   * The type of cells for a column's values, where no other is asked for: text, unless the file has
   * a schema.
   *
   * @throws InputException if the column cannot be read
   */
  default CellType type(String column) throws InputException {
    return CellType.STRING;
  }

  /** Whether empty text is a value, as it is where a record can be without one. */
  default boolean hasEmptyText() {
    return false;
  }

  /**
   * The position of a column.
   *
   * @throws InputException if there is no such column
   */
  default int column(String name) throws InputException {
    int index = columns().indexOf(name);
    if (index < 0) {
      throw InputException.missingColumn(this, name);
    }
    return index;
  }
}
