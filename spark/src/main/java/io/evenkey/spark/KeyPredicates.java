/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import static io.evenkey.layout.scatter.Condition.field;

import io.evenkey.layout.Layout;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.scatter.Condition;
import io.evenkey.layout.scatter.ConditionField;
import io.evenkey.layout.text.LayoutException;
import io.evenkey.spark.TableColumns.KeyField;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * The conditions on the fields of a key that stand for predicates of Spark's. A condition is
 * fulfilled by exactly those rows for which its predicate is true; where the two could differ there
 * is none, and Spark evaluates the predicate:
 *
 * <ul>
 *   <li>Text is compared as Spark compares it only if it is spelled as the field spells its values:
 *       {@code 42} is the value {@code 000042} of {@code digits(6)}, but another text.
 *   <li>Spark takes −0.0 for 0.0, which are two values in keys; and it has more than one NaN.
 *   <li>Times in Spark have microseconds, and in keys milliseconds. A bound between two
 *       milliseconds is replaced by the next one within.
 *   <li>A field of a key of Phoenix may be null, and an empty text is one there.
 * </ul>
 *
 * Immutable.
 */
final class KeyPredicates {
  private static final long MICROS_A_MILLI = TimeUnit.MILLISECONDS.toMicros(1);

  private final Layout layout;
  private final Map<String, KeyField> fields = new HashMap<>();

  KeyPredicates(Layout layout, List<KeyField> fields) {
    this.layout = layout;
    fields.forEach(field -> this.fields.put(field.name(), field));
  }

  /** Whether a predicate holds for all rows: that a field is not null, where none can be. */
  boolean isAlwaysTrue(Predicate predicate) {
    return predicate.name().equals("IS_NOT_NULL")
        && !layout.key().allowsNull()
        && reference(predicate.children()[0]) != null;
  }

  /** The condition that stands for a predicate; empty if there is none. */
  Optional<Condition> condition(Predicate predicate) {
    try {
      return translated(predicate).filter(this::isReadAgain);
    } catch (LayoutException | ArithmeticException e) {
      // A value that no key has: Spark knows what comes before and after it.
      return Optional.empty();
    }
  }

  // Tasks get the condition as text.
  private boolean isReadAgain(Condition condition) {
    return layout.where(condition.toString()).ranges().equals(layout.where(condition).ranges());
  }

  private Optional<Condition> translated(Predicate predicate) {
    Expression[] parts = predicate.children();
    return switch (predicate.name()) {
      case "AND" ->
          translated((Predicate) parts[0])
              .flatMap(left -> translated((Predicate) parts[1]).map(left::and));
      case "=", "<=>", "<", "<=", ">", ">=" -> comparison(predicate.name(), parts);
      case "IN" -> in(parts);
      case "STARTS_WITH" -> startsWith(parts);
      default -> Optional.empty();
    };
  }

  private @Nullable KeyField reference(Expression expression) {
    return expression instanceof NamedReference name && name.fieldNames().length == 1
        ? fields.get(name.fieldNames()[0])
        : null;
  }

  private Optional<Condition> comparison(String operator, Expression[] parts) {
    KeyField left = reference(parts[0]);
    KeyField right = reference(parts[1]);
    if (left != null) {
      return literal(left, parts[1]).flatMap(value -> comparison(left, operator, value));
    } else if (right != null) {
      return literal(right, parts[0]).flatMap(value -> comparison(right, turned(operator), value));
    }
    return Optional.empty();
  }

  private static String turned(String operator) {
    return switch (operator) {
      case "<" -> ">";
      case "<=" -> ">=";
      case ">" -> "<";
      case ">=" -> "<=";
      default -> operator;
    };
  }

  /** A value of the field's type; empty for null, and for one of another type. */
  private static Optional<Object> literal(KeyField field, Expression expression) {
    if (!(expression instanceof Literal<?> literal)) {
      return Optional.empty();
    }
    boolean decimals =
        literal.dataType() instanceof DecimalType && field.type() instanceof DecimalType;
    return decimals || literal.dataType().equals(field.type())
        ? Optional.ofNullable(literal.value())
        : Optional.empty();
  }

  private Optional<Condition> comparison(KeyField column, String operator, Object value) {
    ConditionField field = field(column.name());
    boolean isEquality = operator.equals("=") || operator.equals("<=>");
    if (!isEquality && !column.kind().sortsAsSpark()) {
      return Optional.empty();
    }
    return switch (operator) {
      case "=", "<=>" -> text(column, value).map(field::eq);
      case "<" -> text(column, rounded(column, value, RoundingMode.CEILING)).map(field::lessThan);
      case ">=" -> text(column, rounded(column, value, RoundingMode.CEILING)).map(field::atLeast);
      case "<=" -> text(column, rounded(column, value, RoundingMode.FLOOR)).map(field::atMost);
      default -> text(column, rounded(column, value, RoundingMode.FLOOR)).map(field::greaterThan);
    };
  }

  private static Object rounded(KeyField column, Object value, RoundingMode mode) {
    if (column.kind() != KeyType.TIMESTAMP) {
      return value;
    }
    long micros = (Long) value;
    long rest = Math.floorMod(micros, MICROS_A_MILLI);
    return rest == 0 || mode == RoundingMode.FLOOR
        ? micros - rest
        : Math.addExact(micros, MICROS_A_MILLI - rest);
  }

  private Optional<Condition> in(Expression[] parts) {
    KeyField column = reference(parts[0]);
    if (column == null) {
      return Optional.empty();
    }
    List<Expression> named =
        Arrays.stream(parts)
            .skip(1)
            // A null in the list makes the predicate true for no more rows.
            .filter(part -> !(part instanceof Literal<?> literal && literal.value() == null))
            .toList();
    List<String> texts =
        named.stream()
            .map(part -> literal(column, part).flatMap(value -> text(column, value)).orElse(null))
            .filter(Objects::nonNull)
            .toList();
    return texts.isEmpty() || texts.size() < named.size()
        ? Optional.empty()
        : Optional.of(field(column.name()).in(texts.toArray()));
  }

  private Optional<Condition> startsWith(Expression[] parts) {
    KeyField column = reference(parts[0]);
    if (column == null || !isPlainText(column)) {
      return Optional.empty();
    }
    return literal(column, parts[1])
        .map(Object::toString)
        .filter(beginning -> !beginning.isEmpty() && isText(parts[1], beginning))
        .map(field(column.name())::startsWith);
  }

  private boolean isPlainText(KeyField column) {
    String type = layout.fields().get(column.index()).type().toString();
    return type.equals("string") || type.startsWith("string(");
  }

  // Bytes that are no UTF-8 are shown as another character.
  private static boolean isText(Expression expression, String text) {
    return expression instanceof Literal<?> literal
        && UTF8String.fromString(text).equals(literal.value());
  }

  /** The value as the field writes it; empty if Spark compares it in another way than the key. */
  private Optional<String> text(KeyField column, Object value) {
    Field field = layout.fields().get(column.index());
    if (!column.kind().equalsAsSpark() && isZeroOrNaN(value)) {
      return Optional.empty();
    }
    String text = field.type().format(field.convert(column.kind().toKey(value)));
    boolean isTextual = column.kind() == KeyType.TEXT || column.kind() == KeyType.UNSORTED_TEXT;
    boolean isSpelledSo = !isTextual || UTF8String.fromString(text).equals(value);
    return isSpelledSo && !(layout.key().allowsNull() && text.isEmpty())
        ? Optional.of(text)
        : Optional.empty();
  }

  private static boolean isZeroOrNaN(Object value) {
    double number = ((Number) value).doubleValue();
    return number == 0 || Double.isNaN(number);
  }
}
