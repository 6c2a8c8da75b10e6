/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

/**
 * A row of a comparison of indexes. Immutable.
 *
 * @param id the key
 * @param customer what the index has
 * @param shop what an index of rows that change has too
 * @param state text that no key has
 */
public record Order(long id, String customer, String shop, String state) {
  /** Returns this order with another customer. */
  Order of(String other) {
    return new Order(id, other, shop, state);
  }

  /** A number computed from what a read returns, so that all of it is read; never negative. */
  public static long mixed(String customer, long id, int stateLength) {
    int mixed = 31 * customer.hashCode() + Long.hashCode(id);
    return (31L * mixed + stateLength) & 0xffffffffL;
  }
}
