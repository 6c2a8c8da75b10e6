/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.scatter;

import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.ValueException;
import io.evenkey.layout.key.Key;
import io.evenkey.layout.token.Cursor;
import io.evenkey.layout.token.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Reads a condition; {@link Where#parse} has the grammar. */
final class WhereParser {
  private final Key key;
  private final Cursor cursor;
  private final WhereTerms terms;

  WhereParser(Key key, String text) {
    this.key = key;
    this.cursor = Cursor.over("where", text);
    this.terms = new WhereTerms(key);
  }

  Where where() {
    do {
      readComparison();
    } while (cursor.skipWord("and"));
    if (cursor.peek().kind() != Token.Kind.END) {
      throw cursor.unexpected("'and' or the end of the line");
    }
    return terms.where();
  }

  private void readComparison() {
    Token name = cursor.expectName("a field name");
    int index = key.indexOf(name.text());
    if (index < 0) {
      throw cursor.unknown("field", name, key.fields().stream().map(Field::name).toList());
    }
    Field field = key.fields().get(index);
    List<byte[]> values = new ArrayList<>();
    Operator operator = readValues(field, values);
    terms.add(index, operator, values, cursor.text(cursor.since(name.span())));
  }

  private Operator readValues(Field field, List<byte[]> values) {
    if (cursor.skipWord("between")) {
      values.add(readValue(field));
      if (!cursor.skipWord("and")) {
        throw cursor.unexpected("'and' with the upper end");
      }
      values.add(readValue(field));
      return Operator.BETWEEN;
    }
    if (cursor.skipWord("in")) {
      readList(field, values);
      return Operator.IN;
    }
    if (cursor.skipWord("starts")) {
      if (!cursor.skipWord("with")) {
        throw cursor.unexpected("'with' and the beginning of the value");
      }
      values.add(readToken(field, field::encodedBeginning));
      return Operator.STARTS_WITH;
    }
    Token token = cursor.peek();
    Operator operator = token.kind() == Token.Kind.SYMBOL ? Operator.comparing(token.text()) : null;
    if (operator == null) {
      throw cursor.unexpected("one of = != < <= > >= between in starts");
    }
    cursor.next();
    values.add(readValue(field));
    return operator;
  }

  private void readList(Field field, List<byte[]> values) {
    cursor.expect("(");
    do {
      values.add(readValue(field));
    } while (cursor.skip(","));
    if (!cursor.skip(")")) {
      throw cursor.unexpected("',' and another value, or ')'");
    }
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
