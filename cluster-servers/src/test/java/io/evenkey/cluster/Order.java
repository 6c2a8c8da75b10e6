/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * An order, which may be given to another customer.
 *
 * @param id its number, which stays
 */
record Order(long id, String customer, String amount) {
  static final byte[] FAMILY = Bytes.toBytes("d");
  static final byte[] CUSTOMER = Bytes.toBytes("customer");
  static final byte[] AMOUNT = Bytes.toBytes("amount");

  /** Many of these have one customer. */
  static Order loaded(long id) {
    return new Order(id, String.format("c%02d", id % 50), "0");
  }

  static Order of(long id, Result row) {
    return new Order(
        id,
        Bytes.toString(row.getValue(FAMILY, CUSTOMER)),
        Bytes.toString(row.getValue(FAMILY, AMOUNT)));
  }

  Order with(String otherCustomer) {
    return new Order(id, otherCustomer, amount);
  }

  Order withAmount(String otherAmount) {
    return new Order(id, customer, otherAmount);
  }

  Put put(OrderKey key) {
    return new Put(key.of(this))
        .addColumn(FAMILY, CUSTOMER, Bytes.toBytes(customer))
        .addColumn(FAMILY, AMOUNT, Bytes.toBytes(amount));
  }
}
