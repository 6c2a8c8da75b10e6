/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.field.Field;
import io.evenkey.protocol.index.IndexColumn;
import io.evenkey.protocol.index.IndexKey;
import io.evenkey.protocol.index.IndexProtocol;
import io.evenkey.protocol.index.TableIndex;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * An index of an {@link IndexedTable}, and the rows that it has, in its order, as a filter of all
 * rows says it. Immutable.
 *
 * @param isPartial whether the index has a condition
 * @param condition of a row that has the indexed columns
 */
record OrderIndex(TableIndex index, boolean isPartial, Predicate<Order> condition) {
  /**
   * Indexes of a protocol: one that covers a column, one of two columns with a descending field,
   * and one with a condition.
   *
   * @param ofKey whether there is one of the table's key alone too
   */
  static List<OrderIndex> of(IndexProtocol protocol, boolean ofKey) {
    List<OrderIndex> indexes = new ArrayList<>();
    if (ofKey) {
      // It takes no column, so that no row of it changes.
      IndexProtocol ofKeys = protocol == IndexProtocol.MUTABLE ? IndexProtocol.EVENTS : protocol;
      indexes.add(whole("by_id " + ofKeys + " public as \"salt(2) + id:int64\""));
    }
    indexes.add(
        whole(
            "by_customer "
                + protocol
                + " public as \"salt(3) + customer:string\" from customer=d:customer"
                + " covering d:amount"));
    indexes.add(
        whole(
            "by_state "
                + protocol
                + " public as \"salt(2) + state:string desc + customer:string + id:int64 desc\""
                + " from state=d:state, customer=d:customer"));
    TableIndex late =
        TableIndex.parse(
            "late_customers "
                + protocol
                + " public as \"salt(1) + customer:string\" from customer=d:customer");
    indexes.add(
        new OrderIndex(
            late.where("customer >= 'c5'"),
            true,
            order -> String.valueOf(order.customer()).compareTo("c5") >= 0));
    return indexes;
  }

  private static OrderIndex whole(String text) {
    return new OrderIndex(TableIndex.parse(text), false, order -> true);
  }

  String name() {
    return index.name();
  }

  /** With all fields of the table's key. */
  Layout layout() {
    return IndexKey.of(IndexedTable.LAYOUT, index).index().layout();
  }

  boolean has(Order order) {
    return index.columns().stream().allMatch(column -> order.value(column.field()) != null)
        && condition.test(order);
  }

  /** Of these rows those that the index has, in its order. */
  List<Order> of(Collection<Order> orders) {
    return orders.stream().filter(this::has).sorted(order()).toList();
  }

  Comparator<Order> order() {
    return Order.by(layout());
  }

  /** Whether a condition is on fields that the index has. */
  boolean reads(Collection<String> fields) {
    return layout().fields().stream().map(Field::name).toList().containsAll(fields);
  }

  /** Whether each row has an entry that meets a condition on these fields. */
  boolean serves(Collection<String> fields) {
    return !isPartial
        && reads(fields)
        && fields.containsAll(index.columns().stream().map(IndexColumn::field).toList());
  }

  /** The logical key of a row that the index has. */
  byte[] key(Order order) {
    Values values = Values.of("seller", order.seller()).and("id", order.id());
    for (IndexColumn column : index.columns()) {
      values = values.and(column.field(), String.valueOf(order.value(column.field())));
    }
    return layout().logicalKey(values);
  }
}
