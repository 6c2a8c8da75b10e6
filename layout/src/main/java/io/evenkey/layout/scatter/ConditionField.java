/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.scatter;

import io.evenkey.layout.message.FailureMessage;
import java.util.List;

/**
 * A field of a key, to be compared with values: the beginning of a {@link Condition}. A value may
 * be of any class that the field takes, {@link io.evenkey.layout.Values} lists them; text always
 * works. "Less" and "greater" mean the order of the field's values, whether it is ascending or
 * descending in the key. Immutable and thread-safe.
 */
public final class ConditionField {
  private final String name;

  ConditionField(String name) {
    this.name = name;
  }

  /** The field equals this value. On leading fields, this narrows the read most. */
  public Condition eq(Object value) {
    return condition(Operator.EQUAL, value);
  }

  /** The field does not equal this value. This narrows no read: rows are read and dropped. */
  public Condition ne(Object value) {
    return condition(Operator.UNEQUAL, value);
  }

  /** The field is less than this value. */
  public Condition lessThan(Object value) {
    return condition(Operator.LESS, value);
  }

  /** The field is at most this value. */
  public Condition atMost(Object value) {
    return condition(Operator.AT_MOST, value);
  }

  /** The field is greater than this value. */
  public Condition greaterThan(Object value) {
    return condition(Operator.GREATER, value);
  }

  /** The field is at least this value. */
  public Condition atLeast(Object value) {
    return condition(Operator.AT_LEAST, value);
  }

  /** The field is between two values, both included. */
  public Condition between(Object lower, Object upper) {
    return condition(Operator.BETWEEN, lower, upper);
  }

  /**
   * The field equals one of these values, of which there must be at least one. On leading fields,
   * each value opens a range.
   *
   * @throws IllegalArgumentException if there is no value
   */
  public Condition in(Object... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException(
          FailureMessage.of("no value to compare a field with")
              .with("field", name)
              .remedy("name at least one"));
    }
    return condition(Operator.IN, values);
  }

  /** The text of the field begins with this text. */
  public Condition startsWith(String beginning) {
    return condition(Operator.STARTS_WITH, beginning);
  }

  private Condition condition(Operator operator, Object... values) {
    return Condition.of(new Comparison(name, operator, List.of(values)));
  }
}
