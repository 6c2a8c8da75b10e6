package io.evenkey.app.heat.history;

import org.jspecify.annotations.Nullable;

/**
 * What to cut out of the history.
 *
 * @param from the beginning, in milliseconds since 1970
 * @param to the end
 * @param table a table, or null for all but Evenkey's own
 * @param measure what is shown
 * @param logical whether spread tables are shown in logical order, buckets laid over each other
 * @param columns at most so many, 1 to {@value #MOST_COLUMNS}
 * @param rows about so many at most, 2 to {@value #MOST_ROWS}
 */
public record HeatQuery(
    long from,
    long to,
    @Nullable String table,
    Measure measure,
    boolean logical,
    int columns,
    int rows) {
  /** The most columns that can be asked for. */
  public static final int MOST_COLUMNS = 2_000;

  /** The most rows that can be asked for. */
  public static final int MOST_ROWS = 1_500;

  /** Checks the numbers. */
  public HeatQuery {
    if (to <= from) {
      throw new IllegalArgumentException("no time between: from=" + from + " to=" + to);
    }
    if (columns < 1 || columns > MOST_COLUMNS) {
      throw new IllegalArgumentException(
          "columns out of range: columns=" + columns + "; expected 1 to " + MOST_COLUMNS);
    }
    if (rows < 2 || rows > MOST_ROWS) {
      throw new IllegalArgumentException(
          "rows out of range: rows=" + rows + "; expected 2 to " + MOST_ROWS);
    }
  }
}
