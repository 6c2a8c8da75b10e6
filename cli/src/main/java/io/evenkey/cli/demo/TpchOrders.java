/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.demo;

import io.airlift.tpch.Order;
import io.airlift.tpch.OrderGenerator;
import io.evenkey.jobs.records.RecordCursor;
import io.evenkey.jobs.records.RecordSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The orders of the TPC-H benchmark in the order of their dates, like arrivals in a shop: 1,500,000
 * per unit of scale. The records are always the same.
 */
public final class TpchOrders implements RecordSource {
  private static final List<String> COLUMNS =
      List.of("orderdate", "orderkey", "custkey", "status", "totalprice", "priority", "clerk");

  private final double scale;
  private final List<Order> orders = new ArrayList<>();

  private TpchOrders(double scale) {
    this.scale = scale;
  }

  /** The orders at a scale factor, such as 0.1 for 150,000. All are held in memory. */
  public static TpchOrders atScale(double scale) {
    TpchOrders source = new TpchOrders(scale);
    new OrderGenerator(scale, 1, 1).forEach(source.orders::add);
    source.orders.sort(
        Comparator.comparingInt(Order::getOrderDate).thenComparingLong(Order::getOrderKey));
    return source;
  }

  @Override
  public String name() {
    return "TPC-H orders, scale " + scale;
  }

  @Override
  public List<String> columns() {
    return COLUMNS;
  }

  @Override
  public RecordCursor open() {
    return new Cursor(orders);
  }

  private static final class Cursor implements RecordCursor {
    private final List<Order> orders;
    private int at = -1;

    Cursor(List<Order> orders) {
      this.orders = orders;
    }

    @Override
    public boolean next() {
      return ++at < orders.size();
    }

    @Override
    public String value(int column) {
      Order order = orders.get(at);
      return switch (COLUMNS.get(column)) {
        case "orderdate" -> LocalDate.ofEpochDay(order.getOrderDate()).toString();
        case "orderkey" -> Long.toString(order.getOrderKey());
        case "custkey" -> Long.toString(order.getCustomerKey());
        case "status" -> String.valueOf(order.getOrderStatus());
        case "totalprice" -> String.format(Locale.ROOT, "%.2f", order.getTotalPrice());
        case "priority" -> order.getOrderPriority();
        default -> order.getClerk();
      };
    }

    @Override
    public List<String> columns() {
      return COLUMNS;
    }

    @Override
    public long line() {
      return at + 1L;
    }

    @Override
    public void close() {}
  }
}
