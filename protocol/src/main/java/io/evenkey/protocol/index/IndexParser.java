/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import io.evenkey.layout.Layout;
import io.evenkey.layout.token.Cursor;
import io.evenkey.layout.token.Token;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Reads the texts of indexes:
 *
 * <pre>
 * indexes  = "format" "=" number "version" "=" number { ";" index }
 * index    = name protocol state [ "since" number ] "as" line [ "from" columns ] [ "covering" covering ] [ "where" condition ]
 * columns  = name "=" name ":" name [ ":" form ] { "," … }
 * covering = name ":" name { "," … }
 * line     = a layout line between quotes
 * condition = a condition on fields of the line between quotes
 * </pre>
 *
 * <p>{@code columns} and {@code covering} are also the arguments of commands. Each part is read by
 * one {@link Cursor}, so a mistake is shown with its place; one in a layout line, with the place in
 * that line.
 */
public final class IndexParser {
  private static final String LANGUAGE = "index";

  /** Columns are also the argument of a change of the row key, which has no index. */
  private static final String COLUMNS = "columns";

  private final Cursor cursor;

  private IndexParser(String language, String text) {
    cursor = Cursor.over(language, text);
  }

  /**
   * Parses fields with the columns they come from: {@code customer=d:customer,
   * amount=d:amount:long}.
   *
   * @throws io.evenkey.layout.text.SyntaxException if the text is something else; shows the place
   */
  public static List<IndexColumn> columns(String text) {
    IndexParser parser = new IndexParser(COLUMNS, text);
    return parser.whole(parser.list(IndexParser::column));
  }

  /**
   * Parses names of columns: {@code d:amount, d:state}.
   *
   * @throws io.evenkey.layout.text.SyntaxException if the text is something else; shows the place
   */
  public static List<ColumnName> covering(String text) {
    IndexParser parser = new IndexParser(COLUMNS, text);
    return parser.whole(parser.list(IndexParser::name));
  }

  static TableIndex index(String text) {
    IndexParser parser = new IndexParser(LANGUAGE, text);
    return parser.whole(parser.index());
  }

  static TableIndexes indexes(String text) {
    IndexParser parser = new IndexParser(LANGUAGE, text);
    int format = (int) parser.number("format", Integer.MAX_VALUE);
    if (format > TableIndexes.FORMAT) {
      throw new IndexException(
          "indexes of a later format",
          "format=" + format + " newest=" + TableIndexes.FORMAT,
          "use the version of Evenkey that wrote them, or a later one");
    }
    long version = parser.number("version", Long.MAX_VALUE);
    List<TableIndex> list = new ArrayList<>();
    while (parser.cursor.skip(";")) {
      list.add(parser.index());
    }
    return new TableIndexes(version, parser.whole(list));
  }

  static void checkLength(String text) {
    Cursor.over(LANGUAGE, text);
  }

  private <T> T whole(T read) {
    if (cursor.peek().kind() != Token.Kind.END) {
      throw cursor.unexpected("the end of the line");
    }
    return read;
  }

  private long number(String key, long most) {
    expectWord(key);
    cursor.expect("=");
    return cursor.expectLong(key, 1, most);
  }

  private void expectWord(String word) {
    if (!cursor.skipWord(word)) {
      throw cursor.unexpected(word);
    }
  }

  private TableIndex index() {
    String name = cursor.expectName("the name of an index").text();
    IndexProtocol protocol = oneOf("protocol", IndexProtocol.values());
    IndexState state = oneOf("state", IndexState.values());
    long since = cursor.skipWord("since") ? cursor.expectLong("since", 1, Long.MAX_VALUE) : 0;
    expectWord("as");
    Layout layout = Layout.parse(text("a layout line between quotes"));
    List<IndexColumn> columns = cursor.skipWord("from") ? list(IndexParser::column) : List.of();
    List<ColumnName> covering = cursor.skipWord("covering") ? list(IndexParser::name) : List.of();
    String where = cursor.skipWord("where") ? text("a condition between quotes") : "";
    return new TableIndex(name, protocol, state, since, layout, columns, covering, where);
  }

  private String text(String meaning) {
    if (cursor.peek().kind() != Token.Kind.STRING) {
      throw cursor.unexpected(meaning);
    }
    return cursor.next().text();
  }

  private <T> List<T> list(Function<IndexParser, T> item) {
    List<T> items = new ArrayList<>();
    do {
      items.add(item.apply(this));
    } while (cursor.skip(","));
    return items;
  }

  private IndexColumn column() {
    String field = cursor.expectName("a field: field=family:qualifier").text();
    cursor.expect("=");
    ColumnName column = name();
    ColumnForm form =
        cursor.skip(":") ? oneOf("column form", ColumnForm.values()) : ColumnForm.TEXT;
    return new IndexColumn(field, column, form);
  }

  private ColumnName name() {
    String family = part("a column: family:qualifier");
    cursor.expect(":");
    return new ColumnName(family, part("a qualifier"));
  }

  private String part(String meaning) {
    Token name = cursor.peek();
    if (name.kind() == Token.Kind.NUMBER) {
      throw cursor.error(
          name.span(),
          "a name that begins with a digit",
          "put it between `backquotes`: `" + name.text() + "`");
    }
    String text = cursor.expectName(meaning).text();
    Token next = cursor.peek();
    if (next.is("-")) {
      throw cursor.error(
          next.span(), "a name with '-' in it", "put the whole name between `backquotes`");
    }
    return text;
  }

  private <E extends Enum<E>> E oneOf(String meaning, E[] values) {
    List<String> known = Arrays.stream(values).map(E::toString).toList();
    Token word = cursor.expectName("a " + meaning + ": " + String.join(", ", new TreeSet<>(known)));
    int at = known.indexOf(word.text());
    if (at < 0) {
      throw cursor.unknown(meaning, word, known);
    }
    return values[at];
  }
}
