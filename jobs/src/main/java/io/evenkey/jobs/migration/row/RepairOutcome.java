/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.row;

import io.evenkey.jobs.compare.Difference;
import java.util.List;

/**
 * The result of a comparison that repairs.
 *
 * @param rows the number of compared rows
 * @param repaired the number of rows that were made the same
 * @param left the rows that still differ
 */
public record RepairOutcome(long rows, long repaired, List<Difference> left) {
  /**
   * This outcome of a repair while clients write: rows that differ then have marks of their own, by
   * which a later pass finds them.
   */
  public RepairOutcome underWriters() {
    return new RepairOutcome(rows, repaired, List.of());
  }
}
