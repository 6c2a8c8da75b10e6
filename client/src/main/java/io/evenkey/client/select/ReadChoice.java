/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import java.util.List;

/**
 * The way in which the rows of a selection are read, and the others. Immutable.
 *
 * @param chosen the one that is used
 * @param plans all of them: the table, then its indexes in the order in which they were added
 */
public record ReadChoice(ReadPlan chosen, List<ReadPlan> plans) {
  /** Copies the list. */
  public ReadChoice {
    plans = List.copyOf(plans);
  }
}
