/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;

/** The key orders of orders. */
enum OrderKey {
  /** The order's number. */
  BY_ID("id:int64"),
  /** The customer, then the order's number. */
  BY_CUSTOMER("customer:string + id:int64");

  private final String fields;

  OrderKey(String fields) {
    this.fields = fields;
  }

  /** Salted by the whole key. */
  Layout layout(int buckets) {
    return Layout.parse("salt(" + buckets + ") + " + fields);
  }

  byte[] of(Layout layout, Order order) {
    Values id = Values.of("id", order.id());
    return layout.logicalKey(this == BY_ID ? id : id.and("customer", order.customer()));
  }
}
