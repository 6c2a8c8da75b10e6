/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import java.util.List;
import java.util.Map;

/**
 * Rows of a table as JSON. Immutable.
 *
 * @param ordered whether they are in logical order
 * @param fields the names of the fields of keys, in order
 * @param columns the names of the columns of these rows, in the order of their occurrence
 * @param more whether the table has more such rows
 */
public record BrowsedRowsJson(
    boolean ordered,
    List<String> fields,
    List<String> columns,
    List<BrowsedRow> rows,
    boolean more) {
  /** Copies the lists. */
  public BrowsedRowsJson {
    fields = List.copyOf(fields);
    columns = List.copyOf(columns);
    rows = List.copyOf(rows);
  }

  /**
   * A row.
   *
   * @param key the fields of its key by name, in readable form
   * @param values its columns by name, in readable form
   */
  public record BrowsedRow(Map<String, String> key, Map<String, String> values) {}
}
