/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.scatter;

/**
 * How much a condition limits the values of one field: an input of the cost of a read. Immutable.
 *
 * @param field the field's name
 * @param values the number of single values that {@code =} and {@code in} allow; 0 if ranges of
 *     values are allowed
 * @param ends at how many ends the values are bounded: 2 for {@code between}, 1 for {@code >=}, 0
 *     for {@code !=}
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

  /** Whether the condition allows a single value. */
  public boolean isConstant() {
    return values == 1;
  }
}
