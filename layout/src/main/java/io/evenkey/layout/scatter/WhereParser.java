package io.evenkey.layout.scatter;

import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.FieldType;
import io.evenkey.layout.field.ValueException;
import io.evenkey.layout.key.Key;
import io.evenkey.layout.text.Cursor;
import io.evenkey.layout.text.Token;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Reads a condition; {@link Where#parse} has the grammar. */
final class WhereParser {
  private static final Set<String> OPERATORS = Set.of("=", "!=", "<>", "<", "<=", ">", ">=");
  private static final byte[] OPEN = {};

  /** To Phoenix, an empty value is none, and no comparison with it holds. */
  private static final ValueSet NOT_NULL = ValueSet.of(List.of(KeyRange.of(new byte[] {0}, OPEN)));

  private final Key key;
  private final Cursor cursor;
  private final Map<String, ValueSet> allowed = new LinkedHashMap<>();
  private final Map<String, List<String>> written = new LinkedHashMap<>();

  WhereParser(Key key, String text) {
    this.key = key;
    this.cursor = Cursor.over("where", text);
  }

  Where where() {
    do {
      readComparison();
    } while (cursor.skipWord("and"));
    if (cursor.peek().kind() != Token.Kind.END) {
      throw cursor.unexpected("'and' or the end of the line");
    }
    return new Where(key, allowed, written);
  }

  private void readComparison() {
    Token name = cursor.expectName("a field name");
    int index = key.indexOf(name.text());
    if (index < 0) {
      throw cursor.unknown("field", name, key.fields().stream().map(Field::name).toList());
    }
    Field field = key.fields().get(index);
    ValueSet values = ValueSet.of(readValues(field));
    if (key.codecOf(index).isNullable()) {
      values = values.and(NOT_NULL);
    }
    allowed.merge(field.name(), values, ValueSet::and);
    written
        .computeIfAbsent(field.name(), n -> new ArrayList<>())
        .add(cursor.text(cursor.since(name.span())));
  }

  private List<KeyRange> readValues(Field field) {
    if (cursor.skipWord("between")) {
      byte[] lower = readValue(field);
      if (!cursor.skipWord("and")) {
        throw cursor.unexpected("'and' with the upper end");
      }
      return List.of(KeyRange.of(lower, KeyRange.successor(readValue(field))));
    }
    if (cursor.skipWord("in")) {
      return readList(field);
    }
    if (cursor.skipWord("starts")) {
      if (!cursor.skipWord("with")) {
        throw cursor.unexpected("'with' and the beginning of the value");
      }
      return List.of(KeyRange.prefix(readToken(field, field::encodedBeginning)));
    }
    Token operator = cursor.peek();
    if (operator.kind() != Token.Kind.SYMBOL || !OPERATORS.contains(operator.text())) {
      throw cursor.unexpected("one of = != < <= > >= between in starts");
    }
    cursor.next();
    byte[] value = readValue(field);
    return switch (operator.text()) {
      case "=" -> List.of(KeyRange.point(value));
      case "<" -> List.of(before(value, field));
      case "<=" -> List.of(KeyRange.of(OPEN, KeyRange.successor(value)));
      case ">" -> List.of(KeyRange.of(KeyRange.successor(value), OPEN));
      case ">=" -> List.of(KeyRange.of(value, OPEN));
      default -> List.of(before(value, field), KeyRange.of(KeyRange.successor(value), OPEN));
    };
  }

  private List<KeyRange> readList(Field field) {
    cursor.expect("(");
    List<KeyRange> points = new ArrayList<>();
    do {
      points.add(KeyRange.point(readValue(field)));
    } while (cursor.skip(","));
    if (!cursor.skip(")")) {
      throw cursor.unexpected("',' and another value, or ')'");
    }
    return points;
  }

  // Nothing comes before the least value: the empty one, or as many zeros as all values have bytes.
  private static KeyRange before(byte[] value, Field field) {
    int most = field.type().width() == FieldType.VARIABLE ? 0 : value.length;
    return value.length <= most && Arrays.equals(value, new byte[value.length])
        ? KeyRange.none()
        : KeyRange.of(OPEN, value);
  }

  private byte[] readValue(Field field) {
    return readToken(field, text -> field.encoded(field.parse(text)));
  }

  private byte[] readToken(Field field, Function<String, byte[]> encoding) {
    Token value = cursor.bareValue("a value of " + field);
    try {
      return encoding.apply(value.text());
    } catch (ValueException e) {
      throw cursor.error(value.span(), e.getMessage(), null);
    }
  }
}
