/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.candidate;

import io.evenkey.advisor.sample.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Columns in the order in which they make a key. Immutable; compared by value.
 *
 * @param parts at least one
 */
record KeyOrder(List<Part> parts) {
  /** A column, ascending or descending. */
  record Part(Column column, boolean descending) {
    @Override
    public String toString() {
      return column.declared(descending);
    }
  }

  KeyOrder {
    parts = List.copyOf(parts);
  }

  boolean has(Column column) {
    return parts.stream().anyMatch(part -> part.column().equals(column));
  }

  /** Returns this order with one more column at its end. */
  KeyOrder with(Column column, boolean descending) {
    if (has(column)) {
      return this;
    }
    List<Part> more = new ArrayList<>(parts);
    more.add(new Part(column, descending));
    return new KeyOrder(more);
  }

  List<Column> columns() {
    return parts.stream().map(Part::column).toList();
  }

  /** The key as a layout line without a spread. */
  @Override
  public String toString() {
    return parts.stream().map(Part::toString).collect(Collectors.joining(" + "));
  }
}
