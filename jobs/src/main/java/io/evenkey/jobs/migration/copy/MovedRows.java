/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.copy;

import io.evenkey.client.registry.Migration;
import io.evenkey.layout.AppendedSteps;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.scatter.Scatter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;

/** The stored rows that a step of the past may move. Stateless. */
final class MovedRows {
  private MovedRows() {}

  /**
   * The ranges in which rows at or after the step are, and those to which they are moved, where
   * tombstones may be in their way; empty if all rows are copied.
   */
  static List<RowRange> ranges(Migration migration) {
    Migration.Step step = migration.step();
    return step == null ? List.of() : ranges(AppendedSteps.parse(step.before(), step.after()));
  }

  private static List<RowRange> ranges(AppendedSteps steps) {
    Set<KeyRange> ranges = new LinkedHashSet<>();
    for (Layout layout : List.of(steps.before(), steps.after())) {
      ranges.addAll(Scatter.of(layout.spread(), steps.condition()).ranges());
    }
    List<RowRange> found = new ArrayList<>(ranges.size());
    for (KeyRange range : ranges) {
      found.add(new RowRange(range.start(), true, range.stop(), false));
    }
    return found;
  }
}
