/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.client.select.Selection;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;

/** Tables of orders. */
final class Orders {
  private static final int BATCH = 1_000;

  private Orders() {}

  /** Creates a table by the number of the order, and puts orders into it. */
  static TableName load(Connection plain, String name, int regions, int orders) throws IOException {
    TableName table = TableName.valueOf(name);
    Layout layout = OrderKey.BY_ID.layout();
    try (SpreadTables tables = SpreadTables.on(plain)) {
      SpreadTable open = tables.create(table, layout, layout.splits(regions), List.of("d"));
      List<Put> batch = new ArrayList<>(BATCH);
      for (long id = 0; id < orders; id++) {
        batch.add(Order.loaded(id).put(OrderKey.BY_ID));
        if (batch.size() == BATCH || id == orders - 1) {
          open.put(batch);
          batch.clear();
        }
      }
    }
    return table;
  }

  /** All orders of a selection, in its order. */
  static List<Order> read(Selection selection) throws IOException {
    List<Order> orders = new ArrayList<>();
    try (KeyedRows rows = selection.open()) {
      for (KeyedRow row : rows) {
        Order order = Order.of(row.getLong("id"), row.result());
        if (row.asMap().containsKey("customer")
            && !order.customer().equals(row.getString("customer"))) {
          assertThat(row.getString("customer")).as("key of %s", order).isEqualTo(order.customer());
        }
        orders.add(order);
      }
    }
    return orders;
  }

  /** A selection has exactly the orders that writers have written, in this order. */
  static void check(List<Order> found, OrderWriters writers, Comparator<Order> order)
      throws IOException {
    assertThat(found).isEqualTo(writers.orders(found).stream().sorted(order).toList());
  }
}
