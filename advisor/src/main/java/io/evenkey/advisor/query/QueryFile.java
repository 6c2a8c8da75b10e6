/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.query;

import io.evenkey.layout.message.Quoted;
import io.evenkey.layout.text.SyntaxException;
import io.evenkey.layout.token.Cursor;
import io.evenkey.layout.token.Token;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads queries, one a line, as one would say them aloud:
 *
 * <pre>
 * # what the application asks
 * device = ? and ts between ? and ? newest first limit 100 : weight 60
 * device = ? newest first limit 1                          : weight 30
 * ts between ? and ?                                       : weight 10
 * all                                                      : weight 1
 * writes 5000
 * rows 2000000000
 * value 120
 * growth 1.5
 * servers 12
 * </pre>
 *
 * <p>{@code host under example.com} asks for a domain with all its subdomains. A {@code ?} is a
 * value of the data; written-out values are taken as they are. {@code writes} are rows a second,
 * {@code rows} how many there will be, {@code value} bytes of a row's values, {@code growth} what
 * the rows are multiplied by in a year. Stateless.
 */
public final class QueryFile {
  private static final List<String> SETTINGS =
      List.of("writes", "rows", "value", "growth", "servers");
  private static final int MOST = Integer.MAX_VALUE;

  private QueryFile() {}

  /**
   * Reads a file.
   *
   * @param columns the columns that queries may name
   * @throws SyntaxException if a line is neither a query nor a setting; shows the place
   */
  public static Workload parse(List<String> lines, Collection<String> columns) {
    Workload usual = Workload.USUAL;
    double writes = usual.writesPerSecond();
    double rows = usual.rows();
    int value = usual.valueBytes();
    double growth = usual.growth();
    int servers = usual.servers();
    List<Query> queries = new ArrayList<>();
    for (String line : lines) {
      String text = line.strip();
      if (text.isEmpty() || text.startsWith("#")) {
        continue;
      }
      Cursor cursor = Cursor.over("queries", text);
      Token first = cursor.peek();
      if (isSetting(text, first, columns)) {
        cursor.next();
        double number = number(cursor);
        end(cursor);
        switch (first.text()) {
          case "writes" -> writes = number;
          case "rows" -> rows = number;
          case "value" -> value = (int) number;
          case "growth" -> growth = number;
          default -> servers = (int) number;
        }
      } else {
        queries.add(query(cursor, text, columns));
      }
    }
    return new Workload(queries, writes, rows, value, growth, Math.max(1, servers));
  }

  // A column may have the name of a setting: then an operator follows.
  private static boolean isSetting(String text, Token first, Collection<String> columns) {
    String rest = text.substring(first.span().start() + first.span().length()).strip();
    return SETTINGS.contains(first.text())
        && (!columns.contains(first.text())
            || !rest.isEmpty() && Character.isDigit(rest.charAt(0)));
  }

  private static double number(Cursor cursor) {
    Token token = cursor.bareValue("a number");
    try {
      double number = Double.parseDouble(token.text());
      if (number > 0 && !Double.isInfinite(number)) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw cursor.error(token.span(), "not a number above 0: " + token.text(), null);
  }

  private static void end(Cursor cursor) {
    if (cursor.peek().kind() != Token.Kind.END) {
      throw cursor.unexpected("the end of the line");
    }
  }

  private static Query query(Cursor cursor, String text, Collection<String> columns) {
    List<QueryCondition> conditions = new ArrayList<>();
    if (!cursor.skipWord("all")) {
      do {
        conditions.add(condition(cursor, columns));
      } while (cursor.skipWord("and"));
    }
    Query.Order order = Query.Order.ANY;
    int limit = 0;
    boolean more = true;
    while (more) {
      if (cursor.skipWord("newest")) {
        order = Query.Order.NEWEST_FIRST;
        word(cursor, "first");
      } else if (cursor.skipWord("oldest")) {
        order = Query.Order.OLDEST_FIRST;
        word(cursor, "first");
      } else if (cursor.skipWord("limit")) {
        limit = cursor.expectNumber("a limit", 1, MOST);
      } else {
        more = false;
      }
    }
    double weight = 1;
    String said = text;
    if (cursor.peek().is(":")) {
      said = text.substring(0, cursor.peek().span().start()).strip();
      cursor.next();
      word(cursor, "weight");
      weight = number(cursor);
    }
    if (cursor.peek().kind() != Token.Kind.END) {
      throw cursor.unexpected("'and', 'newest first', 'oldest first', 'limit' or ': weight'");
    }
    return new Query(said, conditions, order, limit, weight);
  }

  private static void word(Cursor cursor, String word) {
    if (!cursor.skipWord(word)) {
      throw cursor.unexpected("'" + word + "'");
    }
  }

  private static QueryCondition condition(Cursor cursor, Collection<String> columns) {
    Token name = cursor.expectName("a column, or 'all'");
    if (!columns.contains(name.text())) {
      throw cursor.unknown("column", name, columns.stream().map(Quoted::name).toList());
    }
    List<@Nullable String> values = new ArrayList<>();
    if (cursor.skipWord("between")) {
      values.add(value(cursor));
      word(cursor, "and");
      values.add(value(cursor));
      return new QueryCondition(name.text(), QueryCondition.Operator.BETWEEN, values);
    }
    if (cursor.skipWord("in")) {
      cursor.expect("(");
      do {
        values.add(value(cursor));
      } while (cursor.skip(","));
      cursor.expect(")");
      return new QueryCondition(name.text(), QueryCondition.Operator.IN, values);
    }
    if (cursor.skipWord("starts")) {
      word(cursor, "with");
      values.add(value(cursor));
      return new QueryCondition(name.text(), QueryCondition.Operator.STARTS_WITH, values);
    }
    if (cursor.skipWord("under")) {
      values.add(value(cursor));
      return new QueryCondition(name.text(), QueryCondition.Operator.UNDER, values);
    }
    for (QueryCondition.Operator operator :
        List.of(
            QueryCondition.Operator.EQUAL,
            QueryCondition.Operator.AT_LEAST,
            QueryCondition.Operator.AT_MOST,
            QueryCondition.Operator.MORE,
            QueryCondition.Operator.LESS)) {
      if (cursor.skip(operator.toString())) {
        values.add(value(cursor));
        return new QueryCondition(name.text(), operator, values);
      }
    }
    throw cursor.unexpected("one of = < <= > >= between in starts under");
  }

  private static @Nullable String value(Cursor cursor) {
    String text = cursor.bareValue("a value, or ?").text();
    return text.equals("?") ? null : text;
  }
}
