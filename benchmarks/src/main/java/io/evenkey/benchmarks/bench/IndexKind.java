/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

/** The use of orders and their index. Each kind has tables of its own. */
public enum IndexKind {
  /** Orders are written that never change, and the index has their customer. */
  EVENTS,
  /** Orders are written that never change, and three indexes have customer, shop and both. */
  SEVERAL,
  /** Orders are written and changed, and the index has their customer and shop. */
  MUTABLE,
  /** Orders are read by an index that has all columns which the reader asks for. */
  COVERED,
  /** Orders are read by an index that has their customer only. */
  UNCOVERED;

  /** Whether the index has to follow changes of a row. */
  public boolean isMutable() {
    return this == MUTABLE;
  }

  /** Whether other systems and tables written by hand are compared too. */
  public boolean hasPeers() {
    return this != SEVERAL;
  }

  /** Whether it is about reads, in the order of the index. */
  public boolean isRead() {
    return this == COVERED || this == UNCOVERED;
  }
}
