/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import io.evenkey.client.SpreadTable;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.index.ColumnName;
import io.evenkey.protocol.index.IndexParser;
import io.evenkey.protocol.index.IndexProtocol;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One spread table of orders, with an index by customer, three indexes, or without. */
final class SpreadSide implements IndexSide {
  private final SideTables tables;
  private final IndexKind kind;
  private final OrderTable table;
  private final SpreadTable read;
  private final @Nullable TableIndex index;

  private SpreadSide(
      SideTables tables, IndexKind kind, OrderTable table, @Nullable TableIndex index)
      throws IOException {
    this.tables = tables;
    this.kind = kind;
    this.table = table;
    this.read = tables.open(table);
    this.index = index;
  }

  /** Has one key order: where orders are written that of their numbers, else that of customers. */
  static SpreadSide withoutIndex(SideTables tables, IndexKind kind, int buckets)
      throws IOException {
    OrderKey key = kind.isRead() ? OrderKey.BY_CUSTOMER : OrderKey.BY_ID;
    return new SpreadSide(tables, kind, tables.create("bench_plain", key, buckets), null);
  }

  /** Has the key order of numbers, and an index in that of customers. */
  static SpreadSide withIndex(SideTables tables, IndexKind kind, int buckets) throws IOException {
    OrderTable table = tables.create("bench_evenkey", OrderKey.BY_ID, buckets);
    TableIndex index = index(kind, buckets);
    tables.add(index, table, buckets);
    if (kind == IndexKind.SEVERAL) {
      tables.add(events("by_shop", "shop:string", "shop=d:shop", buckets), table, buckets);
      tables.add(
          events(
              "by_both",
              "shop:string + customer:string",
              "shop=d:shop,customer=d:customer",
              buckets),
          table,
          buckets);
    }
    return new SpreadSide(tables, kind, table, index);
  }

  private static TableIndex events(String name, String fields, String columns, int buckets) {
    Layout layout = Layout.parse("salt(" + buckets + ") + " + fields);
    return TableIndex.of(
        name, IndexProtocol.EVENTS, layout, IndexParser.columns(columns), List.of());
  }

  private static TableIndex index(IndexKind kind, int buckets) {
    IndexProtocol protocol = IndexProtocol.EVENTS;
    String fields = "customer:string";
    String columns = "customer=d:customer";
    List<ColumnName> covered = List.of();
    if (kind.isMutable()) {
      protocol = IndexProtocol.MUTABLE;
      fields += " + shop:string";
      columns += ",shop=d:shop";
    } else if (kind == IndexKind.COVERED) {
      protocol = IndexProtocol.APPEND_ONLY;
      covered = IndexParser.covering("d:state");
    }
    Layout layout = Layout.parse("salt(" + buckets + ") + " + fields);
    return TableIndex.of("by_customer", protocol, layout, IndexParser.columns(columns), covered);
  }

  @Override
  public String name() {
    return index == null ? "plain" : "evenkey";
  }

  @Override
  public boolean can(IndexTask task) {
    return true;
  }

  @Override
  public void put(List<Order> orders) throws IOException {
    table.put(orders);
  }

  @Override
  public void buffer(List<Order> orders) throws IOException {
    table.buffer(orders);
  }

  @Override
  public void flush() throws IOException {
    table.flush();
  }

  @Override
  public void change(List<Order> orders) throws IOException {
    table.putCustomers(orders);
  }

  @Override
  public void load(Path csv) throws IOException {
    tables.load(csv, table);
  }

  @Override
  public void settle() throws IOException {
    if (kind == IndexKind.COVERED) {
      tables.sweep();
    }
    tables.flush();
  }

  @Override
  public RowScan scan(OrderRead wanted) throws IOException {
    return OrderScan.open(
        index == null ? read.select() : read.select().by(index.name()), kind, wanted);
  }

  @Override
  public void close() throws IOException {
    tables.close();
  }
}
