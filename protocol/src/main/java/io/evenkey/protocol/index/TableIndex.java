/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import io.evenkey.layout.Layout;
import io.evenkey.layout.message.Quoted;
import io.evenkey.protocol.naming.DerivedTable;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The definition of an index of a table. {@link #toString} is its text, as the table's descriptor
 * stores it, and {@code TableIndex.parse(toString())} equals the index:
 *
 * <pre>
 * by_customer events public since 4 as "salt(8, customer) + customer:string + ts:timestamp desc"
 *     from customer=d:customer covering d:amount, d:state where "customer != ''"
 * </pre>
 *
 * <p>Built in Java:
 *
 * <pre>{@code
 * TableIndex index =
 *     TableIndex.of(
 *         "by_customer",
 *         IndexProtocol.EVENTS,
 *         Layout.parse("salt(8, customer) + customer:string + ts:timestamp desc"),
 *         IndexParser.columns("customer=d:customer"),
 *         IndexParser.covering("d:amount, d:state"));
 * }</pre>
 *
 * <p>Immutable and thread-safe; compared by value.
 *
 * @param name its name among the table's indexes
 * @param protocol how clients keep it up to date
 * @param state whether clients may read it
 * @param since the {@linkplain TableIndexes#version version} of the table's indexes in which it was
 *     added, which tells it from an equal index that was dropped before; 0 if it belongs to no
 *     table
 * @param layout the layout of the index's own keys
 * @param columns the fields of the layout that come from columns; the others are fields of the
 *     table's key
 * @param covering the columns that are copied into each entry, in the order in which an entry
 *     stores them
 * @param where a condition on the index's fields, as {@link io.evenkey.layout.scatter.Where} parses
 *     it; rows that do not meet it have no entry. Empty for all rows
 */
public record TableIndex(
    String name,
    IndexProtocol protocol,
    IndexState state,
    long since,
    Layout layout,
    List<IndexColumn> columns,
    List<ColumnName> covering,
    String where) {
  /** A name can be a part of a table's name; HBase's limits, without dots and dashes. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,99}");

  /** The generations of a table have such names, as {@code orders.g2}. */
  private static final Pattern GENERATION = Pattern.compile("g[0-9]+");

  /** Checks the name, and that no field or covered column is named twice. */
  public TableIndex {
    checkName(name);
    columns = List.copyOf(columns);
    covering = List.copyOf(covering);
    Set<String> fields = new HashSet<>();
    for (IndexColumn column : columns) {
      if (!fields.add(column.field())) {
        throw new IndexException(
            "index takes a field from two columns",
            values(name, "field", Quoted.name(column.field())),
            "name each field once");
      }
    }
    Set<ColumnName> covered = new HashSet<>();
    for (ColumnName column : covering) {
      if (!covered.add(column)) {
        throw new IndexException(
            "index covers a column twice",
            values(name, "column", column.toString()),
            "name each column once");
      }
    }
  }

  private static void checkName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IndexException(
          "name that no index can have",
          "index=" + Quoted.name(name),
          "use letters, digits and '_', at most 100, the first one not a digit");
    }
    if (GENERATION.matcher(name).matches()) {
      throw new IndexException(
          "name that a generation of the table can have",
          "index=" + name,
          "generations are named g2, g3 and so on: use another name");
    }
  }

  static String values(String index, String key, String value) {
    return "index=" + index + " " + key + "=" + value;
  }

  /**
   * Parses the text of an index.
   *
   * @throws io.evenkey.layout.text.LayoutException if it is not the text of an index; shows the
   *     place
   */
  public static TableIndex parse(String text) {
    return IndexParser.index(text);
  }

  /** Returns an index of all rows, not yet added to a table. */
  public static TableIndex of(
      String name,
      IndexProtocol protocol,
      Layout layout,
      List<IndexColumn> columns,
      List<ColumnName> covering) {
    return new TableIndex(name, protocol, IndexState.JOINING, 0, layout, columns, covering, "");
  }

  /** Returns this index restricted to the rows that meet a condition on fields of its layout. */
  public TableIndex where(String condition) {
    return new TableIndex(
        name, protocol, state, since, layout, columns, covering, condition.strip());
  }

  /** Returns this index in another state. */
  public TableIndex in(IndexState next) {
    return new TableIndex(name, protocol, next, since, layout, columns, covering, where);
  }

  /** Returns this index as added in a version of a table's indexes. */
  public TableIndex since(long version) {
    return new TableIndex(name, protocol, state, version, layout, columns, covering, where);
  }

  /** Returns this index with another layout of its keys. */
  TableIndex with(Layout other) {
    return new TableIndex(name, protocol, state, since, other, columns, covering, where);
  }

  /**
   * Returns the column that a field of the layout comes from; empty if the field belongs to the
   * table's key.
   */
  public Optional<IndexColumn> column(String field) {
    return columns.stream().filter(column -> column.field().equals(field)).findFirst();
  }

  /** Returns the indexed columns and then the covered ones, each once. */
  public Set<ColumnName> columnNames() {
    Set<ColumnName> names = new LinkedHashSet<>();
    columns.forEach(column -> names.add(column.column()));
    names.addAll(covering);
    return names;
  }

  /**
   * Returns HBase's name of the table that stores the entries.
   *
   * @param table the name of the indexed table, with its namespace unless that is the default
   */
  public String tableName(String table) {
    return tableName(table, name);
  }

  /**
   * Returns HBase's name of the table that stores the entries of an index of which only the name is
   * known.
   */
  public static String tableName(String table, String index) {
    return DerivedTable.of(table, index);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(name).append(' ').append(protocol).append(' ').append(state);
    if (since > 0) {
      text.append(" since ").append(since);
    }
    text.append(" as ").append(Quoted.literal(layout.toString()));
    if (!columns.isEmpty()) {
      text.append(" from ").append(list(columns));
    }
    if (!covering.isEmpty()) {
      text.append(" covering ").append(list(covering));
    }
    if (!where.isEmpty()) {
      text.append(" where ").append(Quoted.literal(where));
    }
    return text.toString();
  }

  private static String list(List<?> items) {
    return items.stream().map(Object::toString).collect(Collectors.joining(", "));
  }
}
