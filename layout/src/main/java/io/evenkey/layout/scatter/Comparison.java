/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.scatter;

import io.evenkey.layout.field.Field;
import io.evenkey.layout.message.Quoted;
import java.util.List;
import java.util.function.Function;

/** One comparison of a {@link Condition}. Immutable. */
record Comparison(String field, Operator operator, List<Object> values) {
  Comparison {
    values = List.copyOf(values);
  }

  /**
   * The ascending forms of its values.
   *
   * @throws io.evenkey.layout.field.ValueException if the field cannot hold one
   */
  List<byte[]> encoded(Field of) {
    return values.stream()
        .map(
            value ->
                operator == Operator.STARTS_WITH
                    ? of.encodedBeginning(value.toString())
                    : of.encoded(of.convert(value)))
        .toList();
  }

  /** A comparison from a text, with its values as the field writes them. */
  String written(Field of) {
    return text(
        value ->
            operator == Operator.STARTS_WITH
                ? value.toString()
                : of.type().format(of.convert(value)));
  }

  private String text(Function<Object, String> format) {
    return operator.written(
        Quoted.name(field), values.stream().map(v -> Quoted.literal(format.apply(v))).toList());
  }

  @Override
  public String toString() {
    return text(Object::toString);
  }
}
