/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.scatter;

import java.util.List;

/**
 * A field of a key, to be compared with values: the beginning of a {@link Condition}. The values
 * may be of every class that the field takes, text included; {@link io.evenkey.layout.Values} has
 * the classes. Immutable.
 */
public final class ConditionField {
  private final String name;

  ConditionField(String name) {
    this.name = name;
  }

  /** The field has this value. */
  public Condition eq(Object value) {
    return condition(Operator.EQUAL, value);
  }

  /** The field has another value. */
  public Condition ne(Object value) {
    return condition(Operator.UNEQUAL, value);
  }

  /** The field's value comes before this one. */
  public Condition lessThan(Object value) {
    return condition(Operator.LESS, value);
  }

  /** The field's value is this one, or comes before it. */
  public Condition atMost(Object value) {
    return condition(Operator.AT_MOST, value);
  }

  /** The field's value comes after this one. */
  public Condition greaterThan(Object value) {
    return condition(Operator.GREATER, value);
  }

  /** The field's value is this one, or comes after it. */
  public Condition atLeast(Object value) {
    return condition(Operator.AT_LEAST, value);
  }

  /** The field's value lies between two, both included. */
  public Condition between(Object lower, Object upper) {
    return condition(Operator.BETWEEN, lower, upper);
  }

  /** The field has one of these values, of which there is at least one. */
  public Condition in(Object... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException(
          "no value to compare a field with: field=" + name + "; name at least one");
    }
    return condition(Operator.IN, values);
  }

  /** The field's text begins with this one. */
  public Condition startsWith(String beginning) {
    return condition(Operator.STARTS_WITH, beginning);
  }

  private Condition condition(Operator operator, Object... values) {
    return Condition.of(new Comparison(name, operator, List.of(values)));
  }
}
