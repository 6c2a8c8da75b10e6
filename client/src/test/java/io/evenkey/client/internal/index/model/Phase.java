/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The phases of a write. A batch ends each for all of its rows before it begins the next one. */
enum Phase {
  READ,
  PUT_ENTRY,
  READ_AGAIN,
  CHANGE,
  REMOVE_OLD_ENTRY;

  /** The order of the phases by rules. */
  static List<Phase> order(Set<Rule> rules) {
    List<Phase> order = new ArrayList<>(List.of(values()));
    if (rules.contains(Rule.READ_BEFORE_ENTRY)) {
      order.remove(READ_AGAIN);
    }
    if (!rules.contains(Rule.ENTRY_FIRST)) {
      order.remove(PUT_ENTRY);
      order.add(order.indexOf(CHANGE) + 1, PUT_ENTRY);
    }
    return List.copyOf(order);
  }
}
