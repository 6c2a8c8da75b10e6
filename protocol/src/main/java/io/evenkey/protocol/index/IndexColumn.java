/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import io.evenkey.layout.message.Quoted;

/**
 * A field of an index whose value comes from a column of the row, not from the row's key.
 * Immutable.
 *
 * @param field the field's name in the index's layout
 * @param column the column
 * @param form how the column's bytes represent the value
 */
public record IndexColumn(String field, ColumnName column, ColumnForm form) {
  /**
   * The column as the text of an index spells it: {@code customer=d:customer} or {@code
   * amount=d:amount:long}.
   */
  @Override
  public String toString() {
    return Quoted.name(field) + "=" + column + (form == ColumnForm.TEXT ? "" : ":" + form);
  }
}
