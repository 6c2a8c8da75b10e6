/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

/**
 * A read of orders, in the order of their customers and then of their numbers. Immutable.
 *
 * @param first the number of the first customer
 * @param customers the number of customers that follow each other; 0 for all there are
 * @param limit the most rows, or 0 for all of them
 */
public record OrderRead(int first, int customers, int limit) {
  /** All orders. */
  static final OrderRead ALL = new OrderRead(0, 0, 0);

  /** Whether it is of all customers. */
  public boolean isOfAll() {
    return customers == 0;
  }

  /** The first customer. */
  public String from() {
    return Orders.customer(first);
  }

  /** The last customer. */
  public String to() {
    return Orders.customer(first + customers - 1);
  }
}
