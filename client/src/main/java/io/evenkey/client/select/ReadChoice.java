/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import java.util.List;

/**
 * Which way a selection is read, and which others the client compared: part of {@link
 * Selection#explain}. Immutable.
 *
 * <pre>{@code
 * for (ReadPlan plan : events.select().where("device = 'd1'").explain().choice().plans()) {
 *   System.out.println(plan.name() + ": " + plan.verdict());
 * }
 * }</pre>
 *
 * @param chosen the way that is used
 * @param plans all ways: the table, then its indexes in the order in which they were added
 */
public record ReadChoice(ReadPlan chosen, List<ReadPlan> plans) {
  /** Copies the list. */
  public ReadChoice {
    plans = List.copyOf(plans);
  }
}
