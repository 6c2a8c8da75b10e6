/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import io.evenkey.layout.text.Quoted;

/**
 * A field of an index that is taken from a column of the row. Immutable.
 *
 * @param field the field's name in the index's layout
 * @param column the column
 * @param form the form of its values
 */
public record IndexColumn(String field, ColumnName column, ColumnForm form) {
  /** As an index's text spells it: {@code customer=d:customer} or {@code amount=d:amount:long}. */
  @Override
  public String toString() {
    return Quoted.name(field) + "=" + column + (form == ColumnForm.TEXT ? "" : ":" + form);
  }
}
