/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import io.evenkey.layout.Layout;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table of orders in one key order. One order is written, read or deleted by a single call, and
 * several by one list. Not thread-safe.
 */
final class OrderTable implements Closeable {
  private static final byte[] CUSTOMER = Bytes.toBytes("customer");
  static final byte[] STATE = Bytes.toBytes("state");
  private static final byte[] FAMILY = HBaseTables.FAMILY;
  private static final byte[] SHOP = Bytes.toBytes("shop");

  private final Table table;
  private final BufferedMutator mutator;
  private final OrderKey key;
  private final Layout layout;

  private OrderTable(Table table, BufferedMutator mutator, OrderKey key, Layout layout) {
    this.table = table;
    this.mutator = mutator;
    this.key = key;
    this.layout = layout;
  }

  static OrderTable open(Connection dropIn, TableName name, OrderKey key, Layout layout)
      throws IOException {
    return new OrderTable(dropIn.getTable(name), dropIn.getBufferedMutator(name), key, layout);
  }

  TableName name() {
    return table.getName();
  }

  Layout layout() {
    return layout;
  }

  private byte[] row(Order order) {
    return key.of(layout, order);
  }

  private Put whole(Order order) {
    return customer(order)
        .addColumn(FAMILY, SHOP, Bytes.toBytes(order.shop()))
        .addColumn(FAMILY, STATE, Bytes.toBytes(order.state()));
  }

  private Put customer(Order order) {
    return new Put(row(order)).addColumn(FAMILY, CUSTOMER, Bytes.toBytes(order.customer()));
  }

  /** Writes orders. */
  void put(List<Order> orders) throws IOException {
    write(orders.stream().map(this::whole).toList());
  }

  /** Writes the customers of orders only. */
  void putCustomers(List<Order> orders) throws IOException {
    write(orders.stream().map(this::customer).toList());
  }

  private void write(List<Put> puts) throws IOException {
    if (puts.size() == 1) {
      table.put(puts.get(0));
    } else {
      table.put(puts);
    }
  }

  /** Hands over orders, to be written in the background. */
  void buffer(List<Order> orders) throws IOException {
    for (Order order : orders) {
      mutator.mutate(whole(order));
    }
  }

  /** Writes the orders that were handed over. */
  void flush() throws IOException {
    mutator.flush();
  }

  /** The customers that orders have in the table. */
  List<String> customers(List<Order> orders) throws IOException {
    List<Get> gets =
        orders.stream().map(order -> new Get(row(order)).addColumn(FAMILY, CUSTOMER)).toList();
    Result[] rows = gets.size() == 1 ? new Result[] {table.get(gets.get(0))} : table.get(gets);
    List<String> customers = new ArrayList<>(rows.length);
    for (Result row : rows) {
      customers.add(Bytes.toString(row.getValue(FAMILY, CUSTOMER)));
    }
    return customers;
  }

  /** Deletes orders. */
  void delete(List<Order> orders) throws IOException {
    if (orders.size() == 1) {
      table.delete(new Delete(row(orders.get(0))));
    } else {
      // HBase takes out of the list what it has deleted.
      table.delete(new ArrayList<>(orders.stream().map(order -> new Delete(row(order))).toList()));
    }
  }

  @Override
  public void close() throws IOException {
    try (table) {
      mutator.close();
    }
  }
}
