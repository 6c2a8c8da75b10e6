/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What applications write by hand: the row, and then the same row by customer in a second table. A
 * change asks for the customer before, whose row in the second table it deletes. If a writer dies
 * in between, or two change one order, the tables differ.
 */
final class TwoTablesSide implements IndexSide {
  private final SideTables tables;
  private final OrderTable byId;
  private final OrderTable byCustomer;

  TwoTablesSide(SideTables tables, int buckets) throws IOException {
    this.tables = tables;
    this.byId = tables.create("bench_by_hand", OrderKey.BY_ID, buckets);
    this.byCustomer = tables.create("bench_by_hand_second", OrderKey.BY_CUSTOMER, buckets);
  }

  @Override
  public String name() {
    return "naive";
  }

  @Override
  public boolean can(IndexTask task) {
    return !task.kind().isRead();
  }

  @Override
  public void put(List<Order> orders) throws IOException {
    byId.put(orders);
    byCustomer.put(orders);
  }

  @Override
  public void buffer(List<Order> orders) throws IOException {
    byId.buffer(orders);
    byCustomer.buffer(orders);
  }

  @Override
  public void flush() throws IOException {
    byId.flush();
    byCustomer.flush();
  }

  @Override
  public void change(List<Order> orders) throws IOException {
    List<String> before = byId.customers(orders);
    byId.putCustomers(orders);
    byCustomer.put(orders);
    List<Order> old = new ArrayList<>(orders.size());
    for (int i = 0; i < orders.size(); i++) {
      if (!before.get(i).equals(orders.get(i).customer())) {
        old.add(orders.get(i).of(before.get(i)));
      }
    }
    if (!old.isEmpty()) {
      byCustomer.delete(old);
    }
  }

  @Override
  public void load(Path csv) throws IOException {
    tables.load(csv, byId);
    tables.load(csv, byCustomer);
  }

  @Override
  public void settle() throws IOException {
    tables.flush();
  }

  @Override
  public RowScan scan(OrderRead read) {
    throw new UnsupportedOperationException("read like a table of that order");
  }

  @Override
  public void close() throws IOException {
    tables.close();
  }
}
