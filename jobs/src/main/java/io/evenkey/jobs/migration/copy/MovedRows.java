/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.copy;

import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.layout.step.AppendedSteps;
import java.util.List;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;

/** The stored rows that a step of the past may move. Stateless. */
final class MovedRows {
  private MovedRows() {}

  /**
   * The ranges in which rows at or after the step are, and those to which they are moved, where
   * tombstones may be in their way; empty if all rows are copied.
   */
  static List<RowRange> ranges(Migration migration) {
    return migration.kind() instanceof Kind.StepWithRewriting step
        ? AppendedSteps.parse(step.before(), step.after()).ranges().stream()
            .map(range -> new RowRange(range.start(), true, range.stop(), false))
            .toList()
        : List.of();
  }
}
