/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.scatter;

import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.FieldType;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A relation between a field and the values that a condition names. */
enum Operator {
  EQUAL("="),
  UNEQUAL("!="),
  LESS("<"),
  AT_MOST("<="),
  GREATER(">"),
  AT_LEAST(">="),
  BETWEEN("between"),
  IN("in"),
  STARTS_WITH("starts with");

  private static final byte[] OPEN = {};

  private final String text;

  Operator(String text) {
    this.text = text;
  }

  /** The operator that stands between a field and one value; null if the text is none. */
  static @Nullable Operator comparing(String text) {
    return switch (text) {
      case "=" -> EQUAL;
      case "!=", "<>" -> UNEQUAL;
      case "<" -> LESS;
      case "<=" -> AT_MOST;
      case ">" -> GREATER;
      case ">=" -> AT_LEAST;
      default -> null;
    };
  }

  /**
   * The ascending forms of the values that fulfil it.
   *
   * @param values the ascending forms of the values that are named: two for {@link #BETWEEN}, the
   *     beginning for {@link #STARTS_WITH}
   */
  List<KeyRange> ranges(Field field, List<byte[]> values) {
    byte[] value = values.get(0);
    return switch (this) {
      case EQUAL, IN -> values.stream().map(KeyRange::point).toList();
      case UNEQUAL -> List.of(before(value, field), KeyRange.of(KeyRange.successor(value), OPEN));
      case LESS -> List.of(before(value, field));
      case AT_MOST -> List.of(KeyRange.of(OPEN, KeyRange.successor(value)));
      case GREATER -> List.of(KeyRange.of(KeyRange.successor(value), OPEN));
      case AT_LEAST -> List.of(KeyRange.of(value, OPEN));
      case BETWEEN -> List.of(KeyRange.of(value, KeyRange.successor(values.get(1))));
      case STARTS_WITH -> List.of(KeyRange.prefix(value));
    };
  }

  // Nothing comes before the least value: the empty one, or as many zeros as all values have bytes.
  private static KeyRange before(byte[] value, Field field) {
    int most = field.type().width() == FieldType.VARIABLE ? 0 : value.length;
    return value.length <= most && Arrays.equals(value, new byte[value.length])
        ? KeyRange.none()
        : KeyRange.of(OPEN, value);
  }

  /** A comparison as a condition spells it. */
  String written(String name, List<String> values) {
    String listed =
        switch (this) {
          case BETWEEN -> String.join(" and ", values);
          case IN -> "(" + String.join(", ", values) + ")";
          default -> values.get(0);
        };
    return name + " " + text + " " + listed;
  }
}
