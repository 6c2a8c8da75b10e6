/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import java.util.Comparator;
import java.util.Map;

/** The row keys that a table of orders has, one after the other. */
enum OrderKey {
  BY_ID("id:int64"),
  BY_CUSTOMER("customer:string + id:int64");

  private static final Layout OF_IDS = Layout.parse("salt(6) + " + BY_ID.fields);
  private static final Layout OF_CUSTOMERS =
      Layout.parse("salt(4, customer) + " + BY_CUSTOMER.fields);

  private final String fields;

  OrderKey(String fields) {
    this.fields = fields;
  }

  /** As an application names the key in {@code evenkey.key.TABLE}. */
  String fields() {
    return fields;
  }

  Layout layout() {
    return this == BY_ID ? OF_IDS : OF_CUSTOMERS;
  }

  /** The order of the rows. */
  Comparator<Order> order() {
    Comparator<Order> byId = Comparator.comparing(Order::id);
    return this == BY_ID ? byId : Comparator.comparing(Order::customer).thenComparing(byId);
  }

  byte[] of(Order order) {
    Map<String, Object> values = Map.of("id", order.id(), "customer", order.customer());
    return layout().logicalKey(Values.of(values));
  }
}
