/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.scatter;

/**
 * The limits that a condition sets to the values of one field. Immutable.
 *
 * @param field the field's name
 * @param values the number of single values that it may have, as of {@code =} and {@code in}; 0 if
 *     it may have ranges of values
 * @param ends the number of ends at which its values are limited: 2 for {@code between}, 1 for
 *     {@code >=}, 0 for {@code !=}
 */
public record FieldLimit(String field, int values, int ends) {
  static FieldLimit of(String field, ValueSet allowed) {
    if (allowed.isPoints()) {
      return new FieldLimit(field, allowed.ranges().size(), 2);
    }
    int ends = 0;
    ends += allowed.ranges().get(0).start().length > 0 ? 1 : 0;
    ends += allowed.ranges().get(allowed.ranges().size() - 1).stop().length > 0 ? 1 : 0;
    return new FieldLimit(field, 0, ends);
  }

  /** Whether the field has the same value in all keys. */
  public boolean isConstant() {
    return values == 1;
  }
}
