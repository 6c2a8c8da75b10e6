/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import io.evenkey.client.select.KeyedRow;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.field.Field;
import java.util.Collection;
import java.util.Comparator;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A row of an {@link IndexedTable} by the fields of its key, and the text of its columns by their
 * names. Immutable.
 */
record Order(String seller, long id, TreeMap<String, String> columns) {
  /** A row as a selection gives it. */
  static Order of(KeyedRow row) {
    return new Order(row.getString("seller"), row.getLong("id"), columns(row.result()));
  }

  /**
   * A row as a table gives it.
   *
   * @param layout the layout of its key, which has all fields of the table's
   */
  static Order of(Layout layout, Result row) {
    return of(layout.decodeLogical(row.getRow()), row);
  }

  static Order of(Values key, Result row) {
    return new Order(key.getString("seller"), key.getLong("id"), columns(row));
  }

  private static TreeMap<String, String> columns(Result row) {
    TreeMap<String, String> columns = new TreeMap<>();
    for (Cell cell : row.isEmpty() ? new Cell[0] : row.rawCells()) {
      columns.put(
          Bytes.toString(CellUtil.cloneQualifier(cell)),
          Bytes.toStringBinary(CellUtil.cloneValue(cell)));
    }
    return columns;
  }

  @Nullable String customer() {
    return columns.get("customer");
  }

  @Nullable String state() {
    return columns.get("state");
  }

  /** The value of a field of the table's key, or of a column; null if the row has none. */
  @Nullable Comparable<?> value(String field) {
    return switch (field) {
      case "seller" -> seller;
      case "id" -> (Long) id;
      default -> columns.get(field);
    };
  }

  /** The order of rows that have all fields of a layout. */
  static Comparator<Order> by(Layout layout) {
    return layout.fields().stream().map(Order::by).reduce(Comparator::thenComparing).orElseThrow();
  }

  private static Comparator<Order> by(Field field) {
    Comparator<Order> up =
        field.name().equals("id")
            ? Comparator.comparingLong(Order::id)
            : Comparator.comparing(order -> String.valueOf(order.value(field.name())));
    return field.descending() ? up.reversed() : up;
  }

  /** The row as a read of some columns returns it. */
  Order only(Collection<String> names) {
    TreeMap<String, String> some = new TreeMap<>(columns);
    some.keySet().retainAll(names);
    return new Order(seller, id, some);
  }

  /** A put of the columns. */
  Put put() {
    Put put = new Put(IndexedTable.key(seller, id));
    columns.forEach(
        (name, value) -> put.addColumn(IndexedTable.D, Bytes.toBytes(name), Bytes.toBytes(value)));
    return put;
  }
}
