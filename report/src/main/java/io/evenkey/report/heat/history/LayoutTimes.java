/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import io.evenkey.layout.Layout;
import io.evenkey.layout.text.LayoutException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The layouts that tables have had: the present ones, and those before by the events of changes.
 * Not thread-safe.
 *
 * <p>A change that leaves the rows as they were is none here, so that a later layout describes the
 * earlier rows: a layout that was recorded for a table without one, or a step of the salt.
 */
final class LayoutTimes {
  private static final String NONE = "no layout";
  private static final String ARROW = " → ";

  private final Map<String, Layout> now;
  private final Map<String, List<RegionEvent>> changes = new HashMap<>();
  private final Map<String, Layout> parsed = new HashMap<>();

  /**
   * Creates them.
   *
   * @param now the present layouts, by table
   * @param marks all events since the earliest moment of interest
   */
  LayoutTimes(Map<String, Layout> now, List<RegionEvent> marks) {
    this.now = now;
    for (RegionEvent mark : marks) {
      if (mark.kind() == RegionEvent.Kind.GENERATION) {
        changes.computeIfAbsent(mark.table(), name -> new ArrayList<>()).add(mark);
      }
    }
    changes.values().forEach(all -> all.sort(Comparator.comparingLong(e -> -e.at())));
  }

  /** The text of the event of a change. */
  static String change(@Nullable String before, @Nullable String after) {
    return (before == null ? NONE : before) + ARROW + (after == null ? NONE : after);
  }

  /** The layout of a table's rows in a column that ends at a moment; null if it had none. */
  @Nullable Layout of(String table, long to) {
    Layout layout = now.get(table);
    for (RegionEvent change : changes.getOrDefault(table, List.of())) {
      if (change.at() <= to) {
        break;
      }
      Layout before = before(change);
      if (before != null && (layout == null || !hasRowsOf(layout, before))) {
        layout = before;
      }
    }
    return layout;
  }

  /**
   * The last moment, up to another one, at which a table's rows became other ones; or a minimum.
   */
  long changedAt(String table, long to, long otherwise) {
    Layout layout = now.get(table);
    for (RegionEvent change : changes.getOrDefault(table, List.of())) {
      Layout before = before(change);
      if (before != null && (layout == null || !hasRowsOf(layout, before))) {
        if (change.at() <= to) {
          return change.at();
        }
        layout = before;
      }
    }
    return otherwise;
  }

  private @Nullable Layout before(RegionEvent change) {
    int arrow = change.text().indexOf(ARROW);
    String line = arrow < 0 ? NONE : change.text().substring(0, arrow);
    if (line.equals(NONE)) {
      return null;
    }
    try {
      return parsed.computeIfAbsent(line, Layout::parse);
    } catch (LayoutException e) {
      return null;
    }
  }

  /** Whether one layout is another one with more steps of its salt, or the same. */
  private static boolean hasRowsOf(Layout layout, Layout before) {
    String line = layout.toString();
    String earlier = before.toString();
    int end = earlier.indexOf(')');
    return line.equals(earlier)
        || (end > 0
            && !layout.steps().isNone()
            && line.length() > earlier.length()
            && line.startsWith(earlier.substring(0, end))
            && ";,".indexOf(line.charAt(end)) >= 0
            && line.endsWith(earlier.substring(end)));
  }
}
