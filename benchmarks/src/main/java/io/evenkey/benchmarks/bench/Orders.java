/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * The orders of a comparison of indexes, by number. Customers take turns, so each of them has
 * {@value #PER_CUSTOMER} of the first ones.
 *
 * @param count the number of the first ones, whole thousands
 */
record Orders(int count) {
  static final int PER_CUSTOMER = 200;
  static final int STATE_LENGTH = 100;
  private static final int SHOPS = 50;
  private static final int LETTERS = 26;

  int customers() {
    return count / PER_CUSTOMER;
  }

  static String customer(int number) {
    return String.format(Locale.ROOT, "c%06d", number);
  }

  /** Orders whose numbers follow each other. */
  List<Order> from(long first, int howMany) {
    List<Order> orders = new ArrayList<>(howMany);
    for (long id = first; id < first + howMany; id++) {
      orders.add(new Order(id, customer((int) (id % customers())), "s" + id % SHOPS, state(id)));
    }
    return orders;
  }

  /** Letters, so that a file of records can have them. */
  private static String state(long id) {
    SplittableRandom random = new SplittableRandom(id);
    StringBuilder state = new StringBuilder(STATE_LENGTH);
    for (int i = 0; i < STATE_LENGTH; i++) {
      state.append((char) ('a' + random.nextInt(LETTERS)));
    }
    return state.toString();
  }

  /** The expected result of a read of the first orders. */
  OrderSum expected(OrderRead read) {
    OrderSum sum = new OrderSum();
    int most = read.limit() == 0 ? Integer.MAX_VALUE : read.limit();
    int end = read.isOfAll() ? customers() : read.first() + read.customers();
    for (int number = read.isOfAll() ? 0 : read.first(); number < end; number++) {
      String customer = customer(number);
      for (int i = 0; i < PER_CUSTOMER && sum.rows() < most; i++) {
        sum.add(Order.mixed(customer, number + (long) i * customers(), STATE_LENGTH));
      }
    }
    return sum;
  }
}
