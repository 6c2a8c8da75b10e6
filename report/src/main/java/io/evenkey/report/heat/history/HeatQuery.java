/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import io.evenkey.layout.failure.EvenkeyArgumentException;
import org.jspecify.annotations.Nullable;

/**
 * The section of the history to show.
 *
 * @param from the beginning, in milliseconds since 1970
 * @param to the end
 * @param table a table, or null for all tables except Evenkey's own
 * @param measure the measure to show
 * @param logical whether spread tables are shown in logical order, with their buckets overlaid
 * @param columns the maximum of columns, 1 to {@value #MOST_COLUMNS}
 * @param rows the approximate maximum of rows, 2 to {@value #MOST_ROWS}
 */
public record HeatQuery(
    long from,
    long to,
    @Nullable String table,
    Measure measure,
    boolean logical,
    int columns,
    int rows) {
  /** The maximum of {@code columns}. */
  public static final int MOST_COLUMNS = 2_000;

  /** The maximum of {@code rows}. */
  public static final int MOST_ROWS = 1_500;

  /** Checks the numbers. */
  public HeatQuery {
    if (to <= from) {
      throw new EvenkeyArgumentException("interval is empty: from=" + from + " to=" + to);
    }
    if (columns < 1 || columns > MOST_COLUMNS) {
      throw new EvenkeyArgumentException(
          "columns out of range: columns=" + columns + "; expected 1 to " + MOST_COLUMNS);
    }
    if (rows < 2 || rows > MOST_ROWS) {
      throw new EvenkeyArgumentException(
          "rows out of range: rows=" + rows + "; expected 2 to " + MOST_ROWS);
    }
  }
}
